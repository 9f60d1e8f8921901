//! The services of `integrations` in headless Chromium, with stand-ins for their hosts.

mod cases;

use std::time::{Duration, Instant};

use serde_json::json;
use svc_diagnostics::SourceFile;
use svc_site::{Directive, ExportOptions, LoadOptions, Site, SiteOptions};
use svc_source::SourceTree;
use svc_tests::browser::Browser;
use svc_tests::http::Client;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server::{self, RunningServer};

use self::cases::{CASES, Case, MANAGERS, vendor_script};

type TestResult = Result<(), Box<dyn std::error::Error>>;
type BoxError = Box<dyn std::error::Error>;

fn config(integrations: &str) -> String {
    format!(
        r##"{{"theme": "svc", "name": "Acme", "colors": {{"primary": "#0a7d4f"}}, "navigation": {{"pages": ["index", "more"]}}, "integrations": {integrations}}}"##
    )
}

fn site(integrations: &str, options: SiteOptions, scripts: bool) -> Result<Site, BoxError> {
    let config = config(integrations);
    let mut files = vec![
        ("docs.json", &*config),
        ("index.mdx", "---\ntitle: Home\n---\n\nText.\n"),
        ("more.mdx", "---\ntitle: More\n---\n\nText.\n"),
    ];
    if scripts {
        files.push(("own.js", "document.documentElement.dataset.own = 'yes';"));
    }
    let load = LoadOptions::from(options);
    Ok(svc_site::assemble(SourceTree::from_files(files), &load)?.value)
}

fn loading() -> SiteOptions {
    SiteOptions {
        integrations: true,
        ..SiteOptions::default()
    }
}

fn serve(integrations: &str, scripts: bool) -> Result<RunningServer, BoxError> {
    let site = site(integrations, loading(), scripts)?;
    let loaded = LoadedSite {
        site: site.into(),
        diagnostics: Vec::new(),
    };
    Ok(server::serve(loaded.site)?)
}

/// Waits until the page requested exactly these URLs, in any order.
fn requested(browser: &mut Browser, expected: &[&str]) -> TestResult {
    let start = Instant::now();
    loop {
        browser.evaluate("0")?;
        if expected
            .iter()
            .all(|url| browser.foreign.iter().any(|foreign| foreign == url))
        {
            break;
        }
        if start.elapsed() > Duration::from_secs(10) {
            return Err(format!("{expected:?}, but {:?}", browser.foreign).into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // Nothing else follows.
    browser.evaluate("new Promise((done) => setTimeout(done, 50))")?;
    assert_eq!(
        browser.foreign.len(),
        expected.len(),
        "{:?}",
        browser.foreign
    );
    assert_eq!(browser.complaints, [""; 0]);
    Ok(())
}

const DIALOG_IS_OPEN: &str = "!document.querySelector('.svc-consent').hidden";
const SCRIPT_RAN: &str = "document.readyState === 'complete' && document.querySelector('[data-svc-privacy]').hidden === false";

#[test]
fn each_service_runs_after_consent_and_not_before() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.screen(1280, 800, "light")?;
    browser.fulfill_requests(vendor_script)?;
    // A page may still load its icon when the next one is opened.
    let mut servers = Vec::new();
    for Case {
        name,
        settings,
        script,
        sent,
        ..
    } in CASES
    {
        let server = serve(
            &format!(r#"{{"{name}": {settings}, "cookies": {{}}}}"#),
            false,
        )?;
        let mut run = || {
            browser.open(&server.url("/"))?;
            browser.wait(DIALOG_IS_OPEN)?;
            requested(&mut browser, &[])?;
            browser.evaluate("document.querySelector('[data-svc-choice=accept]').click()")?;
            requested(&mut browser, &[script, sent])?;
            browser.open(&server.url("/more"))?;
            requested(&mut browser, &[script, sent])
        };
        run().map_err(|error: BoxError| format!("{name}: {error}"))?;
        servers.push(server);
    }
    Ok(())
}

#[test]
fn services_run_together_and_with_scripts_of_the_repository() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.screen(1280, 800, "light")?;
    browser.fulfill_requests(vendor_script)?;
    let all = CASES.iter();
    let settings = all.map(|case| format!("\"{}\": {}", case.name, case.settings));
    let all = format!("{{{}}}", settings.collect::<Vec<_>>().join(", "));
    let mut servers = Vec::new();
    for scripts in [false, true] {
        let server = serve(&all, scripts)?;
        browser.open(&server.url("/"))?;
        let mut expected = Vec::new();
        for Case {
            name, script, sent, ..
        } in CASES
        {
            expected.push(*script);
            // Both tools of Google share a list of events, which their stand-ins read by position.
            if !["ga4", "gtm"].contains(name) {
                expected.push(sent);
            }
        }
        let start = Instant::now();
        while !expected
            .iter()
            .all(|url| browser.foreign.iter().any(|foreign| foreign == url))
        {
            browser.evaluate("0")?;
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "{:?}",
                browser.foreign
            );
        }
        assert_eq!(browser.complaints, [""; 0]);
        servers.push(server);
    }
    // A host that no service names is blocked.
    let server = serve(&all, false)?;
    browser.open(&server.url("/"))?;
    browser.evaluate("new Promise((done) => { addEventListener('securitypolicyviolation', done, { once: true }); const s = document.createElement('script'); s.src = 'https://evil.test/x.js'; document.head.append(s); }).then(() => 0)")?;
    assert!(!browser.foreign.iter().any(|url| url.contains("evil.test")));
    Ok(())
}

#[test]
fn a_service_that_manages_consent_decides_for_the_others() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.screen(1280, 800, "light")?;
    browser.fulfill_requests(vendor_script)?;
    let other = CASES
        .iter()
        .find(|case| case.name == "fathom")
        .ok_or("fathom")?;
    let mut servers = Vec::new();
    for manager in MANAGERS {
        let server = serve(
            &format!(
                r#"{{"{}": {}, "fathom": {}}}"#,
                manager.name, manager.settings, other.settings
            ),
            false,
        )?;
        browser.open(&server.url("/"))?;
        requested(&mut browser, &[manager.script, manager.sent])?;
        browser.evaluate("document.querySelector('[data-svc-privacy]').click()")?;
        assert_eq!(
            browser.evaluate("document.body.dataset.opened")?,
            json!("1")
        );
        browser.evaluate("choose(true)")?;
        let all = [manager.script, manager.sent, other.script, other.sent];
        requested(&mut browser, &all)?;
        // Without consent only a new page is without the scripts.
        browser.foreign.clear();
        browser.evaluate("window.old = 1; choose(false)")?;
        browser.wait("!window.old && document.readyState === 'complete'")?;
        requested(&mut browser, &[manager.script, manager.sent])?;
        servers.push(server);
    }
    Ok(())
}

