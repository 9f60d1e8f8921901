//! `svc score` on the command line.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::Output;

use serde_json::Value;
use svc_test_support::ports::free_port;

use crate::program::svc;

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "description": "All about Acme",
  "colors": {"primary": "#0a7d4f"}, "seo": {"metatags": {}},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "start"]}]}}"##;

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("docs.json", CONFIG);
    write(
        "index.mdx",
        "---\ntitle: Home\n---\n\nWelcome to Acme. See [the start](/start) for more.\n",
    );
    write("start.mdx", "---\ntitle: Start\n---\n\n## First\n\nText.\n");
    dir
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The status of a check.
fn status<'a>(report: &'a Value, id: &str) -> &'a str {
    let categories = report["categories"].as_array().unwrap().iter();
    let mut checks = categories.flat_map(|category| category["checks"].as_array().unwrap());
    let check = checks.find(|check| check["id"] == id).unwrap();
    check["status"].as_str().unwrap()
}

#[test]
fn a_folder_is_served_and_scored() {
    let dir = site();
    let output = svc(&["score", ".", "--format", "json"], dir.path());
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    assert_eq!(report["pages"]["sampled"], 2, "{report:#}");
    assert_eq!(report["partial"], false);
    assert_eq!(report["failures"], 0, "{report:#}");
    for id in [
        "llms-txt-exists",
        "markdown-url-support",
        "content-negotiation",
        "http-status-codes",
    ] {
        assert_eq!(status(&report, id), "pass", "{id}: {report:#}");
    }
    // A second run has the same result.
    let again = svc(&["score", ".", "--format", "json"], dir.path());
    let mut again: Value = serde_json::from_slice(&again.stdout).unwrap();
    let times = |report: &mut Value| {
        for category in report["categories"].as_array_mut().unwrap() {
            let checks = category["checks"].as_array_mut().unwrap();
            checks.retain(|check| check["id"] != "response-times");
        }
    };
    let mut report = report;
    times(&mut report);
    times(&mut again);
    assert_eq!(report, again);
}

#[test]
fn text_has_a_line_for_each_check_and_the_score() {
    let dir = site();
    let output = svc(&["score"], dir.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("  pass     llms-txt-exists: "), "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("Score: ") && last.contains(" of 100 ("),
        "{text}"
    );
}

#[test]
fn a_site_that_is_made_for_browsers_only_fails() {
    let (url, _server) = serve_everywhere(
        "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>",
    );
    let dir = tempfile::tempdir().unwrap();
    let output = svc(&["score", &url, "--format", "json"], dir.path());
    let report = report(&output);
    assert_eq!(output.status.code(), Some(1), "{report:#}");
    for id in [
        "llms-txt-exists",
        "markdown-url-support",
        "content-negotiation",
        "rendering-strategy",
        "http-status-codes",
        "mcp-endpoint",
    ] {
        assert_eq!(status(&report, id), "failure", "{id}: {report:#}");
    }
    assert_eq!(status(&report, "llms-txt-size"), "skipped");
    // Only the score counts if it is given.
    let low = svc(&["score", &url, "--min-score", "1"], dir.path());
    assert_eq!(low.status.code(), Some(0));
    let high = svc(&["score", &url, "--min-score", "90"], dir.path());
    assert_eq!(high.status.code(), Some(1));
}

#[test]
fn an_unreachable_site_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:{}", free_port());
    let output = svc(&["score", &url], dir.path());
    assert_eq!(output.status.code(), Some(2));
    let missing = svc(&["score", "missing"], dir.path());
    assert_eq!(missing.status.code(), Some(2));
    let bad = svc(&["score", "--min-score", "101"], dir.path());
    assert_eq!(bad.status.code(), Some(2));
}

/// Serves an HTML page at every URL until the returned guard is dropped.
fn serve_everywhere(body: &'static str) -> (String, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { break };
            let Ok(read) = stream.try_clone() else { break };
            let mut reader = BufReader::new(read);
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
                line.clear();
            }
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n";
            // The client may have closed the connection.
            let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
        }
    });
    (url, thread)
}
