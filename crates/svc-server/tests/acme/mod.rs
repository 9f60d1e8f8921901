//! Certificates that the server requests from pebble, a certificate authority for tests.

mod rig;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use rig::{Scene, assert_no_key, has_pebble, wait_until};

/// From the first start to a restart.
fn request_and_restart(challenge: &str) {
    let scene = Scene::new();
    let acme = format!("email = \"ops@example.com\"\nchallenge = \"{challenge}\"");
    scene.write_settings(&acme, "\"one.example\"");
    let server = scene.start();
    wait_until("the site is served", || {
        scene.is_served("one.example", "root.pem")
    });
    server.wait_for("the certificate for the host `one.example` is valid until");
    assert_eq!(server.orders("one.example", "success"), 1);
    assert_eq!(server.orders("one.example", "failure"), 0);
    let expiry = server.metric("svc_tls_certificate_expiry_timestamp_seconds{listener=\"sites\"");
    assert!(
        expiry.len() == 1 && expiry[0].contains("/one.example.pem\""),
        "{expiry:?}"
    );
    let (certificate, account) = (
        scene.stored("one.example.pem"),
        scene.stored("account.json"),
    );
    for file in [&certificate, &account] {
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    let url = format!("http://127.0.0.1:{}/a?b=c", scene.ports.http);
    let redirect = scene.curl(&["-i", "-H", "Host: one.example", &url]);
    assert!(redirect.starts_with("HTTP/1.1 308"), "{redirect}");
    let url = format!(
        "http://127.0.0.1:{}/.well-known/acme-challenge/a",
        scene.ports.http
    );
    let unknown = scene.curl(&["-i", "-H", "Host: one.example", &url]);
    assert!(unknown.starts_with("HTTP/1.1 308"), "{unknown}");
    let log = server.end();
    assert_no_key(&log, &certificate);
    assert_no_key(&log, &account);

    let before = fs::read(&certificate).unwrap();
    let server = scene.start();
    wait_until("the site is served", || {
        scene.is_served("one.example", "root.pem")
    });
    assert_eq!(server.orders("one.example", "success"), 0);
    let log = server.end();
    assert!(!log.contains("requesting a certificate"), "{log}");
    assert_eq!(fs::read(&certificate).unwrap(), before);
}

#[test]
fn a_certificate_is_requested_by_a_handshake_and_used_after_a_restart() {
    if has_pebble() {
        request_and_restart("tls-alpn-01");
    }
}

#[test]
fn a_certificate_is_requested_by_a_request_and_used_after_a_restart() {
    if has_pebble() {
        request_and_restart("http-01");
    }
}

#[test]
fn a_certificate_is_renewed_with_the_same_account_or_a_new_one() {
    if !has_pebble() {
        return;
    }
    let mut scene = Scene::new();
    scene.write_settings("", "\"one.example\"");
    let server = scene.start();
    server.wait_for("is valid until");
    server.end();
    let account = || -> serde_json::Value {
        serde_json::from_slice(&fs::read(scene.stored("account.json")).unwrap()).unwrap()
    };
    let first = account();
    assert_eq!(first["email"], serde_json::Value::Null);

    // The authority is told about another address.
    scene.make_due("one.example");
    scene.write_settings("email = \"ops@example.com\"", "\"one.example\"");
    let server = scene.start();
    wait_until("it is renewed", || {
        scene.is_served("one.example", "root.pem")
    });
    server.wait_for("is valid until");
    server.end();
    let second = account();
    assert_eq!(second["email"], "ops@example.com");
    assert_eq!(second["credentials"], first["credentials"]);

    scene.start_authority();
    scene.make_due("one.example");
    let server = scene.start();
    wait_until("it is renewed", || {
        scene.is_served("one.example", "root.pem")
    });
    server.end();
    let bytes = fs::read(scene.stored("account.json")).unwrap();
    let third: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_ne!(third["credentials"], first["credentials"]);
}

#[test]
fn a_host_that_leads_elsewhere_is_named_in_the_log() {
    if !has_pebble() {
        return;
    }
    let scene = Scene::new();
    scene.lead_elsewhere("other.example");
    scene.write_settings("", "[\"other.example\", \"one.example\"]");
    let server = scene.start();
    wait_until("the other host is served", || {
        scene.is_served("one.example", "root.pem")
    });
    server.wait_for("the host `other.example` has no valid certificate: ");
    let log = server.log();
    let line = log
        .lines()
        .find(|line| line.contains("other.example` has no valid"));
    let line = line.expect(&log);
    for part in [
        "ERROR",
        "could not check the host",
        "urn:ietf:params:acme:error:",
        "check that the DNS of the host leads to this server, and that port 443 is reachable",
        "; the next attempt is at 20",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(!scene.is_served("other.example", "root.pem"));
    assert_eq!(server.orders("other.example", "failure"), 1);
    assert_eq!(server.orders("one.example", "success"), 1);
    server.end();
}

#[test]
fn a_failed_order_keeps_the_certificate() {
    if !has_pebble() {
        return;
    }
    let scene = Scene::new();
    scene.write_settings("", "\"one.example\"");
    let server = scene.start();
    server.wait_for("is valid until");
    server.end();
    scene.make_due("one.example");
    scene.lead_elsewhere("one.example");
    let before = fs::read(scene.stored("one.example.pem")).unwrap();
    let server = scene.start();
    server.wait_for("was not renewed, and the previous one stays in use until 20");
    assert!(server.log().contains("WARN"), "{}", server.log());
    wait_until("the site is served", || {
        scene.is_served("one.example", "due.pem")
    });
    assert_eq!(server.orders("one.example", "failure"), 1);
    server.end();
    assert_eq!(fs::read(scene.stored("one.example.pem")).unwrap(), before);
}

#[test]
fn a_host_that_is_added_gets_a_certificate_without_a_restart() {
    if !has_pebble() {
        return;
    }
    let scene = Scene::new();
    scene.write_settings("", "\"one.example\"");
    let server = scene.start();
    wait_until("the site is served", || {
        scene.is_served("one.example", "root.pem")
    });
    scene.write_settings("", "[\"one.example\", \"two.example\"]");
    server.reload();
    wait_until("the new host is served", || {
        scene.is_served("two.example", "root.pem")
    });
    assert!(scene.is_served("one.example", "root.pem"));
    let log = server.end();
    assert!(!log.contains("restart the server to apply"), "{log}");
}

#[test]
fn a_server_without_a_certificate_is_healthy_and_logs_why() {
    if !has_pebble() {
        return;
    }
    let scene = Scene::new();
    scene.write_settings("", "\"one.example\"");
    // The authority has no such directory.
    let text = fs::read_to_string(scene.path("server.toml")).unwrap();
    let unused = text.replace("/dir\"", "/unknown\"");
    assert_ne!(unused, text);
    fs::write(scene.path("server.toml"), unused).unwrap();
    let server = scene.start();
    server.wait_for("the host `one.example` has no valid certificate: the certificate authority cannot be used: `localhost` responded with status 404");
    let health = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .current_dir(scene.dir.path())
        .args(["health", "--config", "server.toml"])
        .output()
        .unwrap();
    assert!(health.status.success(), "{health:?}");
    assert!(!scene.is_served("one.example", "root.pem"));
    let expiries = server.metric("svc_tls_certificate_expiry_timestamp_seconds{");
    assert_eq!(expiries, Vec::<String>::new());
    server.end();
}
