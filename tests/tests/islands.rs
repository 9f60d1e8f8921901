//! Interactive components in headless Chromium under the content security policy of the server.

use svc_tests::browser::Browser;
use svc_tests::{server, sites};

type TestResult = Result<(), Box<dyn std::error::Error>>;

fn start() -> Option<(Browser, server::RunningServer)> {
    let browser = Browser::or_skip().expect("the browser starts")?;
    let site = sites::workspace().join("tests/fixtures/islands");
    Some((browser, server::start(&site).expect("the server starts")))
}

/// Waits until all islands of the document are hydrated.
fn ready(browser: &mut Browser) -> TestResult {
    browser.evaluate(
        "new Promise((done) => { const look = () => \
         document.querySelector('svc-island:not([data-ready])') ? setTimeout(look, 20) : done(); look(); })",
    )?;
    Ok(())
}

/// Runs a script and returns the value of an expression afterwards.
fn after(
    browser: &mut Browser,
    action: &str,
    shown: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let script = format!(
        "(async () => {{ {action}; await new Promise((done) => setTimeout(done, 50)); return String({shown}); }})()"
    );
    Ok(browser
        .evaluate(&script)?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

#[test]
fn a_counter_works_and_reuses_the_nodes_of_the_server() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/"))?;
    ready(&mut browser)?;
    browser.evaluate("window.button = document.querySelector('#more'); 0")?;
    let text = |selector: &str| {
        format!("document.querySelector('{selector}')?.textContent.trim().replace(/\\s+/g, ' ')")
    };
    assert_eq!(
        after(&mut browser, "button.click()", &text("#more"))?,
        "Add one 2"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "button === document.querySelector('#more')"
        )?,
        "true"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "button.querySelector('strong').textContent"
        )?,
        "one"
    );
    assert_eq!(after(&mut browser, "", &text("#many"))?, "undefined");
    assert_eq!(
        after(&mut browser, "button.click()", &text("#many"))?,
        "many"
    );
    // Components of the platform keep the HTML of the server, with new texts.
    assert_eq!(
        after(
            &mut browser,
            "",
            "document.querySelector('#counter .svc-card').textContent.trim().replace(/\\s+/g, ' ')"
        )?,
        "Count 3inside 3"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "/first 3/.test(document.querySelector('#counter').textContent) && /second 3/.test(document.querySelector('#counter').textContent)"
        )?,
        "true"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "document.querySelector('#counter pre code').textContent.trim()"
        )?,
        "let n = 3;"
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn forms_lists_and_contexts_reflect_the_state() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/"))?;
    ready(&mut browser)?;
    let typed = "const text = document.querySelector('#text'); text.value = 'two  words'; \
                 text.dispatchEvent(new Event('input', { bubbles: true }))";
    assert_eq!(
        after(&mut browser, typed, "document.querySelector('#text').value")?,
        "TWO  WORDS"
    );
    assert_eq!(
        after(
            &mut browser,
            "document.querySelector('#add').click()",
            "document.querySelector('#entries').innerHTML"
        )?,
        "<li>TWO WORDS</li>"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "document.activeElement.id + document.querySelector('#text').value + document.body.dataset.entries + document.body.dataset.cleaned"
        )?,
        "text1yes"
    );
    assert_eq!(
        after(
            &mut browser,
            "document.querySelector('#dark').click()",
            "document.querySelector('#mode').textContent"
        )?,
        "dark"
    );

    let slide = "const hue = document.querySelector('#hue'); hue.value = '10'; \
                 hue.dispatchEvent(new Event('input', { bubbles: true }))";
    assert_eq!(
        after(
            &mut browser,
            slide,
            "document.querySelector('.shade').title"
        )?,
        "hsl(10, 80%, 90%)"
    );
    assert_eq!(
        after(
            &mut browser,
            "document.querySelectorAll('.shade')[2].click()",
            "document.querySelector('#chosen').textContent"
        )?,
        "hsl(10, 80%, 50%)"
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn page_text_can_be_shown_later_with_its_components() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    browser.open(&server.url("/"))?;
    ready(&mut browser)?;
    let toggle = "document.querySelector('#toggle').click()";
    assert_eq!(
        after(&mut browser, "", "document.querySelector('#opened')")?,
        "null"
    );
    assert_eq!(
        after(
            &mut browser,
            toggle,
            "document.querySelector('#opened em').textContent"
        )?,
        "text"
    );
    ready(&mut browser)?;
    let inner = "document.querySelector('#opened #more')";
    assert_eq!(
        after(
            &mut browser,
            &format!("{inner}.click()"),
            &format!("{inner}.textContent.trim()")
        )?,
        "inner 8"
    );
    after(&mut browser, toggle, "0")?;
    assert_eq!(
        after(&mut browser, toggle, &format!("{inner}.textContent.trim()"))?,
        "inner 8"
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn a_failing_component_does_not_affect_others() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    browser.open(&server.url("/failing"))?;
    ready(&mut browser)?;
    let good = "document.querySelector('#good')";
    assert_eq!(
        after(
            &mut browser,
            &format!("{good}.click()"),
            &format!("{good}.textContent")
        )?,
        "1"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "document.querySelectorAll('svc-island').length"
        )?,
        "1"
    );
    assert_eq!(
        after(
            &mut browser,
            "",
            "document.body.textContent.includes('The rest of the page.')"
        )?,
        "true"
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn pages_without_components_load_no_runtime() -> TestResult {
    let server = server::start(&sites::docs())?;
    let page = svc_tests::http::Client::connect(server.addr)?.get("/introduction", &[])?;
    let text = String::from_utf8_lossy(&page.body).into_owned();
    assert!(text.contains("</html>"));
    assert!(!text.contains("type=\"module\""));
    Ok(())
}
