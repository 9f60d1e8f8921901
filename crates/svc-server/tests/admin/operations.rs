//! Every operation once, and errors that occur before an operation is reached.

use std::time::Duration;

use serde_json::json;
use svc_admin_api::RateLimits;
use svc_admin_api::rate_limit::Quota;
use svc_server::AdministrationOptions;

use super::rig::{Client, Harness, network, wish};

#[test]
fn every_operation_works_over_the_network() {
    // spec: admin.listen accepts
    let rig = Harness::new();
    rig.project("docs");
    let key = rig.key("docs");
    let result = rig.call(&key, "POST /v2/agent/docs/job", r#"{"prompt":"x"}"#);
    assert_eq!(result.status, 201);
    let job = result.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/v2/agent/docs/job/{job}");
    let get = rig.call(&key, &format!("GET {path}"), "");
    assert_eq!(
        (get.status, get.json()["status"].clone()),
        (200, json!("active"))
    );
    let head = rig.call(&key, &format!("HEAD {path}"), "");
    assert_eq!(head.status, 200);
    let length = format!("content-length: {}", get.body.len());
    assert!(head.has(&length), "{head:?}");
    for (line, body, status) in [
        (format!("POST {path}/message"), r#"{"prompt":"y"}"#, 409),
        (format!("POST {path}/archive"), "", 409),
        ("GET /v2/agent/docs/jobs".to_owned(), "", 200),
        ("POST /v1/project/update/docs".to_owned(), "", 202),
        (
            "POST /v1/project/preview/docs".to_owned(),
            r#"{"branch":"b"}"#,
            202,
        ),
        (
            "GET /v1/project/update-status/deployment-1".to_owned(),
            "",
            200,
        ),
        (
            "GET /v1/project/update-status/deployment-9".to_owned(),
            "",
            404,
        ),
        ("DELETE /v2/agent/docs/jobs".to_owned(), "", 405),
        ("OPTIONS /v2/agent/docs/jobs".to_owned(), "", 405),
        ("GET /v2/agent/docs".to_owned(), "", 404),
        ("GET /openapi/other.json".to_owned(), "", 404),
    ] {
        let response = rig.call(&key, &line, body);
        assert_eq!(response.status, status, "{line}: {response:?}");
        assert!(!response.has("access-control"), "{line}");
        assert!(response.has("content-type: application/json"), "{line}");
    }
}

#[test]
fn the_openapi_documents_are_public_without_cors() {
    let rig = Harness::new();
    for (line, version) in [
        ("GET /openapi/admin.json", "2.0.0"),
        ("GET /v2/openapi.json", "2.0.0"),
        ("GET /openapi/deployment.json", "1.0.0"),
    ] {
        let response = rig.send(line, b"origin: https://elsewhere.example\r\n", b"");
        assert_eq!(response.status, 200, "{line}");
        assert_eq!(response.json()["info"]["version"], version, "{line}");
        assert!(!response.has("access-control"), "{line}");
    }
    let health = rig.send("GET /_svc/health", b"", b"");
    assert_eq!(
        (health.status, health.json()),
        (200, json!({"status": "ok", "store": "ok"}))
    );
}

#[test]
fn a_large_body_is_rejected_before_it_is_sent() {
    let rig = Harness::new();
    rig.project("docs");
    let key = rig.key("docs");
    let head = |more: &str| {
        format!(
            "POST /v2/agent/docs/job HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n\
             content-type: application/json\r\n{more}\r\n"
        )
    };
    // No byte of the body is sent.
    let announced = head("content-length: 262145\r\nexpect: 100-continue\r\n");
    let response = Client::new(rig.url()).raw(announced.as_bytes(), false);
    assert_eq!(response.status, 413, "{response:?}");
    assert!(response.has("connection: close"));
    let mut chunked = head("transfer-encoding: chunked\r\n").into_bytes();
    for _ in 0..5 {
        chunked.extend_from_slice(b"10000\r\n");
        chunked.extend_from_slice(&[b' '; 0x10000]);
        chunked.extend_from_slice(b"\r\n");
    }
    let response = Client::new(rig.url()).raw(&chunked, false);
    assert_eq!(response.status, 413, "{response:?}");
    let max = format!("{{\"prompt\":\"x\"}}{}", " ".repeat(262_144 - 14));
    assert_eq!(rig.call(&key, "POST /v2/agent/docs/job", &max).status, 201);
    // An unexpected body is not read, and closes the connection.
    let get = head("content-length: 300000\r\n").replace("POST", "GET");
    let response = Client::new(rig.url()).raw(get.as_bytes(), false);
    assert_eq!(response.status, 405, "{response:?}");
}

#[test]
fn every_response_has_a_request_id_and_the_log_contains_no_key() {
    let rig = Harness::new();
    rig.project("docs");
    let key = rig.key("docs");
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let response = rig.call(&key, &format!("GET /v2/agent/docs/job/{key}"), "");
        assert_eq!((response.status, response.request_id.len()), (404, 16));
        ids.insert(response.request_id);
    }
    assert_eq!(ids.len(), 20);
    assert!(!rig.log.text().contains(&key));
}

#[test]
fn only_trusted_proxies_set_the_client_addr() {
    let status_for = |trusted: &[&str], forwarded: &str| {
        let rig = Harness::with(AdministrationOptions {
            rates: RateLimits::UNLIMITED,
            trusted_proxies: trusted.iter().map(|text| network(text)).collect(),
            ..AdministrationOptions::default()
        });
        rig.project("docs");
        let mut new = wish("docs");
        new.networks = vec!["192.0.2.0/24".to_owned()];
        let (_, key) = rig.make(&new);
        let headers = format!("authorization: Bearer {key}\r\nx-forwarded-for: {forwarded}\r\n");
        rig.send("GET /v2/agent/docs/jobs", headers.as_bytes(), b"")
            .status
    };
    assert_eq!(status_for(&["127.0.0.1"], "192.0.2.7"), 200);
    assert_eq!(status_for(&["127.0.0.1"], "192.0.2.7, 198.51.100.1"), 403);
    assert_eq!(
        status_for(&["127.0.0.1", "198.51.100.1"], "192.0.2.7, 198.51.100.1"),
        200
    );
    assert_eq!(status_for(&[], "192.0.2.7"), 403);
    assert_eq!(status_for(&["10.0.0.0/8"], "192.0.2.7"), 403);
}

#[test]
fn unauthenticated_requests_are_limited_separately_from_keys() {
    let rig = Harness::with(AdministrationOptions {
        rates: RateLimits {
            unauthenticated: Quota::per(5, Duration::from_secs(60)),
            ..RateLimits::UNLIMITED
        },
        trusted_proxies: vec![network("127.0.0.1")],
        ..AdministrationOptions::default()
    });
    rig.project("docs");
    let key = rig.key("docs");
    let send = |key: &str, from: &str| {
        let headers = format!("authorization: Bearer {key}\r\nx-forwarded-for: {from}\r\n");
        rig.send("GET /v2/agent/docs/jobs", headers.as_bytes(), b"")
    };
    for _ in 0..5 {
        assert_eq!(send("nothing", "192.0.2.1").status, 401);
    }
    let response = send("nothing", "192.0.2.1");
    assert_eq!(response.status, 429);
    assert!(response.has("retry-after:"), "{response:?}");
    assert_eq!(send(&key, "192.0.2.2").status, 200);
}
