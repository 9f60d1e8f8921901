//! The page to sign in in all themes: checked by axe-core, used by keyboard and without scripts.

use std::path::Path;

use serde_json::json;
use svc_config::Theme;
use svc_tests::browser::Browser;
use svc_tests::projects::ProjectServer;

use super::{PASSWORD, Project, TestResult, start};
use crate::accessibility::{self, CHECK, Findings};

const READERS: &str = "[projects.readers]\nprivate = true\npassword_file = \"passwords\"\n[projects.readers.oidc]\nissuer = \"https://id.example.com\"\nclient_id = \"handbook\"\nclient_secret_file = \"secret\"\nname = \"Example account\"\n";

fn server(dir: &Path) -> Result<ProjectServer, Box<dyn std::error::Error>> {
    let projects: Vec<Project<'_>> = Theme::ALL
        .iter()
        .map(|theme| Project {
            theme: theme.name(),
            // Browsers resolve these names to the loopback interface.
            host: format!("{}.localhost", theme.name()),
            readers: READERS,
        })
        .collect();
    start(dir, "", &projects)
}

/// Writes a text into a field.
fn fill(browser: &mut Browser, field: &str, text: &str) -> TestResult {
    let script = format!(
        "(() => {{ const field = document.querySelector('[name={field}]'); field.value = ''; field.focus(); }})()"
    );
    browser.evaluate(&script)?;
    browser.call("Input.insertText", json!({ "text": text }))?;
    Ok(())
}

/// Signs in with the keyboard.
fn sign_in(browser: &mut Browser, password: &str) -> TestResult {
    fill(browser, "name", "ada")?;
    fill(browser, "password", password)?;
    browser.press("Enter")
}

#[test]
fn the_page_to_sign_in_has_no_violation_in_any_theme_mode_and_width() -> TestResult {
    let Some(mut browser) = accessibility::start()? else {
        return Ok(());
    };
    let dir = tempfile::tempdir()?;
    let server = server(dir.path())?;
    let mut findings = Findings::default();
    let shots = std::env::var_os("SVC_SCREENSHOTS").map(std::path::PathBuf::from);
    for theme in Theme::ALL {
        let url = format!(
            "http://{}.localhost:{}/staff",
            theme.name(),
            server.addr.port()
        );
        for (width, mode) in [
            (1440, "light"),
            (1440, "dark"),
            (390, "light"),
            (390, "dark"),
        ] {
            browser.screen(width, 800, mode)?;
            browser.open(&url)?;
            let label = format!("{} {width} {mode}", theme.name());
            for step in ["form", "failure", "page", "account"] {
                match step {
                    "failure" => sign_in(&mut browser, "wrong")?,
                    "page" => sign_in(&mut browser, PASSWORD)?,
                    "account" => {
                        browser.evaluate("location.href = document.querySelector('.navbar-link a[href*=\"/_svc/sign-in\"]').href")?;
                    }
                    _ => {}
                }
                let shown = match step {
                    "form" => {
                        "document.querySelector('[name=password]') && document.querySelector('a[href*=\"/_svc/sign-in\"], form[action*=\"/_svc/sign-in\"]')"
                    }
                    "failure" => "document.querySelector('[role=alert]')",
                    "page" => "document.body?.textContent.includes('Text for the staff')",
                    _ => "document.querySelector('form[action*=\"sign-out\"] button')",
                };
                browser.wait(&format!(
                    "document.readyState === 'complete' && Boolean({shown})"
                ))?;
                if step != "page" {
                    findings.check(&mut browser, CHECK, &format!("{label} {step}"))?;
                }
                let overflow = browser.evaluate(
                    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
                )?;
                assert_eq!(overflow, json!(false), "{label} {step}");
                if let Some(dir) = &shots {
                    use base64::Engine as _;
                    let image = browser.screenshot()?;
                    let image = base64::engine::general_purpose::STANDARD.decode(image)?;
                    std::fs::write(dir.join(format!("{label} {step}.png")), image)?;
                }
            }
            browser
                .evaluate("document.querySelector('form[action*=\"sign-out\"] button').focus()")?;
            browser.press("Enter")?;
            browser.wait("document.readyState === 'complete' && document.querySelector('[name=password]') !== null")?;
        }
    }
    assert_eq!(findings.pages, Theme::ALL.len() * 4 * 3);
    assert!(findings.locations.is_empty(), "{}", findings.report());
    Ok(())
}

#[test]
fn without_scripts_readers_sign_in_and_out_by_keyboard() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let dir = tempfile::tempdir()?;
    let server = server(dir.path())?;
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    )?;
    browser.screen(390, 800, "light")?;
    let origin = format!("http://svc.localhost:{}", server.addr.port());
    browser.open(&format!("{origin}/staff"))?;
    let at = |browser: &mut Browser| browser.evaluate("location.pathname + location.search");
    assert_eq!(at(&mut browser)?, json!("/_svc/sign-in?next=%2Fstaff"));
    // The first stops of the keyboard are the ways to sign in.
    let mut stops = Vec::new();
    for _ in 0..12 {
        browser.press("Tab")?;
        let stop = browser
            .evaluate("document.activeElement.name || document.activeElement.textContent.trim()")?;
        stops.push(stop.as_str().unwrap_or_default().to_owned());
    }
    for stop in ["Example account", "name", "password", "Sign in"] {
        assert!(
            stops.iter().any(|own| own.contains(stop)),
            "{stop}: {stops:?}"
        );
    }
    sign_in(&mut browser, PASSWORD)?;
    browser.wait("location.pathname === '/staff' && document.readyState === 'complete'")?;
    browser.open(&format!("{origin}/_svc/sign-in"))?;
    browser.wait("document.querySelector('form[action*=\"sign-out\"] button') !== null")?;
    browser.evaluate("document.querySelector('form[action*=\"sign-out\"] button').focus()")?;
    browser.press("Enter")?;
    browser.wait("location.pathname === '/_svc/sign-in' && document.querySelector('[name=password]') !== null && document.readyState === 'complete'")?;
    browser.open(&format!("{origin}/staff"))?;
    browser.wait("location.pathname === '/_svc/sign-in' && location.search !== ''")?;
    assert_eq!(at(&mut browser)?, json!("/_svc/sign-in?next=%2Fstaff"));
    Ok(())
}
