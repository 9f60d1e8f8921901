//! H3 to H5 with a client of another author: the Python package `h2`. `cargo xtask ci install`
//! installs it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use svc_server::Limits;
use svc_test_support::tls::TestCertificate;

use crate::http::rig::{TestServer, start_encrypted, start_with, write};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Python of `target/python`; `None`, with a note, if the package is missing.
fn python() -> Option<PathBuf> {
    let python = root().join("target/python/bin/python");
    let import = Command::new(&python).args(["-c", "import h2"]).output();
    if import.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    svc_test_support::skip(
        "the Python package `h2` is not installed; run `cargo xtask ci install`",
    );
    None
}

fn limits() -> Limits {
    Limits {
        write_timeout: Duration::from_millis(500),
        body_timeout: Duration::from_millis(500),
        ..Limits::default()
    }
}

/// Runs the client. Returns the name and the result of each case.
fn run(python: &Path, server: &TestServer, certificate: Option<&Path>) -> Vec<(String, Value)> {
    let mut command = Command::new(python);
    command
        .arg(root().join("tests/python/http2.py"))
        .arg(server.serving.addr.port().to_string())
        .args(certificate);
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let parse = |line| serde_json::from_str(line).unwrap();
    text.lines().map(parse).collect()
}

/// What the client receives if the server is right.
fn expected(protocol: Option<&str>) -> Vec<(String, Value)> {
    let statuses = [200, 200, 200, 200, 404].repeat(10);
    let pages =
        json!({"protocol": protocol, "statuses": statuses, "ends": ["end"], "large": [3_000_000]});
    let all = [
        ("pages", pages),
        ("head", json!({"status": 200, "bytes": 0, "end": "end"})),
        ("settings", json!([3_000_000, 3_000_000, 3_000_000])),
        ("ping", json!("ping 019")),
        ("trailers", json!(200)),
        ("slow_writer", json!(["408"])),
        ("rapid_reset", json!({"open": false, "code": true})),
        // CANCEL. It takes a minute.
        ("slow_reader", json!({"ends": ["reset 8"], "last": 200})),
    ];
    let is_thorough = std::env::var_os("SVC_THOROUGH").is_some();
    let all = all.map(|(name, value)| (name.to_owned(), value));
    let run = all
        .into_iter()
        .filter(|(name, _)| is_thorough || name != "slow_reader");
    run.collect()
}

#[test]
fn h03_h04_h05_a_python_client_without_encryption() {
    let Some(python) = python() else {
        return;
    };
    let server = start_with(limits(), "");
    assert_eq!(run(&python, &server, None), expected(None));
}

#[test]
fn h03_h04_h05_a_python_client_with_tls() {
    let Some(python) = python() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let certificate = TestCertificate::new(&["localhost"]);
    write(dir.path(), "chain.pem", certificate.chain.as_bytes());
    let server = start_encrypted(limits(), &certificate);
    let file = dir.path().join("chain.pem");
    assert_eq!(run(&python, &server, Some(&file)), expected(Some("h2")));
}
