//! Attacks on signing in.

use serde_json::{Value, json};

use super::browser::Browser;
use super::provider::{ProviderState, TestProvider};
use super::{OPERATOR_KEY, encoded, now, oidc_table, start_at, start_private};
use crate::readers::{PASSWORD, ReaderServer, start_behind};

/// Completes a sign-in with a provider that a test has changed.
fn is_refused(server: &ReaderServer, provider: &TestProvider, change: impl Fn(&mut ProviderState)) {
    let mut browser = Browser::new(server);
    let request = browser.begin(provider, "/");
    change(&mut provider.state());
    let response = browser.finish(&request, "");
    assert!(matches!(response.status, 400 | 403), "{}", response.head);
    assert!(
        response.body.contains("role=\"alert\""),
        "{}",
        response.body
    );
    assert!(browser.session().is_none() && !browser.is_signed_in());
}

/// ID tokens that are wrong in one claim.
fn refuse_claim(claims: &Value) {
    let provider = TestProvider::start();
    let server = start_private(&provider, "allowed_domains = [\"example.com\"]\n");
    is_refused(&server, &provider, |state| {
        state.claims.extend(claims.as_object().unwrap().clone());
    });
    // The same without the change is accepted.
    let provider = TestProvider::start();
    let server = start_private(&provider, "allowed_domains = [\"example.com\"]\n");
    Browser::new(&server).sign_in(&provider);
}

#[test]
fn a_token_of_another_issuer_is_refused() {
    refuse_claim(&json!({"iss": "https://evil.example"}));
}

#[test]
fn a_token_for_another_client_is_refused() {
    refuse_claim(&json!({"aud": "other"}));
    refuse_claim(&json!({"aud": ["docs", "other"]}));
}

#[test]
fn a_token_with_another_nonce_is_refused() {
    refuse_claim(&json!({"nonce": "other"}));
    refuse_claim(&json!({"nonce": null}));
}

#[test]
fn an_expired_token_is_refused() {
    refuse_claim(&json!({"exp": now() - 10}));
}

#[test]
fn a_token_of_a_user_of_another_domain_is_refused() {
    refuse_claim(&json!({"email": "eve@example.com.evil.example"}));
    refuse_claim(&json!({"email_verified": false}));
    refuse_claim(&json!({"email_verified": null}));
}

#[test]
fn a_token_that_the_provider_has_not_signed_is_refused() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    is_refused(&server, &provider, |state| state.key = OPERATOR_KEY);
    for header in ["{\"alg\":\"none\"}", "{\"alg\":\"HS256\"}", "{}"] {
        let provider = TestProvider::start();
        let server = start_private(&provider, "");
        is_refused(&server, &provider, |state| state.header = Some(header));
    }
}

#[test]
fn a_response_with_another_state_is_refused() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    let request = ada.begin(&provider, "/");
    let state = encoded(&request.parameter("state"));
    for query in [
        "code=right&state=other".to_owned(),
        "code=right&state=".to_owned(),
        "code=right".to_owned(),
        format!("code=right&state={state}&state={state}"),
        String::new(),
    ] {
        let response = ada.open(&format!("/_svc/sign-in/callback?{query}"));
        assert_eq!(response.status, 400, "{query}");
    }
    assert_eq!(
        provider.state().exchanges,
        0,
        "the provider gets no code of others"
    );
    // None of them has used the sign-in.
    assert_eq!(ada.finish(&request, "").status, 303);
}

#[test]
fn a_code_and_a_state_are_valid_once() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    let request = ada.begin(&provider, "/");
    let before = ada.cookies.clone();
    assert_eq!(ada.finish(&request, "").status, 303);
    // Somebody has the history and all cookies of the browser.
    let mut eve = Browser::new(&server);
    eve.cookies = before;
    assert_eq!(eve.finish(&request, "").status, 400);
    assert!(eve.session().is_none());
    assert_eq!(provider.state().exchanges, 1, "the second time is not sent");
    // A wrong code uses the sign-in up, too.
    let request = eve.begin(&provider, "/");
    let before = eve.cookies.clone();
    let state = encoded(&request.parameter("state"));
    let wrong = eve.open(&format!("/_svc/sign-in/callback?code=wrong&state={state}"));
    assert_eq!(wrong.status, 400);
    eve.cookies = before;
    assert_eq!(eve.finish(&request, "").status, 400);
}

