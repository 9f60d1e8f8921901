//! Live preview: saved files are served at once, open pages update in place, and errors are shown.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use svc_tests::browser::Browser;
use svc_tests::http::Client;
use svc_tests::preview;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// A previewed directory.
struct PreviewFixture {
    root: PathBuf,
    addr: SocketAddr,
    running: preview::Preview,
    _dir: tempfile::TempDir,
}

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "long"]}]}}"##;

fn long(content: &str) -> String {
    let mut text = "---\ntitle: Long\n---\n\n".to_owned();
    for at in 0..60 {
        text.push_str(&format!(
            "## Section {at}\n\nA paragraph of section {at}. [Home](/)\n\n"
        ));
        if at == 20 {
            text.push_str("<Accordion title=\"More\">\n\nInside.\n\n</Accordion>\n\n");
            text.push_str("<Tabs>\n<Tab title=\"One\">\n\nFirst.\n\n</Tab>\n<Tab title=\"Two\">\n\nSecond.\n\n</Tab>\n</Tabs>\n\n");
        }
        if at == 30 {
            text.push_str(content);
            text.push_str("\n\n");
        }
    }
    text
}

fn start() -> Result<PreviewFixture, Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let root = dir.path().to_owned();
    fs::write(root.join("docs.json"), CONFIG)?;
    fs::write(
        root.join("index.mdx"),
        "---\ntitle: Home\n---\n\nWelcome.\n",
    )?;
    fs::write(root.join("long.mdx"), long("Before."))?;
    fs::write(root.join("style.css"), ":root { --mine: first }\n")?;
    let running = preview::start(&root)?;
    Ok(PreviewFixture {
        addr: running.addr,
        root,
        running,
        _dir: dir,
    })
}

impl PreviewFixture {
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    fn save(&self, name: &str, text: &str) -> std::io::Result<()> {
        fs::write(self.root.join(name), text)
    }

    fn get(&self, path: &str) -> std::io::Result<String> {
        let response = Client::connect(self.addr)?.get(path, &[])?;
        Ok(String::from_utf8_lossy(&response.body).into_owned())
    }
}

