//! Collapsed parts of schemas in a browser: opened by pointer and keyboard, and by links.

use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const CONFIG: &str = r##"{"theme": "svc", "name": "T", "colors": {"primary": "#16a34a"}, "navigation": {"openapi": "api.yaml"}}"##;
const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: Trees, version: '1'}
paths:
  /trees:
    post:
      summary: Plant a tree
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Tree'}
      responses:
        '200': {description: Planted}
components:
  schemas:
    Tree:
      type: object
      properties:
        name: {type: string, description: What it is called}
        parent: {$ref: '#/components/schemas/Tree'}
        garden:
          type: object
          properties:
            soil:
              type: object
              properties:
                layers:
                  type: array
                  items:
                    type: object
                    properties:
                      depth: {type: integer, description: How deep}
";

fn start() -> Result<Option<(Browser, server::RunningServer)>, Box<dyn std::error::Error>> {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    let made = LoadedSite::of_files([("docs.json", CONFIG), ("api.yaml", DOCUMENT)])?;
    browser.screen(1280, 900, "light")?;
    Ok(Some((browser, server::serve(made.site)?)))
}

const PAGE: &str = "/api-reference/plant-a-tree";

#[test]
fn a_part_opens_by_pointer_keyboard_and_link() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.open(&server.url(PAGE))?;
    assert_eq!(
        browser.evaluate("document.getElementById('body-parent-name') === null")?,
        true,
        "a recursive schema is not rendered at once"
    );

    // A click on the summary.
    let position = browser.evaluate(
        "(() => { const box = document.querySelector('#body-parent summary'); box.scrollIntoView({ block: 'center', behavior: 'instant' }); const at = box.getBoundingClientRect(); return [at.x + 20, at.y + at.height / 2]; })()",
    )?;
    for kind in ["mousePressed", "mouseReleased"] {
        let params = serde_json::json!({
            "type": kind, "x": position[0], "y": position[1], "button": "left", "clickCount": 1
        });
        browser.call("Input.dispatchMouseEvent", params)?;
    }
    browser.wait("document.querySelector('#body-parent-name .svc-field-name')?.getAttribute('href') === '#body-parent-name'",
    )?;
    assert_eq!(
        browser.evaluate(
            "document.querySelector('#body-parent [data-svc-part-link]')?.closest('.svc-field').id"
        )?,
        "body-parent-parent",
        "the link is replaced by its target, which has another link"
    );

    // The same schema inside of itself, by keyboard: the focus stays on its summary.
    browser.evaluate("document.querySelector('#body-parent-parent summary').focus()")?;
    browser.press("Enter")?;
    browser.wait("document.getElementById('body-parent-parent-name') !== null")?;
    assert_eq!(
        browser.evaluate("document.activeElement.closest('.svc-field').id")?,
        "body-parent-parent"
    );
    let ids = "(() => { const ids = [...document.querySelectorAll('[id]')].map((one) => one.id); return ids.length - new Set(ids).size; })()";
    assert_eq!(browser.evaluate(ids)?, 0, "ids are unique");

    // A link to a nested part opens all parts around it.
    let deep = "body-garden-soil-layers-depth";
    browser.open("about:blank")?;
    browser.open(&format!("{}#{deep}", server.url(PAGE)))?;
    browser.wait(&format!(
            "(() => {{ const field = document.getElementById('{deep}'); return field !== null && field.checkVisibility() && field.matches(':target, *') && field.getBoundingClientRect().top < innerHeight; }})()"
        ),
    )?;
    // A link without target changes nothing.
    browser.evaluate("location.hash = '#body-parent-nothing'")?;
    browser.evaluate("new Promise((done) => setTimeout(done, 200))")?;
    assert_eq!(
        browser.evaluate("document.querySelectorAll('[aria-busy]').length")?,
        0
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn all_parts_open_and_close_by_one_button() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.open(&server.url(PAGE))?;
    browser.wait("document.querySelector('.svc-api-expand')?.checkVisibility()")?;
    browser.evaluate("document.querySelector('.svc-api-expand').focus()")?;
    browser.press("Enter")?;
    // Loaded parts are opened too, down to a level: the schema contains itself.
    let deep = "document.getElementById('body-garden-soil-layers-depth')?.checkVisibility() && document.getElementById('body-parent-parent-name')?.checkVisibility()";
    browser.wait(deep)?;
    let shown = "document.querySelector('.svc-api-expand').textContent";
    assert_eq!(browser.evaluate(shown)?, "Collapse all");
    browser.wait("document.querySelectorAll('[aria-busy]').length === 0")?;
    let ids = "(() => { const ids = [...document.querySelectorAll('[id]')].map((one) => one.id); return ids.length - new Set(ids).size; })()";
    assert_eq!(browser.evaluate(ids)?, 0, "ids are unique");
    browser.press("Enter")?;
    let open = "document.querySelectorAll('.svc-api-nested[open], .svc-variant[open]').length";
    assert_eq!(browser.evaluate(open)?, 0);
    assert_eq!(browser.evaluate(shown)?, "Expand all");
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn without_scripts_a_part_is_a_page_with_the_same_content() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        serde_json::json!({ "value": true }),
    )?;
    browser.open(&server.url(PAGE))?;
    let document = browser.call("DOM.getDocument", serde_json::json!({}))?;
    let link = browser.call(
        "DOM.querySelector",
        serde_json::json!({
            "nodeId": document["root"]["nodeId"], "selector": "#body-parent [data-svc-part-link] a"
        }),
    )?;
    let attributes = browser.call(
        "DOM.getAttributes",
        serde_json::json!({ "nodeId": link["nodeId"] }),
    )?;
    let href = attributes["attributes"][1].as_str().unwrap_or_default();
    assert_eq!(
        href,
        "/_svc/api/schema/request/en/api.yaml/components/schemas/Tree.html"
    );
    browser.open(&format!("http://{}{href}", server.addr))?;
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        serde_json::json!({ "value": false }),
    )?;
    assert_eq!(
        browser.evaluate("document.querySelector('h1').textContent")?,
        "Tree"
    );
    assert_eq!(
        browser.evaluate(
            "[...document.querySelectorAll('main > div > .svc-field')].map((one) => one.id).join()"
        )?,
        "name,parent,garden"
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}
