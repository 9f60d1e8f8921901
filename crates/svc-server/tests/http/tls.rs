//! TLS with the program `svc-server`, and curl as client.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use svc_test_support::program::Program;
use svc_test_support::tls::TestCertificate;

use crate::http::rig::write;

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;

fn site(dir: &Path) {
    write(dir, "site/docs.json", CONFIG.as_bytes());
    write(dir, "site/index.mdx", b"Words.");
}

/// Starts the program; returns it with its port.
fn start(dir: &Path, arguments: &[&str]) -> (Program, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command
        .current_dir(dir)
        .args(arguments)
        .stderr(Stdio::null());
    let mut program = Program::start(&mut command);
    let line = program.next_line();
    let url = line.split_once("https://127.0.0.1:").expect(&line).1;
    let port = url.split([' ', '/']).next().unwrap().parse().unwrap();
    (program, port)
}

/// Headers and body that curl prints.
fn curl(dir: &Path, arguments: &[&str]) -> String {
    let output = Command::new("curl")
        .current_dir(dir)
        .args(["-s", "-i", "--max-time", "10", "--cacert", "tls/chain.pem"])
        .args(arguments)
        .output()
        .expect("curl");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_folder_is_served_over_tls_with_both_versions_of_http() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    let made = TestCertificate::new(&["localhost", "127.0.0.1"]);
    write(dir.path(), "tls/chain.pem", made.chain.as_bytes());
    write(dir.path(), "tls/key.pem", made.key.as_bytes());
    let arguments = [
        "site",
        "--listen",
        "127.0.0.1:0",
        "--offline",
        "--data",
        "data",
        "--tls-cert",
        "tls/chain.pem",
        "--tls-key",
        "tls/key.pem",
    ];
    let (_program, port) = start(dir.path(), &arguments);
    let url = format!("https://localhost:{port}/");
    let two = curl(dir.path(), &["--http2", &url]);
    assert!(
        two.starts_with("HTTP/2 200") && two.contains("Words."),
        "{two}"
    );
    let one = curl(dir.path(), &["--http1.1", &url]);
    assert!(
        one.starts_with("HTTP/1.1 200 OK") && one.contains("Words."),
        "{one}"
    );
    assert!(!two.to_lowercase().contains("alt-svc"), "{two}");
    // A client without TLS gets nothing.
    let plain = curl(dir.path(), &[&format!("http://localhost:{port}/")]);
    assert!(!plain.contains("Words."), "{plain}");
    // Another certificate, which this client does not trust, is used soon.
    let other = TestCertificate::new(&["localhost", "other.example"]);
    fs::write(dir.path().join("tls/key.pem"), &other.key).unwrap();
    fs::write(dir.path().join("tls/chain-new.pem"), &other.chain).unwrap();
    fs::write(dir.path().join("tls/chain.pem"), &other.chain).unwrap();
    let reloaded = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        curl(dir.path(), &["--cacert", "tls/chain-new.pem", &url]).contains("Words.")
    });
    assert!(reloaded);
}

#[test]
fn settings_encrypt_and_redirect() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    let made = TestCertificate::new(&["localhost"]);
    write(dir.path(), "tls/chain.pem", made.chain.as_bytes());
    write(dir.path(), "tls/key.pem", made.key.as_bytes());
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let http = free.local_addr().unwrap();
    drop(free);
    let settings = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[tls]\ncertificate_file = \"tls/chain.pem\"\nkey_file = \"tls/key.pem\"\nredirect_listen = \"{http}\"\nhsts = \"2m\"\n[[projects]]\nid = \"a\"\nhosts = [\"localhost\"]\nsource.folder = \"site\"\n"
    );
    write(dir.path(), "server.toml", settings.as_bytes());
    let (_program, port) = start(dir.path(), &["--config", "server.toml"]);
    let url = format!("https://localhost:{port}/");
    let served = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let text = curl(dir.path(), &[&url]);
        text.contains("Words.") && text.contains("strict-transport-security: max-age=120")
    });
    assert!(served);
    let redirect = curl(
        dir.path(),
        &[&format!("http://localhost:{}/a?b=c", http.port())],
    );
    assert!(redirect.starts_with("HTTP/1.1 308"), "{redirect}");
    assert!(
        redirect.contains(&format!("location: {url}a?b=c")),
        "{redirect}"
    );
}
