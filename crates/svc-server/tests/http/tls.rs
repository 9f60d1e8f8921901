//! TLS with the program `svc-server`, and curl as client.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use svc_test_support::ports::free_port;
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

/// Starts a server with one project, `[tls]` with a listener that redirects, and further settings.
/// Returns it with the ports of HTTPS and HTTP.
fn start_redirecting(dir: &Path, tls: &str) -> (Program, u16, u16) {
    site(dir);
    let made = TestCertificate::new(&["localhost"]);
    write(dir, "tls/chain.pem", made.chain.as_bytes());
    write(dir, "tls/key.pem", made.key.as_bytes());
    let http = std::net::SocketAddr::from(([127, 0, 0, 1], free_port()));
    let settings = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[tls]\ncertificate_file = \"tls/chain.pem\"\nkey_file = \"tls/key.pem\"\nredirect_listen = \"{http}\"\n{tls}[[projects]]\nid = \"a\"\nhosts = [\"localhost\"]\nsource.folder = \"site\"\n"
    );
    write(dir, "server.toml", settings.as_bytes());
    let (program, port) = start(dir, &["--config", "server.toml"]);
    (program, port, http.port())
}

#[test]
fn settings_encrypt_and_redirect() {
    let dir = tempfile::tempdir().unwrap();
    let (_program, port, http) = start_redirecting(dir.path(), "hsts = \"2m\"\n");
    let url = format!("https://localhost:{port}/");
    let served = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let text = curl(dir.path(), &[&url]);
        text.contains("Words.") && text.contains("strict-transport-security: max-age=120")
    });
    assert!(served);
    let redirect = curl(dir.path(), &[&format!("http://localhost:{http}/a?b=c")]);
    assert!(redirect.starts_with("HTTP/1.1 308"), "{redirect}");
    assert!(
        redirect.contains(&format!("location: {url}a?b=c")),
        "{redirect}"
    );
}

/// As behind a container that maps its ports.
#[test]
fn redirects_lead_to_the_public_port() {
    for (public, origin) in [
        (443, "https://localhost/"),
        (9443, "https://localhost:9443/"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let extra = format!("public_port = {public}\n");
        let (_program, port, http) = start_redirecting(dir.path(), &extra);
        assert_ne!(port, public);
        let redirect = curl(dir.path(), &[&format!("http://localhost:{http}/a?b=c")]);
        assert!(
            redirect.contains(&format!("location: {origin}a?b=c\r\n")),
            "{redirect}"
        );
    }
}

/// Sends a form to the dashboard as its pages do, and returns the response.
fn sign_in(dir: &Path, origin: &str) -> String {
    let from = format!("Origin: {origin}");
    let form = [
        "-H",
        &from,
        "-d",
        "name=ada",
        "-d",
        "password=correct horse battery",
    ];
    let url = format!("{origin}/sign-in");
    curl(dir, &[form.as_slice(), &[&url]].concat())
}

#[test]
fn the_administration_is_encrypted_and_its_cookies_are_secure() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    let made = TestCertificate::new(&["localhost"]);
    write(dir.path(), "tls/chain.pem", made.chain.as_bytes());
    write(dir.path(), "tls/key.pem", made.key.as_bytes());
    let settings = "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[admin]\nlisten = \"127.0.0.1:0\"\n[admin.tls]\ncertificate_file = \"tls/chain.pem\"\nkey_file = \"tls/key.pem\"\n[[projects]]\nid = \"a\"\nhosts = [\"localhost\"]\nsource.folder = \"site\"\n";
    write(dir.path(), "server.toml", settings.as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command
        .current_dir(dir.path())
        .args(["--config", "server.toml"])
        .stderr(Stdio::null());
    let mut program = Program::start(&mut command);
    let sites = program.next_line();
    assert!(sites.contains(" http://127.0.0.1:"), "{sites}");
    let line = program.next_line();
    let port = line.split_once("https://127.0.0.1:").expect(&line).1.trim();
    let origin = format!("https://localhost:{port}");
    create_account(dir.path());

    for version in ["--http1.1", "--http2"] {
        let page = curl(dir.path(), &[version, &format!("{origin}/sign-in")]);
        let status = page.lines().next().unwrap_or_default();
        assert!(status.contains(" 200"), "{page}");
        assert!(page.contains("name=\"password\""), "{page}");
    }
    let response = sign_in(dir.path(), &origin);
    let cookie = response
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: __Host-svc_session="))
        .expect(&response);
    for attribute in ["Secure", "HttpOnly", "Path=/", "SameSite=Lax"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    let value = cookie.split(';').next().unwrap_or_default();
    let session = format!("Cookie: __Host-svc_session={value}");
    let home = curl(dir.path(), &["-H", &session, &format!("{origin}/")]);
    assert!(home.lines().next().unwrap().contains(" 200"), "{home}");
    // The name without the prefix, which a page without encryption could set, is not accepted.
    let session = format!("Cookie: svc_session={value}");
    let home = curl(dir.path(), &["-H", &session, &format!("{origin}/")]);
    assert!(home.contains("location: /sign-in"), "{home}");
    // A form of a page without encryption is refused.
    let plain = format!("http://localhost:{port}");
    let forged = curl(
        dir.path(),
        &[
            "-H",
            &format!("Origin: {plain}"),
            "-d",
            "name=ada",
            &format!("{origin}/sign-in"),
        ],
    );
    assert!(forged.lines().next().unwrap().contains(" 403"), "{forged}");
    let plain = curl(dir.path(), &[&format!("{plain}/sign-in")]);
    assert!(!plain.contains("name=\"password\""), "{plain}");
}

/// Creates an account in the store of the settings.
fn create_account(dir: &Path) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .current_dir(dir)
        .args(["admin", "create", "ada", "--config", "server.toml"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"correct horse battery\n").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
}
