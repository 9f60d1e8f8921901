//! Readers of a provider sign in, and what they get.

use serde_json::json;

use super::browser::Browser;
use super::provider::TestProvider;
use super::{OPERATOR_KEY, PROVIDER_KEY, now, oidc_table, start_at, start_private};
use crate::readers::start_behind;
use svc_test_support::keys::eddsa_token;

#[test]
fn a_reader_of_a_provider_signs_in_and_gets_the_pages_of_the_groups() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    let page = ada.open("/open?x=1");
    assert_eq!(
        (page.status, page.header("location")),
        (303, Some("/_svc/sign-in?next=%2Fopen%3Fx%3D1"))
    );
    let page = ada.open("/_svc/sign-in?next=%2Fopen%3Fx%3D1");
    assert_eq!(page.status, 200, "no redirect without a click");
    assert!(
        page.body.contains("Sign in with <bdi>Example ID</bdi>"),
        "{}",
        page.body
    );
    assert!(
        page.body.contains("type=\"password\""),
        "both ways are offered"
    );
    let link = "/_svc/sign-in/start?next=%2Fopen%3Fx%3D1";
    assert!(page.body.contains(&format!("href=\"{link}\"")));
    let request = ada.begin(&provider, "/open?x=1");
    let redirect = request.parameter("redirect_uri");
    assert_eq!(redirect, "http://docs.example.com/_svc/sign-in/callback");
    assert!(!ada.is_signed_in());
    let response = ada.finish(&request, "");
    assert_eq!(
        (response.status, response.header("location")),
        (303, Some("/open?x=1"))
    );
    assert!(
        response
            .header("cache-control")
            .unwrap()
            .contains("no-store")
    );
    assert_eq!(ada.cookies.len(), 1, "the cookie of the sign-in is gone");
    let reader = ada.reader();
    assert_eq!(
        (&reader["name"], &reader["email"], &reader["groups"]),
        (
            &json!("Ada Lovelace"),
            &json!("ada@example.com"),
            &json!(["staff"])
        )
    );
    assert_eq!(reader["signOut"], "/_svc/sign-out");
    assert_eq!(ada.open("/staff-only").status, 200);
    assert_eq!(ada.open("/admin-only").status, 404);
    let out = ada.post("/_svc/sign-out", "next=/");
    assert_eq!(out.status, 303);
    assert!(!ada.is_signed_in());
}

#[test]
fn behind_tls_and_below_a_path_cookies_and_urls_are_bound_to_the_site() {
    let provider = TestProvider::start();
    let server = start_at("127.0.0.1", "/docs", &provider, "");
    let mut ada = Browser::new(&server);
    ada.headers = "x-forwarded-proto: https\r\n".to_owned();
    ada.base_path = "/docs".to_owned();
    let request = ada.begin(&provider, "/docs/open");
    let redirect = request.parameter("redirect_uri");
    assert_eq!(
        redirect,
        "https://docs.example.com/docs/_svc/sign-in/callback"
    );
    let pending: Vec<_> = ada.cookies.keys().cloned().collect();
    assert!(
        pending[0].starts_with("__Secure-svc_sign_in_"),
        "{pending:?}"
    );
    assert_eq!(
        ada.finish(&request, "").header("location"),
        Some("/docs/open")
    );
    assert_eq!(ada.session().unwrap().0, "__Secure-svc_reader");
    assert!(ada.is_signed_in());
    let server = start_at("127.0.0.1", "", &provider, "");
    let mut ada = Browser::new(&server);
    ada.headers = "x-forwarded-proto: https\r\n".to_owned();
    ada.sign_in(&provider);
    assert_eq!(ada.session().unwrap().0, "__Host-svc_reader");
}

#[test]
fn groups_come_from_the_userinfo_endpoint_if_the_token_has_none() {
    let provider = TestProvider::start();
    provider.state().claims.remove("groups");
    let user = json!({"sub": "user-1", "groups": ["admin"], "name": "Other"});
    provider.state().user_info = user.as_object().unwrap().clone();
    provider.state().secret_in_body = true;
    let server = start_private(&provider, "");
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    let reader = ada.reader();
    assert_eq!(reader["groups"], json!(["admin"]));
    assert_eq!(reader["name"], "Ada Lovelace", "the token decides");
    // A response about another user is not accepted.
    provider
        .state()
        .user_info
        .insert("sub".to_owned(), json!("user-2"));
    let mut eve = Browser::new(&server);
    let request = eve.begin(&provider, "/");
    assert_eq!(eve.finish(&request, "").status, 400);
    assert!(!eve.is_signed_in());
}

#[test]
fn without_a_password_file_the_page_has_only_the_button() {
    let provider = TestProvider::start();
    let table = oidc_table(&provider.issuer, "");
    // The helper has a file, so the settings are those of a public site with protected pages.
    let server = start_behind("192.0.2.1", "", &table);
    let mut ada = Browser::new(&server);
    assert_eq!(ada.open("/open").status, 200);
    assert_eq!(ada.open("/staff-only").status, 404);
    ada.sign_in(&provider);
    assert_eq!(ada.open("/staff-only").status, 200);
}

