//! `svc check-links`, and the formats of diagnostics.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::program::{err, out, svc};

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "redirects": [{"source": "/old", "destination": "/nowhere"}],
  "navigation": {"pages": ["index", "start", "missing"]}}"##;

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn site(index: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "docs.json", CONFIG);
    write(
        dir.path(),
        "index.mdx",
        &format!("---\ntitle: Home\n---\n\n{index}\n"),
    );
    write(
        dir.path(),
        "start.mdx",
        "---\ntitle: Start\n---\n\n## First\n\nText.\n",
    );
    dir
}

/// Codes and lines of the reported problems.
fn codes(output: &std::process::Output) -> Vec<(String, u64)> {
    let value: Value =
        serde_json::from_str(&out(output)).unwrap_or_else(|_| panic!("{}", err(output)));
    let all = value["diagnostics"].as_array().unwrap().iter();
    all.map(|one| {
        let code = one["code"].as_str().unwrap().to_owned();
        (code, one["line"].as_u64().unwrap_or_default())
    })
    .collect()
}

#[test]
fn every_kind_of_broken_link_is_found_and_nothing_else() {
    let dir = site(
        "[a](/nothing) [b](/start#none) [c](/start#first) [d](./start) ![e](/no.png)\n\n<Card title=\"f\" href=\"/gone\" />\n\n<Unknown />",
    );
    let output = svc(&["check-links", "--format", "json"], dir.path());
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    let mut found = codes(&output);
    found.sort();
    let found: Vec<(&str, u64)> = found.iter().map(|(code, line)| (&**code, *line)).collect();
    let expected = [
        ("link-broken", 5),
        ("link-broken", 5),
        ("link-broken", 7),
        ("link-fragment", 5),
        ("nav-missing-page", 3),
        ("redirect-broken", 2),
    ];
    assert_eq!(found, expected);
    // The name and the flags of Mintlify.
    let flags = [
        "broken-links",
        "--check-anchors",
        "--check-redirects",
        "--check-snippets",
    ];
    assert_eq!(svc(&flags, dir.path()).status.code(), Some(1));

    let dir = site("[c](/start#first)");
    write(
        dir.path(),
        "docs.json",
        &CONFIG
            .replace("/nowhere", "/start")
            .replace(", \"missing\"", ""),
    );
    let output = svc(&["check-links"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert_eq!(out(&output), "2 pages: no problems\n");
}

/// A site that answers like the sites that links lead to. Returns its address and its requests.
fn other_site() -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    let requests: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&requests);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            let line = first.trim_end_matches(" HTTP/1.1").to_owned();
            let head = match line.split_once(' ').unwrap() {
                (_, "/ok" | "/moved-here") | ("GET", "/no-head" | "/head-404") => "200 OK",
                (_, "/moved") => "301 Moved\r\nLocation: /moved-here",
                (_, "/for-now") => "302 Found\r\nLocation: /ok",
                (_, "/loop") => "302 Found\r\nLocation: /loop",
                (_, "/no-head") => "405 Method Not Allowed",
                (_, "/busy") => "503 Busy\r\nRetry-After: 0",
                _ => "404 Not Found",
            };
            seen.lock().unwrap().push(line);
            let response =
                format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(response.as_bytes());
        }
    });
    (addr, requests)
}

#[test]
fn links_to_other_sites_are_requested_once_and_remembered() {
    let (addr, requests) = other_site();
    let paths = [
        "ok", "ok#part", "moved", "for-now", "no-head", "head-404", "gone", "busy", "loop",
    ];
    let links: Vec<String> = paths
        .iter()
        .map(|path| format!("[{path}](http://{addr}/{path})\n\n"))
        .collect();
    let dir = site(&format!(
        "{}[x](https://docs.example.com/a)",
        links.concat()
    ));
    write(
        dir.path(),
        "docs.json",
        &CONFIG
            .replace("/nowhere", "/start")
            .replace(", \"missing\"", ""),
    );
    let allow = "127.0.0.1".to_owned();
    let arguments = [
        "check-links",
        "--external",
        "--allow",
        &allow,
        "--format",
        "json",
    ];
    let state = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_svc"));
        command.args(arguments).current_dir(dir.path());
        command
            .env("XDG_STATE_HOME", state.path())
            .output()
            .unwrap()
    };
    let output = run();
    let found = codes(&output);
    let found: Vec<(&str, u64)> = found.iter().map(|(code, line)| (&**code, *line)).collect();
    let expected = [
        ("link-external-moved", 9),
        ("link-external-broken", 17),
        ("link-external-unchecked", 19),
        ("link-external-broken", 21),
    ];
    assert_eq!(found, expected, "{}", out(&output));
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains(&format!("link to `http://{addr}/moved-here`")));
    let count = |path: &str| {
        let requests = requests.lock().unwrap();
        let matching = requests.iter().filter(|line| line.ends_with(path));
        matching.count()
    };
    // One for the link, one for the redirect to it.
    assert_eq!((count(" /ok"), count(" /gone")), (2, 2));
    run();
    assert_eq!(
        (count(" /ok"), count(" /gone")),
        (2, 4),
        "those that were found are not requested again"
    );
    // Hosts that are not public are only requested if they are named.
    let output = svc(
        &["check-links", "--external", "--format", "json"],
        dir.path(),
    );
    assert!(
        codes(&output)
            .iter()
            .all(|(code, _)| code == "link-external-unchecked"),
        "{}",
        out(&output)
    );
}

#[test]
fn problems_are_printed_as_sarif_and_as_annotations() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "docs/docs.json",
        &CONFIG.replace(", \"missing\"", ""),
    );
    write(
        dir.path(),
        "docs/index.mdx",
        "---\ntitle: A\n---\n\nSee [it](/nothing).\n",
    );
    write(
        dir.path(),
        "docs/start.mdx",
        "---\ntitle: B\n---\n\nText.\n",
    );
    let output = svc(&["validate", "docs", "--format", "github"], dir.path());
    let text = out(&output);
    assert!(
        text.contains("::warning file=docs/index.mdx,line=5,endLine=5,col=5,endColumn=19,title=svc link-broken::there is no page"),
        "{text}"
    );
    let output = svc(&["validate", "docs", "--format", "sarif"], dir.path());
    let log: Value = serde_json::from_str(&out(&output)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{log:#}");
    let mut places = results
        .iter()
        .map(|result| &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    assert!(places.any(|uri| uri == "docs/index.mdx"), "{log:#}");
}
