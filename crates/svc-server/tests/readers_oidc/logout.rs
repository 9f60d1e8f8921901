//! Sessions that the provider ends.

use serde_json::{Value, json};

use super::browser::Browser;
use super::provider::TestProvider;
use super::{OPERATOR_KEY, PROVIDER_KEY, now, start_private};
use crate::readers::rig::Endpoint;
use crate::readers::{ReaderServer, TextResponse};
use svc_test_support::keys::eddsa_token;

pub(super) fn claims(provider: &TestProvider, id: &str) -> Value {
    json!({
        "iss": provider.issuer, "aud": "docs", "iat": now(), "exp": now() + 120, "jti": id,
        "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
    })
}

pub(super) fn send(server: &Endpoint, token: &str) -> TextResponse {
    let headers = "content-type: application/x-www-form-urlencoded\r\n";
    let form = format!("logout_token={token}");
    server.send("POST /_svc/sign-in/logout", headers, &form)
}

fn send_claims(server: &ReaderServer, claims: &Value) -> u16 {
    send(server, &eddsa_token(PROVIDER_KEY, "logout+jwt", claims)).status
}

#[test]
fn a_provider_ends_a_session_or_all_sessions_of_a_user_at_once() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let [mut first, mut second, mut other] = [(); 3].map(|()| Browser::new(&server));
    first.sign_in(&provider);
    provider.set(json!({"sid": "session-2"}));
    second.sign_in(&provider);
    provider.set(json!({"sid": "session-3", "sub": "user-2"}));
    provider.state().user_info.clear();
    other.sign_in(&provider);
    let mut one = claims(&provider, "1");
    one["sid"] = json!("session-1");
    one["sub"] = json!("user-1");
    assert_eq!(send_claims(&server, &one), 200);
    assert!(!first.is_signed_in() && second.is_signed_in() && other.is_signed_in());
    assert_eq!(first.open("/open").status, 303);
    let mut all = claims(&provider, "2");
    all["sub"] = json!("user-1");
    assert_eq!(send_claims(&server, &all), 200);
    assert!(!second.is_signed_in() && other.is_signed_in());
    // The reader can sign in again.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    provider.set(json!({"sid": "session-4", "sub": "user-1"}));
    first.cookies.clear();
    first.sign_in(&provider);
    assert!(first.is_signed_in());
    // A restart does not bring sessions back.
    let (name, value) = second.session().unwrap();
    let server = server.restart();
    let mut second = Browser::new(&server);
    second.cookies.insert(name, value);
    assert!(!second.is_signed_in());
}

#[test]
fn logout_tokens_of_others_end_nothing() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    let with = |change: Value| {
        let mut token = claims(&provider, "1");
        token["sub"] = json!("user-1");
        for (name, value) in change.as_object().unwrap() {
            token[name] = value.clone();
        }
        token
    };
    for wrong in [
        with(json!({"iss": "https://evil.example"})),
        with(json!({"aud": "other"})),
        with(json!({"iat": now() - 3_600, "exp": now() - 3_000})),
        with(json!({"iat": now() + 3_600, "exp": now() + 3_700})),
        with(json!({"events": {}})),
        with(json!({"nonce": "n"})),
        with(json!({"sub": null})),
        with(json!({"jti": null})),
    ] {
        assert_eq!(send_claims(&server, &wrong), 400, "{wrong}");
    }
    let right = with(json!({}));
    let other_key = eddsa_token(OPERATOR_KEY, "logout+jwt", &right);
    assert_eq!(send(&server, &other_key).status, 400);
    assert_eq!(
        send(&server, &eddsa_token(PROVIDER_KEY, "at+jwt", &right)).status,
        400
    );
    for text in ["", "x", "a.b.c", &"x".repeat(40_000)] {
        assert_eq!(send(&server, text).status, 400);
    }
    assert!(ada.is_signed_in());
    let response = send(&server, &eddsa_token(PROVIDER_KEY, "logout+jwt", &right));
    assert_eq!(response.status, 200);
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert_eq!(send_claims(&server, &right), 400, "a token is valid once");
    assert!(!ada.is_signed_in());
    // Without a provider there is nothing to end.
    let none = crate::readers::start_behind("192.0.2.1", "", "");
    assert_eq!(send_claims(&none, &right), 405);
}
