//! The start page in the language of the reader, in a browser: of a server, and of an export.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use svc_site::{ExportOptions, LoadOptions, SiteOptions};
use svc_source::SourceTree;
use svc_tests::browser::Browser;
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const DOCS: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0f766e"}, "favicon": "/i.svg",
  "navigation": {"languages": [
    {"language": "en", "pages": ["index", "a"]},
    {"language": "pt-BR", "pages": ["pt/index", "pt/a"]},
    {"language": "cn", "pages": ["cn/index"]},
    {"language": "zh-Hant", "pages": ["tw/index"]}]}}"##;

fn load(options: SiteOptions) -> std::io::Result<svc_site::Site> {
    let icon = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>";
    let files = [
        ("docs.json", DOCS),
        ("i.svg", icon),
        ("index.mdx", "Hello."),
        ("a.mdx", "[Home](/)"),
        ("pt/index.mdx", "Olá."),
        ("pt/a.mdx", "Um A."),
        ("cn/index.mdx", "你好。"),
        ("tw/index.mdx", "你好。"),
    ];
    let tree = SourceTree::from_files(files);
    Ok(svc_site::assemble(tree, &LoadOptions::from(options))?.value)
}

/// Sets the languages of the browser.
fn prefer(browser: &mut Browser, languages: &str) -> TestResult {
    let version = browser.call("Browser.getVersion", json!({}))?;
    let agent = &version["userAgent"];
    let params = json!({ "userAgent": agent, "acceptLanguage": languages });
    browser.call("Network.setUserAgentOverride", params)?;
    Ok(())
}

/// Selects the language with a code in the menu, and waits for its page.
fn select(browser: &mut Browser, code: &str) -> TestResult {
    let click = format!("document.querySelector('[data-svc-language=\"{code}\"] a').click()");
    browser.evaluate(&click)?;
    Ok(())
}

/// What a reader sees at the start page of `home`, which ends with a slash.
fn follows_the_reader(browser: &mut Browser, home: &str) -> TestResult {
    let opens = |browser: &mut Browser, language: &str| {
        browser.open(home)?;
        let is_there = format!(
            "document.readyState === 'complete' && document.documentElement.lang === '{language}'"
        );
        browser.wait(&is_there)
    };
    for (languages, expected) in [
        ("de-DE,de,en-US", "en"),
        ("pt-PT,pt,en", "pt-BR"),
        ("zh-TW,zh", "zh-Hant"),
        ("zh-CN,zh", "zh"),
    ] {
        prefer(browser, languages)?;
        opens(browser, expected)?;
    }
    prefer(browser, "pt-BR,en")?;
    opens(browser, "pt-BR")?;
    select(browser, "en")?;
    // The link of the menu leads to the page itself, and the choice is remembered.
    browser.wait(
        "document.documentElement.lang === 'en' && document.body.innerText.includes('Hello')",
    )?;
    opens(browser, "en")?;
    let cookie = browser.evaluate("document.cookie")?;
    assert_eq!(cookie, json!("svc_language=en"));
    select(browser, "zh-Hant")?;
    browser.wait(
        "document.readyState === 'complete' && document.documentElement.lang === 'zh-Hant'",
    )?;
    opens(browser, "zh-Hant")?;
    // No other page depends on it.
    browser.open(&format!("{home}a/"))?;
    browser.wait("document.documentElement.lang === 'en'")?;
    browser.evaluate("document.querySelector('.mdx-content a').click()")?;
    browser.wait(
        "document.documentElement.lang === 'en' && document.body.innerText.includes('Hello')",
    )?;
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    Ok(())
}

#[test]
fn a_server_opens_the_start_page_in_the_language_of_the_reader() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let site = load(SiteOptions::default())?;
    let server = server::serve(Arc::new(site))?;
    follows_the_reader(&mut browser, &server.url("/"))
}

#[test]
fn an_export_opens_the_start_page_in_the_language_of_the_reader() -> TestResult {
    for base_path in ["", "/docs", svc_site::RELATIVE_BASE] {
        let Some(mut browser) = Browser::or_skip()? else {
            return Ok(());
        };
        let site = load(SiteOptions {
            base_path: base_path.to_owned(),
            export: true,
            ..SiteOptions::default()
        })?;
        let out = tempfile::tempdir()?;
        let is_relative = base_path == svc_site::RELATIVE_BASE;
        let below = if is_relative { "/any/where" } else { base_path };
        let root = out.path().join(below.trim_start_matches('/'));
        svc_site::export(&site, &root, &ExportOptions::default())?;
        let home = format!("{}{below}/", serve_files(out.path())?);
        follows_the_reader(&mut browser, &home)?;
        if is_relative {
            prefer(&mut browser, "pt")?;
            browser.open(&format!("file://{}/index.html", root.display()))?;
            browser.wait("document.documentElement.lang === 'en'")?;
        }
    }
    Ok(())
}

/// Serves the files of a folder until the test ends; returns the origin.
fn serve_files(root: &Path) -> std::io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let origin = format!("http://{}", listener.local_addr()?);
    let root = root.to_owned();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let root = root.clone();
            std::thread::spawn(move || respond(&socket, &root));
        }
    });
    Ok(origin)
}

fn respond(mut socket: &TcpStream, root: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(socket).lines();
    let line = lines.next().transpose()?.unwrap_or_default();
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let path = line.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let mut file: PathBuf = root.join(path.trim_start_matches('/'));
    if file.is_dir() {
        file.push("index.html");
    }
    let kind = match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    // On a slow line the style sheet comes after the text, and the transition is still possible.
    if kind == "text/css" {
        std::thread::sleep(Duration::from_millis(50));
    }
    let (status, body) = match fs::read(&file) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes())?;
    socket.write_all(&body)
}
