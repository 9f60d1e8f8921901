//! The documentation of this project in headless Chromium: no errors, no overflow, usable by
//! keyboard.

use svc_tests::browser::Browser;
use svc_tests::{server, sites};

type TestResult = Result<(), Box<dyn std::error::Error>>;

fn start() -> Option<(Browser, server::RunningServer)> {
    let browser = Browser::or_skip().expect("the browser starts")?;
    Some((
        browser,
        server::start(&sites::docs()).expect("the server starts"),
    ))
}

#[test]
fn every_page_is_clean_at_every_width_and_mode() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    let paths = server.paths.clone();
    assert!(paths.len() > 15, "our own site has its pages: {paths:?}");
    for (width, scheme) in [(1440, "light"), (390, "dark")] {
        browser.screen(width, 900, scheme)?;
        for path in &paths {
            browser.open(&server.url(path))?;
            let overflow = browser.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth",
            )?;
            assert_eq!(overflow, 0, "{path} scrolls sideways at {width} px");
            let heading =
                browser.evaluate("document.querySelector('h1')?.textContent.trim() ?? ''")?;
            assert_ne!(heading, "", "{path} has a heading");
            let dark = browser.evaluate("document.documentElement.classList.contains('dark')")?;
            assert_eq!(dark, scheme == "dark", "{path} follows the system's mode");
        }
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn the_keyboard_reaches_navigation_mode_and_search() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/introduction"))?;

    // The mode toggle is a button in the tab order, and its state is stored.
    let focused = tab_until(
        &mut browser,
        "document.activeElement.matches('[data-svc-theme]')",
    )?;
    assert!(focused, "Tab reaches the mode toggle");
    browser.press("Enter")?;
    assert_eq!(
        browser.evaluate("document.documentElement.classList.contains('dark')")?,
        true
    );
    browser.open(&server.url("/quickstart"))?;
    assert_eq!(
        browser.evaluate("document.documentElement.classList.contains('dark')")?,
        true
    );

    // The sidebar: Tab to a link, Enter opens its page.
    let link = "document.activeElement.matches('#sidebar a[href=\"/introduction\"]')";
    assert!(tab_until(&mut browser, link)?, "Tab reaches the sidebar");
    browser.press("Enter")?;
    browser.wait("location.pathname === '/introduction' && document.readyState === 'complete'")?;

    // Search: `/` opens it, typing finds pages, Enter opens a result.
    browser.press("/")?;
    browser.wait("document.getElementById('search-dialog').open")?;
    browser.call(
        "Input.insertText",
        serde_json::json!({ "text": "quickstart" }),
    )?;
    browser.wait("document.querySelectorAll('#search-results li').length > 0")?;
    browser.press("Enter")?;
    browser.wait("location.pathname.startsWith('/quickstart')")?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn the_drawer_of_a_small_screen_opens_and_closes_by_keyboard() -> TestResult {
    let Some((mut browser, server)) = start() else {
        return Ok(());
    };
    browser.screen(390, 844, "light")?;
    browser.open(&server.url("/introduction"))?;
    let menu = "document.activeElement.matches('[data-svc-menu]')";
    assert!(
        tab_until(&mut browser, menu)?,
        "Tab reaches the menu button"
    );
    browser.press("Enter")?;
    browser.wait("document.getElementById('sidebar').contains(document.activeElement)")?;
    browser.press("Escape")?;
    browser.wait(menu)?;
    assert_eq!(
        browser.evaluate("document.documentElement.classList.contains('nav-open')")?,
        false
    );
    Ok(())
}

fn tab_until(browser: &mut Browser, condition: &str) -> Result<bool, Box<dyn std::error::Error>> {
    browser.evaluate("document.activeElement.blur()")?;
    for _ in 0..80 {
        if browser.evaluate(condition)? == true {
            return Ok(true);
        }
        browser.press("Tab")?;
    }
    Ok(false)
}