/// Repeats `query` until its result satisfies `fits`; fails with the last result after a timeout.
fn wait<T: std::fmt::Debug>(
    name: &str,
    mut query: impl FnMut() -> Result<T, Box<dyn std::error::Error>>,
    fits: impl Fn(&T) -> bool,
) -> Result<T, Box<dyn std::error::Error>> {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let value = query()?;
        if fits(&value) {
            return Ok(value);
        }
        if Instant::now() > end {
            return Err(format!("{name}: {value:?}").into());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn saved_files_are_served() -> TestResult {
    let preview = start()?;
    assert!(preview.get("/long")?.contains("Before."));
    preview.save("long.mdx", &long("After."))?;
    wait(
        "the page",
        || Ok(preview.get("/long")?),
        |page| page.contains("After."),
    )?;
    preview.save("new.mdx", "---\ntitle: New\n---\n\nCame.\n")?;
    wait(
        "a new page",
        || Ok(preview.get("/new")?),
        |page| page.contains("Came."),
    )?;
    fs::remove_file(preview.root.join("new.mdx"))?;
    wait(
        "no page",
        || Ok(preview.get("/new")?),
        |page| !page.contains("Came."),
    )?;
    // An incomplete configuration leaves the previous one in effect; other changes are applied with
    // the next valid one.
    preview.save("docs.json", "{\"name\": ")?;
    preview.save("long.mdx", &long("Meanwhile."))?;
    let problems = || Ok(preview.get("/_svc/dev/problems?path=/long")?);
    let json = wait("the problem", problems, |json| {
        json.contains("\"held\":true")
    })?;
    assert!(json.contains("\"file\":\"docs.json\""), "{json}");
    assert!(!preview.get("/long")?.contains("Meanwhile."));
    preview.save("docs.json", CONFIG)?;
    wait(
        "the page",
        || Ok(preview.get("/long")?),
        |page| page.contains("Meanwhile."),
    )?;
    let json = wait("no problem", problems, |json| {
        json.contains("\"held\":false")
    })?;
    assert!(json.contains("\"problems\":[]"), "{json}");
    Ok(())
}

/// Commits everything in a directory with a date.
fn commit(root: &Path, day: &str) -> TestResult {
    let date = format!("{day}T12:00:00Z");
    for arguments in [
        &["init", "-q", "-b", "main"][..],
        &["add", "."],
        &["commit", "-q", "-m", "A change"],
    ] {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(["-c", "user.name=Ada", "-c", "user.email=a@b.c"])
            .args(arguments)
            .envs([("GIT_COMMITTER_DATE", &date), ("GIT_AUTHOR_DATE", &date)])
            .output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {stderr}");
    }
    Ok(())
}

#[test]
fn modification_dates_follow_a_commit() -> TestResult {
    if !svc_test_support::git::has_git() {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let root = dir.path().to_owned();
    let config = CONFIG.replacen('{', "{\"metadata\": {\"timestamp\": true}, ", 1);
    fs::write(root.join("docs.json"), config)?;
    fs::write(root.join("index.mdx"), "---\ntitle: Home\n---\n\nOne.\n")?;
    fs::write(root.join("long.mdx"), "---\ntitle: Long\n---\n\nOne.\n")?;
    commit(&root, "2024-01-01")?;
    let running = preview::start(&root)?;
    let preview = PreviewFixture {
        addr: running.addr,
        root,
        running,
        _dir: dir,
    };
    let (old, new) = ("datetime=\"2024-01-01\"", "datetime=\"2025-02-03\"");
    for path in ["/", "/long"] {
        assert!(preview.get(path)?.contains(old), "{path}");
    }
    preview.save("long.mdx", "---\ntitle: Long\n---\n\nTwo.\n")?;
    let page = wait(
        "the page",
        || Ok(preview.get("/long")?),
        |page| page.contains("Two."),
    )?;
    assert!(page.contains(old), "what is not committed has no day yet");
    let options = svc_site::LoadOptions::default();
    let before = svc_site::load(&preview.root, &options)?.value;
    commit(&preview.root, "2025-02-03")?;
    // A reload that reuses an earlier site requests the dates of the commit too.
    let after = svc_site::load_incremental(&before, &preview.root, &options)?.value;
    for (site, day) in [(&before, old), (&after, new)] {
        let page = site.page("/long").ok_or("no page")?;
        assert!(String::from_utf8_lossy(&page.html.bytes).contains(day));
    }
    wait(
        "the new day",
        || Ok(preview.get("/long")?),
        |page| page.contains(new),
    )?;
    assert!(preview.get("/")?.contains(old));
    let map = preview.get("/sitemap.xml")?;
    for (path, day) in [("/", "2024-01-01"), ("/long", "2025-02-03")] {
        let expected = format!("{path}</loc><lastmod>{day}</lastmod>");
        assert!(map.contains(&expected), "{map}");
    }
    Ok(())
}

#[test]
fn events_are_streamed_until_the_server_ends() -> TestResult {
    let preview = start()?;
    let mut stream = TcpStream::connect(preview.addr)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(
        stream,
        "GET /_svc/dev/events HTTP/1.1\r\nhost: {}\r\n\r\n",
        preview.addr
    )?;
    let mut text = String::new();
    let read_until = |stream: &mut TcpStream, text: &mut String, expected: &str| -> TestResult {
        let mut buffer = [0; 4096];
        while !text.contains(expected) {
            let count = stream.read(&mut buffer)?;
            if count == 0 {
                return Err(format!("ended before {expected}: {text}").into());
            }
            text.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
        Ok(())
    };
    read_until(&mut stream, &mut text, ".0\"")?;
    assert!(text.contains("content-type: text/event-stream"), "{text}");
    preview.save("long.mdx", &long("Again."))?;
    read_until(&mut stream, &mut text, ".1\"")?;
    assert!(text.contains("\"changed\":[\"long.mdx\"]"), "{text}");
    let begun = Instant::now();
    drop(preview.running);
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "the open connection held the server"
    );
    Ok(())
}

#[test]
fn only_a_preview_has_the_endpoints_of_the_preview() -> TestResult {
    let dir = tempfile::tempdir()?;
    fs::write(dir.path().join("docs.json"), CONFIG)?;
    fs::write(dir.path().join("index.mdx"), "Welcome.\n")?;
    fs::write(dir.path().join("long.mdx"), "Long.\n")?;
    let running = svc_tests::server::start(dir.path())?;
    let mut client = Client::connect(running.addr)?;
    assert!(!String::from_utf8_lossy(&client.get("/", &[])?.body).contains("/_svc/dev/"));
    for name in ["events", "client.js", "problems"] {
        let response = client.get(&format!("/_svc/dev/{name}"), &[])?;
        assert_eq!(response.status, 404, "{name}");
    }
    let out = tempfile::tempdir()?;
    svc_tests::loaded_site::LoadedSite::load(dir.path())?.export(out.path())?;
    assert!(!Path::new(out.path()).join("_svc/dev").exists());
    Ok(())
}

fn browser() -> Option<Browser> {
    Browser::or_skip().expect("the browser starts")
}

/// A reader has scrolled, opened parts of the page and focused a link.
const READ_PAGE: &str = "window.mine = 1;
    document.querySelector('main details').open = true;
    document.querySelector('.svc-panels-radio[value=\"Two\"]').click();
    document.getElementById('section-29').scrollIntoView({behavior: 'instant'});
    document.querySelector('#section-31 ~ p a').focus({preventScroll: true}); 0";
const READER_STATE: &str = "JSON.stringify([document.querySelector('main details')?.open,
    document.querySelector('.svc-panels-radio[value=\"Two\"]')?.checked, document.activeElement?.textContent,
    Math.round(document.getElementById('section-31')?.getBoundingClientRect().top / 4)])";

#[test]
fn an_open_page_updates_and_retains_its_state() -> TestResult {
    let Some(mut browser) = browser() else {
        return Ok(());
    };
    let preview = start()?;
    browser.screen(1440, 900, "light")?;
    browser.open(&preview.url("/long"))?;
    browser.evaluate(READ_PAGE)?;
    let before = browser.evaluate(READER_STATE)?;
    let mut follow = |content: &str, gone: &str| -> TestResult {
        preview.save("long.mdx", &long(content))?;
        let text = || {
            Ok(browser
                .evaluate("document.querySelector('main')?.textContent ?? ''")?
                .to_string())
        };
        wait("the page", text, |text| {
            text.contains(content.trim_start_matches('*')) && !text.contains(gone)
        })?;
        Ok(())
    };
    follow("After.", "Before.")?;
    assert_eq!(
        browser.evaluate(READER_STATE)?,
        before,
        "only the text changed"
    );
    // The navigation and the table of contents are updated too.
    preview.save("index.mdx", "---\ntitle: Beginning\n---\n\nWelcome.\n")?;
    let sidebar = || {
        Ok(browser
            .evaluate("document.querySelector('.svc-sidebar').textContent")?
            .to_string())
    };
    wait("the sidebar", sidebar, |text| text.contains("Beginning"))?;
    assert_eq!(browser.evaluate(READER_STATE)?, before);
    preview.save("long.mdx", &long("## Another\n\nText."))?;
    let contents = || {
        Ok(browser
            .evaluate("document.querySelector('.svc-shell').textContent")?
            .to_string())
    };
    wait("the contents", contents, |text| {
        text.matches("Another").count() > 1
    })?;
    // Styles of the site are replaced without a reload.
    preview.save("style.css", ":root { --mine: second }\n")?;
    let mine = "getComputedStyle(document.documentElement).getPropertyValue('--mine')";
    let style = || browser.evaluate(mine);
    wait("the style", style, |style| style == "second")?;
    assert_eq!(
        browser.evaluate("window.mine")?,
        1,
        "the page was not reloaded"
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

const PANEL: &str =
    "document.querySelector('svc-preview')?.shadowRoot.querySelector('.panel')?.textContent ?? ''";

#[test]
fn an_overlay_shows_problems_until_they_are_fixed() -> TestResult {
    let Some(mut browser) = browser() else {
        return Ok(());
    };
    let preview = start()?;
    browser.screen(390, 844, "dark")?;
    browser.open(&preview.url("/long"))?;
    browser.evaluate("document.querySelector('main a').focus(); 0")?;
    let mut panel = |name: &str, fits: &dyn Fn(&str) -> bool| {
        let text = || {
            Ok(browser
                .evaluate(PANEL)?
                .as_str()
                .unwrap_or_default()
                .to_owned())
        };
        wait(name, text, |text| fits(text))
    };
    preview.save("docs.json", "{\n  \"name\": \n}\n")?;
    let text = panel("the overlay", &|text| text.contains("docs.json:"))?;
    assert!(
        text.contains("as it was before") && text.contains("\"name\":"),
        "{text}"
    );
    preview.save("docs.json", CONFIG)?;
    panel("no overlay", &str::is_empty)?;
    preview.save(
        "long.mdx",
        "---\ntitle: Long\n---\n\nimport X from \"/gone.mdx\"\n\n[a](/)\n",
    )?;
    let text = panel("the overlay", &|text| text.contains("long.mdx:5"))?;
    let link = browser.evaluate(
        "document.querySelector('svc-preview').shadowRoot.querySelector('.place a').href",
    )?;
    let link = link.as_str().unwrap_or_default();
    assert!(link.starts_with("vscode://file/docs/long.mdx:5:"), "{link}");
    let hint = "did you mean /long.mdx?";
    assert!(
        text.contains("import-missing") && text.contains(hint),
        "{text}"
    );
    // The explanation is folded, and stays open once the writer has opened it.
    const ABOUT: &str = "document.querySelector('svc-preview').shadowRoot.querySelector('details')";
    let summary = browser.evaluate(&format!("{ABOUT}.firstChild.textContent"))?;
    assert_eq!(summary, "About import-missing");
    assert_eq!(browser.evaluate(&format!("{ABOUT}.open"))?, false);
    let files = browser.evaluate(&format!("{ABOUT}.querySelectorAll('pre').length"))?;
    assert!(files.as_u64().is_some_and(|files| files >= 4), "{files}");
    assert_eq!(
        browser.evaluate("document.activeElement.closest('main, body').tagName")?,
        "BODY"
    );
    browser.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'})); 0")?;
    assert_eq!(browser.evaluate(PANEL)?, "");
    // The same problem stays dismissed, another one is shown.
    preview.save(
        "long.mdx",
        "---\ntitle: Long\n---\n\nimport X from \"/gone.mdx\"\n\n[a](/) more\n",
    )?;
    let text = || {
        Ok(browser
            .evaluate("document.querySelector('main').textContent")?
            .to_string())
    };
    wait("the page", text, |text| text.contains("more"))?;
    assert_eq!(browser.evaluate(PANEL)?, "");
    preview.save(
        "long.mdx",
        "---\ntitle: Long\n---\n\nimport Y from \"/lost.mdx\"\n\n[a](/) more\n",
    )?;
    let text = || {
        Ok(browser
            .evaluate(PANEL)?
            .as_str()
            .unwrap_or_default()
            .to_owned())
    };
    wait("the other problem", text, |text| text.contains("/lost.mdx"))?;
    let overflow = browser
        .evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")?;
    assert_eq!(overflow, 0);
    Ok(())
}

#[test]
fn a_page_reconnects_to_a_restarted_server() -> TestResult {
    let Some(mut browser) = browser() else {
        return Ok(());
    };
    let mut first = start()?;
    browser.screen(1440, 900, "light")?;
    browser.open(&first.url("/long"))?;
    browser.evaluate(READ_PAGE)?;
    let before = browser.evaluate(READER_STATE)?;
    drop(first.running);
    let badge = "document.querySelector('svc-preview')?.shadowRoot.querySelector('.badge')?.textContent ?? ''";
    let text = || Ok(browser.evaluate(badge)?.to_string());
    wait("the badge", text, |text| text.contains("waits"))?;
    first.running = preview::start_at(&first.root, first.addr)?;
    // The page is reloaded, as the server may have another version, and keeps its position.
    let mine = || browser.evaluate("String(window.mine)");
    wait("the page", mine, |mine| mine == "undefined")?;
    let state = || browser.evaluate(READER_STATE);
    wait("the state", state, |state| *state == before)?;
    Ok(())
}
