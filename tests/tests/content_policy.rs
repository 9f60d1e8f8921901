//! Which scripts run in a page, in headless Chromium.

use serde_json::json;
use svc_site::{ExportOptions, LoadOptions, SiteOptions};
use svc_source::SourceTree;
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const DOCS: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["index"]}}"##;
/// Elements whose names would shadow functions of the document, and frames that would run scripts
/// in this origin or without a policy.
const PAGE: &str = "---\ntitle: Home\n---\n\n<img name=\"querySelectorAll\" src=\"/x.png\" />\n<form name=\"createElement\" id=\"svcImport\"></form>\n\n<iframe src=\"/a.xml\"/>\n<iframe src={'data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"top.ran=1\"/>'} />\n\nText.\n";
const XML: &str = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><script>parent.document.documentElement.dataset.ran = 'yes'</script></body></html>";
/// Like the snippet of a chat service: it loads a script from another origin.
const CHAT: &str = "const s = document.createElement('script'); s.src = \"data:text/javascript,document.documentElement.dataset.chat='loaded'\"; document.head.append(s);";

fn files(scripts: bool) -> Vec<(&'static str, &'static str)> {
    let mut files = vec![("docs.json", DOCS), ("index.mdx", PAGE), ("a.xml", XML)];
    if scripts {
        files.push(("chat.js", CHAT));
    }
    files
}

/// Asserts that search opens, so the scripts of the page run.
fn searches(browser: &mut Browser) -> TestResult {
    browser.wait("document.documentElement.classList.contains('js')")?;
    browser.wait("document.readyState === 'complete'")?;
    browser.press("/")?;
    browser.wait("document.getElementById('search-dialog').open")?;
    assert_eq!(
        browser.evaluate("document.documentElement.dataset.ran ?? window.ran ?? 'no'")?,
        json!("no")
    );
    Ok(())
}

/// Runs an action and asserts that the policy of the page blocks it.
fn violates(browser: &mut Browser, action: &str) -> TestResult {
    browser.evaluate(&format!(
        "new Promise((done) => {{ addEventListener('securitypolicyviolation', () => done(0), {{ once: true }}); {action} }})"
    ))?;
    Ok(())
}

#[test]
fn only_scripts_of_the_repository_and_their_imports_run() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    let with = server::serve(LoadedSite::of_files(files(true))?.site)?;
    browser.open(&with.url("/"))?;
    browser.wait("document.documentElement.dataset.chat === 'loaded'")?;
    searches(&mut browser)?;
    // Markup that was inserted by other means is not trusted.
    violates(
        &mut browser,
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.documentElement.dataset.ran=1\">')",
    )?;
    assert_eq!(
        browser.evaluate("document.documentElement.dataset.ran ?? 'no'")?,
        json!("no")
    );
    drop(with);

    let without = server::serve(LoadedSite::of_files(files(false))?.site)?;
    browser.open(&without.url("/"))?;
    searches(&mut browser)?;
    violates(&mut browser, CHAT)?;
    assert_eq!(
        browser.evaluate("document.documentElement.dataset.chat ?? 'blocked'")?,
        json!("blocked")
    );
    Ok(())
}

#[test]
fn exported_pages_contain_the_policy() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let load = LoadOptions::from(SiteOptions {
        base_path: svc_site::RELATIVE_BASE.to_owned(),
        export: true,
        ..SiteOptions::default()
    });
    let site = svc_site::assemble(SourceTree::from_files(files(false)), &load)?.value;
    let out = tempfile::tempdir()?;
    let report = svc_site::export(&site, out.path(), &ExportOptions::default())?;
    assert!(!report.manifest.iter().any(|file| file.path == "a.xml"));
    let codes = report
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id);
    assert!(
        codes.clone().any(|code| code == "export-active-file"),
        "{:?}",
        codes.collect::<Vec<_>>()
    );
    let page = std::fs::read_to_string(out.path().join("index.html"))?;
    assert!(
        page.contains("http-equiv=\"Content-Security-Policy\""),
        "{page}"
    );
    browser.screen(1440, 900, "light")?;
    browser.open(&format!("file://{}/index.html", out.path().display()))?;
    searches(&mut browser)?;
    Ok(())
}

/// Covers the window by every means that a page has.
const COVER: &str = "---\ntitle: Home\n---\n\n<style>{`.cover { position: fixed; inset: 0; z-index: 999 }`}</style>\n\n<div className=\"cover fixed inset-0 z-50 bg-red-500\" id=\"cover\">Cover</div>\n\n<div className=\"absolute z-50 bg-red-500\" style={{ top: \"-2000px\", left: \"-2000px\", width: \"9000px\", height: \"9000px\" }} id=\"moved\">Moved</div>\n";

#[test]
fn without_scripts_no_content_covers_the_frame() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    let files = || SourceTree::from_files([("docs.json", DOCS), ("index.mdx", COVER)]);
    // The topmost element at the logo and at the list of pages.
    let on_top = "['.svc-logo', '.svc-nav-link'].every((part) => { const element = document.querySelector(part); const box = element.getBoundingClientRect(); return element.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)) })";
    for (without_scripts, frame_is_on_top) in [(true, true), (false, false)] {
        let options = LoadOptions::from(SiteOptions {
            without_scripts,
            ..SiteOptions::default()
        });
        let made = LoadedSite::from(svc_site::assemble(files(), &options)?);
        let server = server::serve(made.site)?;
        browser.open(&server.url("/"))?;
        browser.wait("document.getElementById('moved') && document.readyState === 'complete'")?;
        assert_eq!(
            browser.evaluate(on_top)?,
            json!(frame_is_on_top),
            "without scripts: {without_scripts}"
        );
    }
    Ok(())
}
