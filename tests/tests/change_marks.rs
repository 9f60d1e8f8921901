//! The marks of what a preview changes on a page, in a browser.

use std::error::Error;

use serde_json::Value;
use svc_test_support::git::{BareRepo, File};
use svc_tests::browser::Browser;
use svc_tests::projects::ProjectServer;

type TestResult = Result<(), Box<dyn Error>>;
/// A browser, a server, and the directory of its files.
type Scene = (Browser, ProjectServer, tempfile::TempDir);

const CONFIG: &str = r##"{"theme": "svc", "name": "Harbor", "colors": {"primary": "#0f766e"},
    "navigation": {"pages": ["index", "same", "ships"]}}"##;

const OLD: &str = r#"---
title: Harbor
description: Where ships are.
---

Ships arrive at noon.

## Berths

- North
- South
- West

| Berth | Depth |
| --- | --- |
| North | 8 m |
| South | 9 m |

This paragraph goes away.

```bash
harbor list
harbor show north
```

<Tabs>
  <Tab title="Pilot">Call the pilot.</Tab>
  <Tab title="Tug">Call the tug.</Tab>
</Tabs>

<Accordion title="Fees">A day costs 10 €.</Accordion>

The last line.
"#;

/// The page of the preview, with six changes.
fn new_page() -> String {
    OLD.replace("at noon", "at **dawn**")
        .replace("- South\n", "- South\n- East\n")
        .replace("9 m", "11 m")
        .replace("This paragraph goes away.\n\n", "")
        .replace("show north", "show east")
        .replace("Call the tug.", "Call two tugs.")
}

fn api(summary: &str) -> String {
    format!(
        r#"{{"openapi": "3.1.0", "info": {{"title": "A", "version": "1"}}, "paths": {{"/ships": {{"get": {{"summary": "Ships", "parameters": [{{"name": "limit", "in": "query", "description": "{summary}", "schema": {{"type": "integer"}}}}], "responses": {{"200": {{"description": "Fine"}}}}}}}}}}}}"#
    )
}

/// Starts a server with a site and its preview. `None` without a browser or Git.
fn start() -> Result<Option<Scene>, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("origin.git");
    let Some(origin) = BareRepo::new(&path) else {
        return Ok(None);
    };
    let Some(browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    let same = "---\ntitle: The same\n---\n\nNothing else.\n";
    let (before, after) = (api("How many."), api("At most so many."));
    let files = |page, api, new| {
        let mut files = vec![
            File::Text("docs.json", CONFIG),
            File::Text("index.mdx", page),
            File::Text("same.mdx", same),
            File::Text("api.json", api),
            File::Text("ships.mdx", "---\nopenapi: GET /ships\n---\n"),
        ];
        if new {
            files.push(File::Text("added.mdx", same));
        }
        files
    };
    origin.commit_on("main", &files(OLD, &before, false));
    let page = new_page();
    origin.commit_on("feature", &files(&page, &after, true));
    let settings = format!(
        "[outbound]\noffline = true\n[[projects]]\nid = \"docs\"\nhosts = [\"docs.localhost\"]\nweb_fonts = false\n\
         source = {{ git = \"{}\" }}\n[projects.previews]\nhost = \"{{preview}}.preview.localhost\"\nbranches = [\"*\"]\nguessable = true\n",
        path.display()
    );
    let server = ProjectServer::start(dir.path(), &settings)?;
    server.deploy_preview("docs", "feature", "feature")?;
    Ok(Some((browser, server, dir)))
}

/// Kinds of the marks of the page, with the text of each first block.
const MARKS: &str = r#"[...document.querySelectorAll("[data-svc-change], .svc-change-removed")].map((one) =>
    `${one.dataset.svcChange ?? "removed"}: ${one.textContent.replace(/\s+/g, " ").trim().slice(0, 60)}`)"#;
const BAR: &str = "document.querySelector('.svc-changes')";