#[test]
fn groups_that_do_not_fit_are_reduced_to_those_of_pages_or_refused() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let many: Vec<String> = (0..300)
        .map(|number| format!("group-of-another-site-{number}"))
        .collect();
    let mut groups = many.clone();
    groups.push("admin".to_owned());
    provider.set(json!({"groups": groups}));
    let mut ada = Browser::new(&server);
    ada.sign_in(&provider);
    assert_eq!(ada.reader()["groups"], json!(["admin"]));
    assert_eq!(ada.open("/admin-only").status, 200);
    // A token without a name for the session that is too large is no way to sign in.
    provider.set(json!({"sub": "s".repeat(5_000)}));
    provider.state().user_info = json!({"sub": "s".repeat(5_000)})
        .as_object()
        .unwrap()
        .clone();
    let mut eve = Browser::new(&server);
    let request = eve.begin(&provider, "/");
    let response = eve.finish(&request, "");
    assert_eq!(response.status, 403);
    assert!(
        response.body.contains("too many groups"),
        "{}",
        response.body
    );
    assert!(!eve.is_signed_in());
}

#[test]
fn a_provider_that_is_down_is_reported_on_the_page() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    provider.state().is_down = true;
    let mut ada = Browser::new(&server);
    let response = ada.open("/_svc/sign-in/start?next=%2Fopen");
    assert_eq!(response.status, 503);
    assert!(
        response.body.contains("was not completed"),
        "{}",
        response.body
    );
    assert!(
        response.body.contains("next=%2Fopen"),
        "the page can be reached later"
    );
    let form = format!(
        "name=ada&password={}",
        crate::readers::PASSWORD.replace(' ', "+")
    );
    assert_eq!(
        ada.post("/_svc/sign-in", &form).status,
        303,
        "passwords still work"
    );
}

#[test]
fn programs_read_with_access_tokens_of_the_provider() {
    let provider = TestProvider::start();
    let server = start_private(&provider, "");
    let get = |path: &str, seed: u8, change: serde_json::Value| {
        let mut claims = json!({
            "iss": provider.issuer, "aud": ["http://docs.example.com/mcp"], "exp": now() + 60,
            "iat": now(), "sub": "program-1", "groups": ["staff"],
        });
        for (name, value) in change.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let token = eddsa_token(seed, "at+jwt", &claims);
        let headers = format!("authorization: Bearer {token}\r\n");
        let status = server.get(path, &headers).status;
        assert_eq!(server.get(path, &headers).status, status, "the second time");
        let rpc = server.call("search", &json!({"query": "canary"}), &headers);
        assert_eq!(rpc.status == 200, status != 401, "{}", rpc.body);
        status
    };
    let none = || json!({});
    assert_eq!(get("/staff-only", PROVIDER_KEY, none()), 200);
    assert_eq!(get("/admin-only", PROVIDER_KEY, none()), 404);
    assert_eq!(get("/open", OPERATOR_KEY, none()), 401);
    for wrong in [
        json!({"aud": "docs"}),
        json!({"aud": "http://other.example.com"}),
        json!({"iss": "https://evil.example"}),
        json!({"exp": now() - 1}),
        json!({"exp": null}),
        json!({"nbf": now() + 60}),
        json!({"nonce": "of an ID token"}),
        json!({"sub": null}),
    ] {
        assert_eq!(get("/open", PROVIDER_KEY, wrong.clone()), 401, "{wrong}");
    }
}

#[test]
fn clients_of_a_private_site_find_the_provider() {
    let provider = TestProvider::start();
    let server = start_at("192.0.2.1", "/docs", &provider, "");
    let root = "/.well-known/oauth-protected-resource";
    for (path, resource) in [
        (format!("{root}/docs"), "http://docs.example.com/docs"),
        (
            format!("{root}/docs/mcp"),
            "http://docs.example.com/docs/mcp",
        ),
    ] {
        let response = server.get(&path, "");
        assert_eq!(response.status, 200, "{path}");
        let document: serde_json::Value = serde_json::from_str(&response.body).unwrap();
        assert_eq!(document["resource"], resource);
        assert_eq!(document["authorization_servers"], json!([provider.issuer]));
    }
    for path in [
        format!("{root}/other"),
        root.to_owned(),
        format!("{root}/docs/x"),
    ] {
        assert_ne!(server.get(&path, "").status, 200, "{path}");
    }
    let page = server.get("/docs/open", "");
    let challenge = page.header("www-authenticate");
    let expected = format!("Bearer resource_metadata=\"http://docs.example.com{root}/docs\"");
    assert_eq!((page.status, challenge), (401, Some(&*expected)));
    let headers =
        "content-type: application/json\r\naccept: application/json, text/event-stream\r\n";
    let mcp = server.send("POST /docs/mcp", headers, "{}");
    let expected = format!("Bearer resource_metadata=\"http://docs.example.com{root}/docs/mcp\"");
    assert_eq!(
        (mcp.status, mcp.header("www-authenticate")),
        (401, Some(&*expected))
    );
    // A site that everyone reads needs no token.
    let table = oidc_table(&provider.issuer, "");
    let server = start_behind("192.0.2.1", "", &table);
    assert_eq!(server.get(root, "").status, 404);
}