#[test]
fn a_choice_is_remembered_and_can_be_changed_with_the_keyboard() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.screen(390, 844, "dark")?;
    browser.fulfill_requests(vendor_script)?;
    let server = serve(
        r#"{"fathom": {"siteId": "ABC4"}, "cookies": {"key": "consent", "value": "yes"}}"#,
        false,
    )?;
    let sent = [
        "https://cdn.usefathom.com/script.js",
        "https://cdn.usefathom.com/?sid=ABC4",
    ];
    browser.open(&server.url("/"))?;
    browser.wait(DIALOG_IS_OPEN)?;
    assert_eq!(
        browser.evaluate("document.querySelector('.svc-consent').getBoundingClientRect().width <= innerWidth - 16")?,
        json!(true)
    );
    // The link that skips the frame, then the dialog.
    for _ in 0..2 {
        browser.press("Tab")?;
    }
    browser.wait("document.activeElement.dataset.svcChoice === 'decline'")?;
    browser.press("Enter")?;
    browser.wait(&format!("!({DIALOG_IS_OPEN})"))?;
    browser.open(&server.url("/more"))?;
    browser.wait(SCRIPT_RAN)?;
    assert_eq!(browser.evaluate(DIALOG_IS_OPEN)?, json!(false));
    requested(&mut browser, &[])?;

    browser.evaluate("document.querySelector('[data-svc-privacy]').focus()")?;
    browser.press("Enter")?;
    browser.wait("document.activeElement.dataset.svcChoice === 'decline'")?;
    browser.press("Escape")?;
    browser.wait("document.activeElement.matches('[data-svc-privacy]')")?;
    browser.press("Enter")?;
    browser.press("Tab")?;
    browser.press("Enter")?;
    requested(&mut browser, &sent)?;
    assert_eq!(
        browser.evaluate("localStorage.getItem('consent')")?,
        json!("yes")
    );

    browser.evaluate("window.old = 1; document.querySelector('[data-svc-privacy]').click()")?;
    browser.foreign.clear();
    browser.press("Enter")?;
    browser.wait("!window.old && document.readyState === 'complete'")?;
    browser.wait(SCRIPT_RAN)?;
    requested(&mut browser, &[])?;
    assert_eq!(
        browser.evaluate("localStorage.getItem('consent')")?,
        json!(null)
    );
    Ok(())
}