#[test]
fn responses_of_mixed_up_providers_are_refused() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    let request = ada.begin(&provider, "/");
    let response = ada.finish(&request, "&iss=https%3A%2F%2Fevil.example");
    assert_eq!(response.status, 400);
    assert_eq!(provider.state().exchanges, 0, "no provider gets the code");
    let right = format!("&iss={}", encoded(&provider.issuer));
    let request = ada.begin(&provider, "/");
    assert_eq!(ada.finish(&request, &right).status, 303);
    // A provider that promises the parameter has to send it.
    let provider = TestProvider::start();
    provider.state().has_issuer_parameter = true;
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    let request = ada.begin(&provider, "/");
    assert_eq!(ada.finish(&request, "").status, 400);
    let request = ada.begin(&provider, "/");
    let right = format!("&iss={}", encoded(&provider.issuer));
    assert_eq!(ada.finish(&request, &right).status, 303);
}

#[test]
fn the_sign_in_of_another_browser_cannot_be_completed() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let (mut mallory, mut victim) = (Browser::new(&server), Browser::new(&server));
    // The victim is sent to the callback URL with the code of the attacker, first without a
    // sign-in, then with one.
    let request = mallory.begin(&provider, "/");
    assert_eq!(victim.finish(&request, "").status, 400);
    let own = victim.begin(&provider, "/");
    assert_eq!(victim.finish(&request, "").status, 400);
    assert!(!victim.is_signed_in());
    assert_eq!(victim.finish(&own, "").status, 303);
}

#[test]
fn a_session_of_another_reader_is_replaced_at_sign_in() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut mallory = Browser::new(&server);
    mallory.sign_in(&provider);
    let fixed = mallory.session().unwrap();
    provider.set(json!({"sub": "user-2", "name": "Victim", "sid": "session-2"}));
    let mut victim = Browser::new(&server);
    victim.cookies.insert(fixed.0.clone(), fixed.1.clone());
    victim.sign_in(&provider);
    assert_ne!(victim.session().unwrap().1, fixed.1);
    assert_eq!(victim.reader()["name"], "Victim");
    assert_eq!(
        mallory.reader()["name"],
        "Ada Lovelace",
        "the old session stays the old reader's"
    );
    // What a session contains cannot be chosen.
    for value in ["", "x", "e30.x", &fixed.1.replacen('e', "f", 1)] {
        victim.cookies.insert(fixed.0.clone(), value.to_owned());
        assert!(!victim.is_signed_in(), "{value}");
    }
}

