//! Readers who come from a page of the operator with a signed token.

use serde_json::{Value, json};

use super::browser::Browser;
use super::{OPERATOR_KEY, PROVIDER_KEY, encoded, now};
use crate::readers::{ReaderServer, TextResponse, start_behind};
use svc_test_support::keys::eddsa_token;

const TABLE: &str = "private = true\n[projects.readers.handover]\npublic_key_file = \"handover.pem\"\nlogin_url = \"https://app.example.com/login\"\nname = \"Example app\"\n";

fn start() -> ReaderServer {
    start_behind("192.0.2.1", "", TABLE)
}

pub(super) fn claims(change: Value) -> Value {
    let mut claims = json!({
        "iat": now(), "exp": now() + 10, "host": "docs.example.com", "groups": ["staff"],
        "expiresAt": now() + 3_600, "jti": change.to_string(),
        "content": {"firstName": "Ada", "email": "ada@example.com", "groups": ["admin"]},
        "apiPlaygroundInputs": {"header": {"X-Key": "k"}, "server": {"region": "eu"}},
    });
    for (name, value) in change.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims
}

fn send(browser: &mut Browser<'_>, token: &str) -> TextResponse {
    let form = format!("token={}&next=%2Fopen", encoded(token));
    browser.post("/_svc/sign-in/handover", &form)
}

#[test]
fn a_token_of_the_operator_begins_a_session() {
    let server = start();
    let mut ada = Browser::new(&server);
    let page = ada.open("/_svc/sign-in?next=%2Fopen");
    assert!(
        page.body
            .contains("href=\"https://app.example.com/login?redirect=%2Fopen\""),
        "{}",
        page.body
    );
    assert!(page.body.contains("Sign in with <bdi>Example app</bdi>"));
    let page = ada.open("/login/jwt-callback?redirect=%2Fopen");
    assert_eq!(page.status, 200);
    assert!(
        page.body.contains("action=\"/_svc/sign-in/handover\"")
            && page.body.contains("value=\"/open\"")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let response = send(
        &mut ada,
        &eddsa_token(OPERATOR_KEY, "JWT", &claims(json!({}))),
    );
    assert_eq!(
        (response.status, response.header("location")),
        (303, Some("/open"))
    );
    let reader = ada.reader();
    assert_eq!(reader["groups"], json!(["staff"]));
    assert_eq!(reader["email"], "ada@example.com");
    assert_eq!(reader["user"]["firstName"], "Ada", "values in pages");
    assert_eq!(
        reader["user"]["groups"],
        json!(["staff"]),
        "it cannot be replaced"
    );
    assert_eq!(reader["apiPlaygroundInputs"]["server"]["region"], "eu");
    assert_eq!(ada.open("/staff-only").status, 200);
    assert_eq!(ada.open("/admin-only").status, 404);
    let endpoint = ada.open("/api-reference/summary-zqreportcanary").body;
    assert!(
        endpoint.contains("data-reader=\"/_svc/reader\""),
        "the playground uses the inputs"
    );
}

#[test]
fn other_tokens_begin_no_session() {
    let server = start();
    let signed = |change: Value| eddsa_token(OPERATOR_KEY, "JWT", &claims(change));
    let long = json!({"content": {"text": "x".repeat(5_000)}});
    for (name, token) in [
        (
            "another key",
            eddsa_token(PROVIDER_KEY, "JWT", &claims(json!({}))),
        ),
        (
            "expired",
            signed(json!({"exp": now() - 10, "iat": now() - 20})),
        ),
        ("a long life", signed(json!({"exp": now() + 60}))),
        (
            "a long life without a begin",
            signed(json!({"exp": now() + 60, "iat": null})),
        ),
        ("no end", signed(json!({"exp": null}))),
        ("another host", signed(json!({"host": "other.example.com"}))),
        ("no host", signed(json!({"host": null}))),
        (
            "a session that has ended",
            signed(json!({"expiresAt": now() - 1})),
        ),
        ("more than a cookie", signed(long)),
        ("no token", String::new()),
        (
            "no signature",
            format!("{}.", signed(json!({})).rsplit_once('.').unwrap().0),
        ),
    ] {
        let mut eve = Browser::new(&server);
        let response = send(&mut eve, &token);
        assert_eq!(response.status, 403, "{name}");
        assert!(response.body.contains("role=\"alert\""), "{name}");
        assert!(eve.session().is_none(), "{name}");
    }
}

#[test]
fn a_token_is_valid_once() {
    let server = start();
    let token = eddsa_token(OPERATOR_KEY, "JWT", &claims(json!({})));
    assert_eq!(send(&mut Browser::new(&server), &token).status, 303);
    assert_eq!(send(&mut Browser::new(&server), &token).status, 403);
}

#[test]
fn another_site_cannot_hand_a_reader_over() {
    let server = start();
    let mut eve = Browser::new(&server);
    eve.headers = "origin: https://evil.example\r\n".to_owned();
    let response = send(
        &mut eve,
        &eddsa_token(OPERATOR_KEY, "JWT", &claims(json!({}))),
    );
    assert_eq!(response.status, 403);
    assert!(eve.session().is_none());
}

#[test]
fn without_the_table_there_is_no_hand_over() {
    let server = start_behind("192.0.2.1", "", "");
    assert_eq!(
        server
            .get("/login/jwt-callback", "accept: text/html\r\n")
            .status,
        404
    );
    let mut eve = Browser::new(&server);
    assert_eq!(send(&mut eve, "x").status, 405);
}