#[test]
fn a_dialog_of_the_site_can_set_the_entry() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    browser.fulfill_requests(vendor_script)?;
    let integrations = r#"{"fathom": {"siteId": "ABC4"}, "cookies": {"key": "k", "value": "v"}}"#;
    let server = serve(integrations, false)?;
    let sent = [
        "https://cdn.usefathom.com/script.js",
        "https://cdn.usefathom.com/?sid=ABC4",
    ];
    browser.open(&server.url("/"))?;
    browser.wait(DIALOG_IS_OPEN)?;
    browser.evaluate("localStorage.setItem('k', 'v')")?;
    browser.wait(&format!("!({DIALOG_IS_OPEN})"))?;
    requested(&mut browser, &sent)?;
    browser.evaluate("localStorage.setItem('k', 'no')")?;
    browser.open(&server.url("/"))?;
    browser.wait(SCRIPT_RAN)?;
    assert_eq!(browser.evaluate(DIALOG_IS_OPEN)?, json!(false));
    requested(&mut browser, &[])?;
    Ok(())
}

#[test]
fn only_pages_of_the_site_load_services() -> TestResult {
    const BLOCK: &str = "data-svc-integrations";
    let server = serve(r#"{"fathom": {"siteId": "ABC4"}}"#, false)?;
    let mut client = Client::connect(server.addr)?;
    let policy = |response: &svc_tests::http::Response| {
        let policy = response.header("content-security-policy");
        policy.unwrap_or_default().to_owned()
    };
    let page = client.get("/", &[("accept", "text/html")])?;
    assert!(page.text().contains(BLOCK));
    assert!(policy(&page).contains("script-src 'self' https://cdn.usefathom.com;"));
    // Prerendering would count pages that nobody sees.
    assert_eq!(page.header("speculation-rules"), None);
    for path in ["/missing", "/search?q=text", "/mcp", "/_svc/mcp"] {
        let page = client.get(path, &[("accept", "text/html")])?;
        assert!(page.text().contains("<html"), "{path}");
        assert!(!page.text().contains(BLOCK), "{path}");
        assert!(!policy(&page).contains("usefathom"), "{path}");
    }
    let sources = server.site.service_sources();
    let scripts = sources
        .iter()
        .filter(|source| source.directive == Directive::Scripts);
    assert_eq!(scripts.count(), 1);
    Ok(())
}

#[test]
fn exports_load_services_with_their_policy() -> TestResult {
    for (integrations, has_services) in [
        (r#"{"fathom": {"siteId": "ABC4"}, "cookies": {}}"#, true),
        ("{}", false),
    ] {
        let options = SiteOptions {
            export: true,
            ..loading()
        };
        let out = tempfile::tempdir()?;
        let site = site(integrations, options, false)?;
        let report = svc_site::export(&site, out.path(), &ExportOptions::default())?;
        let page = std::fs::read_to_string(out.path().join("index.html"))?;
        let missing = std::fs::read_to_string(out.path().join("404.html"))?;
        let has = |name: &str| {
            let mut files = report.manifest.iter();
            files.any(|file| file.path.contains(name))
        };
        assert_eq!(
            page.contains("script-src 'self' https://cdn.usefathom.com;"),
            has_services
        );
        assert_eq!(page.contains("data-svc-integrations"), has_services);
        assert_eq!(has("/integrations."), has_services);
        assert_eq!(has("/consent."), has_services);
        assert!(!missing.contains("usefathom"));
    }
    Ok(())
}

/// The hosts in a text between backticks.
fn hosts(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_guide_lists_the_hosts_of_every_service() -> TestResult {
    let guide = std::fs::read_to_string(svc_tests::sites::docs().join("guides/analytics.mdx"))?;
    for case in CASES.iter().chain(MANAGERS) {
        let mut settings: serde_json::Value = serde_json::from_str(case.settings)?;
        for own in ["apiHost", "server", "cdnUrl", "region"] {
            settings
                .as_object_mut()
                .map(|settings| settings.remove(own));
        }
        let integrations = format!("{{\"{}\": {settings}}}", case.name);
        let file = SourceFile::new("docs.json", config(&integrations));
        let config = svc_config::parse(&file, &|_| None)
            .value
            .ok_or("a configuration")?;
        let reports = svc_render::report_integrations(&config, &loading());
        let (_, expected) = reports[0]
            .message
            .split_once("browsers send data to ")
            .ok_or("a list of hosts")?;
        let expected: Vec<&str> = expected
            .split(", ")
            .filter(|host| *host != "tags.test")
            .collect();
        let row = guide
            .lines()
            .find(|line| line.contains(&format!("| `{}` |", case.name)));
        let cells: Vec<&str> = row.ok_or(case.name)?.split(" | ").collect();
        let listed = hosts(cells.last().ok_or("a cell")?);
        let listed: Vec<&str> = listed
            .into_iter()
            .filter(|host| *host != "launchUrl")
            .collect();
        assert_eq!(listed, expected, "{}", case.name);
    }
    Ok(())
}