#[test]
fn no_parameter_leads_to_another_site() {
    let provider = TestProvider::start();
    let handover = "[projects.readers.handover]\npublic_key_file = \"handover.pem\"\nlogin_url = \"https://app.example.com/login?a=b\"\n";
    let server = start_at("192.0.2.1", "/docs", &provider, handover);
    let evil = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/docs/..//evil.example/\\",
        "/\t/evil.example",
        "/docs.evil",
        "/docsevil/",
        "http:evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "/docs/\r\nlocation: https://evil.example",
        "/docs/_svc/sign-out",
        "/docs/_svc/sign-in/start",
        "//docs.example.com@evil.example/docs/",
    ];
    for next in evil {
        let mut ada = Browser::new(&server);
        ada.base_path = "/docs".to_owned();
        let request = ada.begin(&provider, next);
        let redirect = request.parameter("redirect_uri");
        assert_eq!(
            redirect,
            "http://docs.example.com/docs/_svc/sign-in/callback"
        );
        let rest = [
            "next",
            "to",
            "redirect",
            "redirect_uri",
            "return",
            "RelayState",
        ]
        .map(|name| format!("&{name}={}", encoded(next)))
        .concat();
        let response = ada.finish(&request, &rest);
        let location = response.header("location").unwrap();
        assert!(
            location.starts_with("/docs/") && !location.contains("evil"),
            "{next}: {location}"
        );
        assert!(!location.contains("sign"), "{next}: {location}");
        for path in [
            "/docs/_svc/sign-in?next=",
            "/docs/login/jwt-callback?redirect=",
        ] {
            let page = ada.open(&format!("{path}{}", encoded(next)));
            assert_eq!(page.status, 200);
            let page = page
                .body
                .replace("/docs/_svc/sign-out", "")
                .replace("/docs/_svc/sign-in", "");
            assert!(
                !page.contains("evil") && !page.contains("alert(1)"),
                "{path}{next}: {page}"
            );
        }
    }
    // Where to sign in does not depend on the request either.
    let page = server.get(
        "/docs/_svc/sign-in?next=%2Fdocs%2Fopen",
        "x-forwarded-host: evil.example\r\nforwarded: host=evil.example\r\n",
    );
    assert!(
        page.body
            .contains("href=\"https://app.example.com/login?a=b&amp;redirect=%2Fdocs%2Fopen\""),
        "{}",
        page.body
    );
    assert!(!page.body.contains("evil"));
}

#[test]
fn the_redirect_uri_has_a_host_of_the_settings() {
    let provider = TestProvider::start();
    let server = start_at("127.0.0.1", "", &provider, "");
    for forged in [
        "x-forwarded-host: evil.example\r\n",
        "x-forwarded-server: evil.example\r\n",
        "x-original-host: evil.example\r\n",
        "forwarded: host=evil.example;proto=https\r\n",
        "x-forwarded-port: 666\r\n",
    ] {
        let mut ada = Browser::new(&server);
        ada.headers = forged.to_owned();
        let request = ada.begin(&provider, "/");
        let redirect = request.parameter("redirect_uri");
        assert_eq!(
            redirect, "http://docs.example.com/_svc/sign-in/callback",
            "{forged}"
        );
    }
}

#[test]
fn other_passwords_are_hardly_ever_examined() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let attempt = |name: &str, password: &str| {
        let form = format!("name={name}&password={}", password.replace(' ', "+"));
        server.sign_in(&form, "").status
    };
    // One name: of 200 attempts in a row, the password of 5 is examined, and each further one
    // only after a wait that doubles.
    let statuses: Vec<u16> = (0..200)
        .map(|number| attempt("ada", &format!("guess {number}")))
        .collect();
    let examined = statuses.iter().filter(|status| **status == 403).count();
    assert!(
        (5..=9).contains(&examined),
        "{examined} of 200 were examined"
    );
    assert_eq!(
        statuses.iter().filter(|status| **status == 429).count(),
        200 - examined
    );
    assert_eq!(attempt("ada", PASSWORD), 429, "also the right one");
    // Many names from one address: another 5, then the address has to wait.
    let statuses: Vec<u16> = (0..100)
        .map(|number| attempt(&format!("name-{number}"), "guess"))
        .collect();
    let examined = statuses.iter().filter(|status| **status == 403).count();
    assert!(examined <= 9, "{examined} of 100 were examined");
    // Who signs in at the provider does not wait.
    Browser::new(&server).sign_in(&provider);
}

#[test]
fn a_change_of_the_client_ends_its_sessions() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    let session = ada.session().unwrap();
    // Another server with the same key, but another client.
    let table = oidc_table(&provider.issuer, "").replace("\"docs\"", "\"other\"");
    for (table, is_valid) in [
        (oidc_table(&provider.issuer, ""), true),
        (table, false),
        (String::new(), false),
    ] {
        let other = start_behind("192.0.2.1", "", &table);
        let key = server.base.path().join("data/readers.key");
        let restarted = other.restart_with_key(&key);
        let mut browser = Browser::new(&restarted);
        browser.cookies.insert(session.0.clone(), session.1.clone());
        assert_eq!(browser.is_signed_in(), is_valid, "{table}");
    }
}
