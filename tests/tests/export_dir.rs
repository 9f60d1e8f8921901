//! An export that is opened from a directory, in headless Chromium.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use svc_site::{ExportOptions, LoadOptions, RELATIVE_BASE, SiteOptions};
use svc_tests::browser::Browser;
use svc_tests::sites;

type TestResult = Result<(), Box<dyn std::error::Error>>;

fn export(root: &Path, out: &Path, flat: bool) -> svc_site::ExportReport {
    let load = LoadOptions::from(SiteOptions {
        base_path: RELATIVE_BASE.to_owned(),
        export: true,
        ..SiteOptions::default()
    });
    svc_site::worker::trust_components();
    let site = svc_site::load(root, &load).expect("the site is read").value;
    let options = ExportOptions {
        flat,
        ..ExportOptions::default()
    };
    svc_site::export(&site, out, &options).expect("the site is written")
}

fn start() -> Option<Browser> {
    Browser::or_skip().expect("the browser starts")
}

/// Waits until an expression is true. An evaluation that fails because the page is replaced is
/// repeated.
fn until(browser: &mut Browser, expression: &str) -> TestResult {
    for _ in 0..400 {
        if matches!(browser.evaluate(expression), Ok(value) if value == json!(true)) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    Err(format!("never true: {expression}").into())
}

#[test]
fn our_documentation_works_from_a_directory() -> TestResult {
    let Some(mut browser) = start() else {
        return Ok(());
    };
    // Both must exist until the end: the browser may still be loading an image of the first.
    let dirs = [tempfile::tempdir()?, tempfile::tempdir()?];
    for (out, flat) in dirs.iter().zip([false, true]) {
        export(&sites::docs(), out.path(), flat);
        let home = format!("file://{}/index.html", out.path().display());
        browser.screen(1440, 900, "light")?;
        browser.open(&home)?;
        // The first page has no sidebar; its component is hydrated, and it has a link.
        until(
            &mut browser,
            "document.querySelector('svc-island')?.dataset.ready !== undefined",
        )?;
        browser.evaluate("document.querySelector('a[href*=introduction]').click()")?;
        until(
            &mut browser,
            "document.querySelector('h1')?.textContent.includes('Introduction')",
        )?;

        // Navigation: a link of the sidebar points to a file and opens it.
        browser.evaluate("[...document.querySelectorAll('.svc-sidebar a')].find((a) => a.textContent.includes('Code')).click()")?;
        until(
            &mut browser,
            "location.pathname.includes('/guides/code') && document.readyState === 'complete'",
        )?;
        let style = browser.evaluate("document.styleSheets.length > 0 && getComputedStyle(document.querySelector('.svc-sidebar')).display !== 'inline'")?;
        assert_eq!(style, json!(true), "the style sheet is there");

        // Tabs and code.
        until(
            &mut browser,
            "document.querySelectorAll('.svc-panels-radio').length > 1",
        )?;
        browser.evaluate("document.querySelectorAll('.svc-panels-radio')[1].click()")?;
        assert_eq!(
            browser.evaluate("document.querySelectorAll('.svc-panels-radio')[1].checked")?,
            json!(true)
        );
        browser.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }; document.querySelector('[data-svc-copy]').click()")?;
        until(&mut browser, "window.copied?.length > 0")?;

        // Mode.
        let dark = "document.documentElement.classList.contains('dark')";
        let before = browser.evaluate(dark)?;
        browser.evaluate("document.querySelector('[data-svc-theme]').click()")?;
        let chosen = browser.evaluate(dark)?;
        assert_ne!(chosen, before, "the mode changes");

        // Search and one of its results.
        browser.press("/")?;
        browser.evaluate("(() => { const field = document.querySelector('.svc-search input'); field.value = 'redirects'; field.dispatchEvent(new Event('input', { bubbles: true })) })()")?;
        until(
            &mut browser,
            "document.querySelectorAll('.svc-search li a').length > 0",
        )?;
        let url = browser.evaluate("document.querySelector('.svc-search li a').href")?;
        let file = url
            .as_str()
            .unwrap_or_default()
            .split('#')
            .next()
            .unwrap_or_default()
            .to_owned();
        assert!(
            Path::new(file.trim_start_matches("file://")).is_file(),
            "{url}"
        );
        browser.open(&file)?;
        assert_eq!(browser.evaluate(dark)?, chosen, "the mode stays");

        // In a directory every page has its own origin, so the browser reports that it skips the
        // transition between two pages.
        browser
            .complaints
            .retain(|complaint| !complaint.contains("Transition was "));
        assert_eq!(browser.complaints, Vec::<String>::new());
    }
    Ok(())
}

#[test]
fn the_playground_and_islands_work_from_a_directory() -> TestResult {
    let Some(mut browser) = start() else {
        return Ok(());
    };
    let out = tempfile::tempdir()?;
    let report = export(&sites::docs(), out.path(), false);
    let page = report
        .manifest
        .iter()
        .find(|item| item.path.starts_with("_svc/api/") && item.path.ends_with("/call.json"));
    let page = page.map(|item| {
        item.path
            .trim_start_matches("_svc/api/")
            .trim_end_matches("/call.json")
            .to_owned()
    });
    let page = page.expect("our documentation has an endpoint");
    browser.screen(1440, 900, "light")?;
    browser.open(&format!(
        "file://{}/{page}/index.html",
        out.path().display()
    ))?;
    until(
        &mut browser,
        "document.readyState === 'complete' && document.querySelector('[data-svc-try]') !== null",
    )?;
    browser.evaluate("document.querySelector('[data-svc-try]').click()")?;
    until(
        &mut browser,
        "document.querySelector('dialog[open]') !== null",
    )?;

    let islands = tempfile::tempdir()?;
    export(
        &sites::workspace().join("tests/fixtures/islands"),
        islands.path(),
        false,
    );
    browser.open(&format!("file://{}/index.html", islands.path().display()))?;
    until(
        &mut browser,
        "document.querySelectorAll('svc-island').length > 0 && [...document.querySelectorAll('svc-island')].every((island) => 'ready' in island.dataset)",
    )?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}
