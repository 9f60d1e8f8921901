//! Sign-ins that the provider has to confirm after some time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::browser::Browser;
use super::provider::TestProvider;
use super::{encoded, now, start_private};
use crate::readers::ReaderServer;

/// Makes the session of a browser older, with the key of the server.
fn age(server: &ReaderServer, browser: &mut Browser<'_>, issuer: &str, seconds: i64) {
    let hmac = |key: &[u8], parts: &[&[u8]]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().to_vec()
    };
    let key = std::fs::read(server.base.path().join("data/readers.key")).unwrap();
    let key = hmac(&key, &[b"docs"]);
    let secret = format!("{issuer}\0docs\0groups");
    let sign = |payload: &[u8]| hmac(&key, &[b"session\0", payload, b"\0", secret.as_bytes()]);
    let (name, value) = browser.session().unwrap();
    let (payload, signature) = value.split_once('.').unwrap();
    let payload = URL_SAFE_NO_PAD.decode(payload).unwrap();
    assert_eq!(
        URL_SAFE_NO_PAD.encode(sign(&payload)),
        signature,
        "the test knows the format"
    );
    let mut session: Value = serde_json::from_slice(&payload).unwrap();
    for pointer in ["/p/o/v", "/p/o/r", "/b"] {
        let time = session.pointer_mut(pointer).unwrap();
        *time = json!(time.as_i64().unwrap() - seconds);
    }
    let payload = session.to_string().into_bytes();
    let value = format!(
        "{}.{}",
        URL_SAFE_NO_PAD.encode(&payload),
        URL_SAFE_NO_PAD.encode(sign(&payload))
    );
    browser.cookies.insert(name, value);
}

#[test]
fn the_provider_confirms_a_sign_in_silently() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    age(&server, &mut ada, &provider.issuer, 3_000);
    assert_eq!(ada.open("/open").status, 200);
    age(&server, &mut ada, &provider.issuer, 700);
    let old = ada.session().unwrap();
    // Scripts of a page that is open have some time.
    assert_eq!(ada.fetch("/_svc/search?q=a").status, 200);
    let response = ada.open("/staff-only?x=1");
    assert_eq!(response.status, 303);
    let start = response.header("location").unwrap().to_owned();
    assert_eq!(
        start,
        "/_svc/sign-in/start?silent=1&next=%2Fstaff-only%3Fx%3D1"
    );
    let response = ada.open(&start);
    let request = provider.expect(response.header("location").unwrap());
    assert_eq!(request.parameter("prompt"), "none");
    // The provider says what has changed.
    provider.set(json!({"groups": ["admin"]}));
    let response = ada.finish(&request, "");
    assert_eq!(response.header("location"), Some("/staff-only?x=1"));
    assert_ne!(ada.session().unwrap(), old);
    assert_eq!(ada.open("/staff-only").status, 404);
    assert_eq!(ada.open("/admin-only").status, 200);
}

#[test]
fn a_sign_in_that_the_provider_does_not_confirm_ends() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    age(&server, &mut ada, &provider.issuer, 3_700);
    let start = ada.open("/open").header("location").unwrap().to_owned();
    let response = ada.open(&start);
    let request = provider.expect(response.header("location").unwrap());
    let state = encoded(&request.parameter("state"));
    let response = ada.open(&format!(
        "/_svc/sign-in/callback?error=login_required&state={state}"
    ));
    assert_eq!(
        response.header("location"),
        Some("/_svc/sign-in?next=%2Fopen")
    );
    assert!(ada.session().is_none(), "there is no loop");
    assert_eq!(ada.open("/_svc/sign-in?next=%2Fopen").status, 200);
}

#[test]
fn a_sign_in_that_is_not_confirmed_for_long_is_not_valid_for_programs() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    age(&server, &mut ada, &provider.issuer, 2 * 3_600 + 60);
    assert_eq!(ada.fetch("/_svc/search?q=a").status, 401);
    assert!(!ada.is_signed_in());
    let page = ada.open("/open").header("location").unwrap().to_owned();
    assert!(page.contains("silent=1"), "a page renews it: {page}");
}

#[test]
fn readers_can_go_on_for_a_day_if_the_provider_is_down() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    provider.state().is_down = false;
    ada.sign_in(&provider);
    // A server that has not asked the provider yet.
    let key = server.base.path().join("data/readers.key");
    age(&server, &mut ada, &provider.issuer, 3_700);
    let session = ada.session().unwrap();
    let other = start_private(&provider, "").restart_with_key(&key);
    provider.state().is_down = true;
    let mut ada = Browser::new(&other);
    ada.cookies.insert(session.0, session.1);
    let start = ada.open("/open").header("location").unwrap().to_owned();
    let response = ada.open(&start);
    assert_eq!(
        response.header("location"),
        Some("/open"),
        "{}",
        response.head
    );
    assert_eq!(ada.open("/open").status, 200);
    age(&server, &mut ada, &provider.issuer, 24 * 3_600);
    let start = ada.open("/open").header("location").unwrap().to_owned();
    assert_eq!(ada.open(&start).status, 503);
    assert!(now() > 0);
}

#[test]
fn what_is_not_a_visit_of_a_page_is_not_redirected() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    age(&server, &mut ada, &provider.issuer, 3_700);
    let (name, value) = ada.session().unwrap();
    let cookie = format!("cookie: {name}={value}\r\n");
    for headers in [
        "accept: text/markdown\r\n",
        "",
        "accept: text/html\r\nsec-purpose: prefetch;prerender\r\nsec-fetch-mode: navigate\r\n",
        "accept: text/html\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: iframe\r\n",
        "accept: text/html\r\nsec-fetch-mode: cors\r\n",
    ] {
        let response = server.get("/open", &format!("{headers}{cookie}"));
        assert_eq!(response.status, 200, "{headers}");
    }
}