fn text_of(browser: &mut Browser, script: &str) -> Result<String, Box<dyn Error>> {
    Ok(browser
        .evaluate(script)?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

#[test]
fn a_preview_marks_its_changes_and_the_site_has_nothing_of_them() -> TestResult {
    let Some((mut browser, server, _dir)) = start()? else {
        return Ok(());
    };
    let port = server.addr.port();
    let preview = |path: &str| format!("http://feature.preview.localhost:{port}{path}");
    browser.screen(1280, 900, "light")?;
    // Without marks at first, and with a button that works with the keyboard.
    browser.open(&preview("/"))?;
    browser.wait(BAR)?;
    assert_eq!(browser.evaluate(MARKS)?, Value::Array(Vec::new()));
    assert_eq!(
        text_of(&mut browser, &format!("{BAR}.innerText"))?,
        "Show changes: 6"
    );
    browser.press("Tab")?;
    browser.press("Tab")?;
    browser.press("Enter")?;
    let expected = [
        "changed: ChangedShips arrive at dawn.",
        "added: NewEast",
        "changed: ChangedSouth11 m",
        "removed: Removed blocks: 1This paragraph goes away.",
        "changed: harbor show east",
        "changed: ChangedCall two tugs.",
    ];
    assert_eq!(browser.evaluate(MARKS)?, Value::from(expected.to_vec()));
    // The next change, of which screen readers hear.
    let status = format!("{BAR}.querySelector('[role=status]').textContent");
    assert_eq!(text_of(&mut browser, &status)?, "Changes: 6");
    browser.evaluate(
        "document.querySelector('.svc-changes [aria-label=\"Previous change\"]').click()",
    )?;
    assert_eq!(text_of(&mut browser, &status)?, "6 / 6 · Changed");
    let shown =
        "[...document.querySelectorAll('.svc-panels-panel')].at(-1).getClientRects().length";
    assert_eq!(browser.evaluate(shown)?, 1, "the tab is selected");
    // The next page has marks too, and hiding them lasts.
    browser.open(&preview("/added"))?;
    browser.wait(BAR)?;
    assert_eq!(text_of(&mut browser, &status)?, "New page");
    browser.open(&preview("/same"))?;
    browser.wait(BAR)?;
    assert_eq!(
        text_of(&mut browser, &status)?,
        "No changes in the text of this page"
    );
    browser.evaluate("document.querySelector('.svc-changes-toggle').click()")?;
    assert_eq!(browser.evaluate(&format!("{BAR}.hidden"))?, true);
    // A link of the comment leads to the first change, in print there are none.
    browser.open(&preview("/ships?changes"))?;
    browser.wait(BAR)?;
    let marks = browser.evaluate(MARKS)?;
    browser.open(&preview("/?changes"))?;
    browser.wait("document.querySelector('[data-svc-current]')")?;
    assert_eq!(text_of(&mut browser, &status)?, "1 / 6 · Changed");
    browser.call(
        "Emulation.setEmulatedMedia",
        serde_json::json!({"media": "print"}),
    )?;
    let printed = r#"[...document.querySelectorAll(".svc-changes, .svc-change-label, .svc-change-removed")].filter((one) => one.getClientRects().length).length
        + [...document.querySelectorAll("[data-svc-change]")].filter((one) => getComputedStyle(one).boxShadow !== "none").length"#;
    assert_eq!(browser.evaluate(printed)?, 0);
    browser.call(
        "Emulation.setEmulatedMedia",
        serde_json::json!({"media": ""}),
    )?;
    // The API page.
    assert!(marks.to_string().contains("At most so many."), "{marks}");
    // The page is not wider than a phone.
    browser.screen(390, 844, "dark")?;
    browser.open(&preview("/?changes"))?;
    browser.wait("document.querySelector('[data-svc-current]')")?;
    let width = "document.documentElement.scrollWidth";
    assert_eq!(browser.evaluate(width)?, 390);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    // The live site.
    browser.open(&format!("http://docs.localhost:{port}/?changes"))?;
    let html = text_of(&mut browser, "document.documentElement.outerHTML")?;
    assert!(!html.contains("svc-change") && !html.contains("data-svc-block"));
    Ok(())
}
