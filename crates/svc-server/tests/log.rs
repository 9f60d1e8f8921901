//! The log of the program `svc-server`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_test_support::program::{Program, url_in_line};

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;

/// A path and a query that must not be logged in full.
const HOSTILE: &str = "/a%0ab%1b%5b31m/svc_secret?token=hunter2";

/// A folder with a site.
fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("docs.json"), CONFIG).unwrap();
    fs::write(dir.path().join("index.mdx"), "Hello.").unwrap();
    dir
}

/// The settings of a server with one project.
fn settings(dir: &Path, log: &str) -> std::path::PathBuf {
    let file = dir.join("server.toml");
    let text = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[outbound]\noffline = true\n{log}[[projects]]\nid = \"docs\"\nhosts = [\"docs.example\"]\nsource.folder = \"site\"\n"
    );
    fs::write(&file, text).unwrap();
    fs::create_dir(dir.join("site")).unwrap();
    fs::write(dir.join("site/docs.json"), CONFIG).unwrap();
    fs::write(dir.join("site/index.mdx"), "Hello.").unwrap();
    file
}

/// Starts the program; its log is a file.
fn start(log: &Path, arguments: &[&str]) -> Program {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command.args(arguments);
    Program::start(command.stderr(Stdio::from(fs::File::create(log).unwrap())))
}

/// Status of the response to a request for a page.
fn get(addr: &str, host: &str, path: &str) -> u16 {
    let mut stream = TcpStream::connect(addr).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text[9..12].parse().unwrap()
}

/// The log as soon as it contains a text.
fn wait_for(log: &Path, text: &str) -> String {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let content = fs::read_to_string(log).unwrap();
        if content.contains(text) {
            return content;
        }
        assert!(Instant::now() < end, "{text} is not in {content}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn stop(program: Program) {
    assert_eq!(program.end("-TERM").0, Some(0));
}

#[test]
fn requests_are_logged_only_with_an_access_log_and_without_their_query() {
    let dir = site();
    let (path, log) = (dir.path().to_str().unwrap(), dir.path().join("log"));
    let arguments = [path, "--listen", "127.0.0.1:0", "--offline"];

    let mut program = start(&log, &arguments);
    assert_eq!(get(&program.url(), "localhost", "/"), 200);
    stop(program);
    assert_eq!(fs::read_to_string(&log).unwrap(), "");

    let mut program = start(&log, &[&arguments[..], &["--access-log"]].concat());
    let addr = program.url();
    assert_eq!(get(&addr, "localhost", "/"), 200);
    let response = get(&addr, "localhost", HOSTILE);
    assert!((400..500).contains(&response), "{response}");
    stop(program);
    let text = wait_for(&log, &format!("status={response}"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(
        lines[0].contains("  INFO response method=GET host=localhost path=/ status=200 duration_ms="),
        "{text}"
    );
    assert!(lines[1].contains("/a%0ab%1b%5b31m/…"), "{text}");
    for secret in ["hunter2", "svc_secret", "token"] {
        assert!(!text.contains(secret), "{text}");
    }
}

#[test]
fn json_lines_describe_deployments_and_requests() {
    let dir = tempfile::tempdir().unwrap();
    let file = settings(dir.path(), "[log]\nformat = \"json\"\naccess = true\n");
    let log = dir.path().join("log");
    let program = start(&log, &["--config", file.to_str().unwrap()]);
    let parsed = |text: &str| -> Vec<Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let message = |line: &Value| line["fields"]["message"].as_str().unwrap().to_owned();
    wait_for(&log, "live: 1 page");
    let text = wait_for(&log, "listens on");
    let lines = parsed(&text);
    let listens = lines
        .iter()
        .find(|line| message(line).contains("listens on"));
    let listens = message(listens.unwrap());
    assert!(listens.ends_with("(1 project at 1 host)"), "{listens}");
    let addr = url_in_line(&listens);
    let live = lines
        .iter()
        .find(|line| message(line).starts_with("live: 1 page"));
    let live = live.unwrap();
    assert_eq!(
        (&live["level"], &live["spans"][0]["name"]),
        (&"INFO".into(), &"deployment".into())
    );
    assert_eq!(live["spans"][0]["project"], "docs");
    assert_eq!(live["spans"][0]["target"], "live");
    assert!(live["spans"][0]["id"].is_string() && live["spans"][0]["revision"].is_string());

    let response = get(addr, "docs.example", HOSTILE);
    assert!((400..500).contains(&response), "{response}");
    assert_eq!(get(addr, "other.example", "/"), 421);
    stop(program);
    let text = wait_for(&log, "421");
    let lines = parsed(&text);
    let access: Vec<&Value> = lines
        .iter()
        .filter(|line| line["target"] == "svc_server::access")
        .collect();
    assert_eq!(access.len(), 2, "{text}");
    let fields = &access[0]["fields"];
    assert_eq!(
        (&fields["status"], &fields["method"]),
        (&response.into(), &"GET".into())
    );
    assert_eq!(fields["host"], "docs.example");
    assert_eq!(fields["project"], "docs");
    assert_eq!(fields["path"], "/a%0ab%1b%5b31m/…");
    assert!(fields["duration_ms"].is_number(), "{text}");
    assert_eq!(access[1]["fields"].get("project"), None);
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn the_level_error_is_silent_on_success() {
    let dir = tempfile::tempdir().unwrap();
    let file = settings(dir.path(), "[log]\nlevel = \"error\"\n");
    let log = dir.path().join("log");
    let program = start(&log, &["--config", file.to_str().unwrap()]);
    let journal = dir.path().join("data/deployments.journal");
    let end = Instant::now() + Duration::from_secs(60);
    while !fs::read_to_string(&journal).is_ok_and(|text| text.contains("\"state\":\"live\"")) {
        assert!(
            Instant::now() < end,
            "{}",
            fs::read_to_string(&log).unwrap()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let (status, output) = program.end("-TERM");
    assert_eq!((status, &*output), (Some(0), ""));
    assert_eq!(fs::read_to_string(&log).unwrap(), "");
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_cannot_forge_a_line() {
    let dir = site();
    let (path, log) = (dir.path().to_str().unwrap(), dir.path().join("log"));
    let arguments = [path, "--listen", "127.0.0.1:0", "--offline", "--watch"];
    let mut program = start(&log, &arguments);
    program.next_line();
    let name = "a\n2026-01-01T00:00:00Z ERROR \u{1b}[31mforged.mdx";
    fs::write(dir.path().join(name), "Text.").unwrap();
    let text = wait_for(&log, "forged");
    let text = match text.ends_with('\n') {
        true => text,
        false => wait_for(&log, "\n"),
    };
    assert!(text.contains("changed "), "{text}");
    assert!(text.contains("a\u{240a}2026"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(
        !text.lines().any(|line| line.starts_with("2026-01-01")),
        "{text}"
    );
    program.end("-KILL");
}

#[test]
fn an_invalid_level_is_explained() {
    let output = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .args([".", "--log-level", "verbose"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("`verbose` is not a level; write `error`"),
        "{text}"
    );
}
