//! Signing in with an identity provider: a stub that implements the required parts of OpenID
//! Connect, and every fault that it can have.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use openidconnect::core::{
    CoreEdDsaPrivateSigningKey, CoreIdToken, CoreIdTokenClaims, CoreJwsSigningAlgorithm,
};
use openidconnect::{
    Audience, EmptyAdditionalClaims, EndUserEmail, IssuerUrl, Nonce, PrivateSigningKey as _,
    StandardClaims, SubjectIdentifier,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use svc_admin_api::account::AccountStore as _;
use svc_admin_api::audit::AuditStore as _;
use svc_server::{OidcProvider, OidcSettings, Secret};
use svc_test_support::keys::ed25519_private_key;
use svc_tests::dashboard::{PageResponse, Person, World};

use super::{ORIGIN, TestResult};

type BoxError = Box<dyn std::error::Error>;

/// Contents of the ID token and the response; a test changes one of them.
#[derive(Debug, Clone)]
struct TokenClaims {
    issuer: String,
    client: String,
    nonce: String,
    email: String,
    verified: Option<bool>,
    /// Seconds until the token expires, from the time of the clock.
    ttl: i64,
    /// Whether the token is signed with a key that is not published.
    other_key: bool,
    /// Expected hash of the code verifier.
    challenge: String,
    now: i64,
}

/// The identity provider.
#[derive(Debug, Clone)]
struct IdentityProvider {
    claims: Arc<Mutex<TokenClaims>>,
    issuer: String,
}

fn key(seed: u8) -> Result<CoreEdDsaPrivateSigningKey, String> {
    let pem = ed25519_private_key(seed);
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(&pem, None)
}

impl IdentityProvider {
    async fn start() -> Result<Self, BoxError> {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = tokio::net::TcpListener::bind(any).await?;
        let issuer = format!("http://{}", listener.local_addr()?);
        let claims = TokenClaims {
            issuer: issuer.clone(),
            client: "svc".to_owned(),
            nonce: String::new(),
            email: "Ada@Example.com".to_owned(),
            verified: Some(true),
            ttl: 300,
            other_key: false,
            challenge: String::new(),
            now: 0,
        };
        let service = Self {
            claims: Arc::new(Mutex::new(claims)),
            issuer,
        };
        let shared = service.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = shared.clone();
                tokio::spawn(async move {
                    let handler = service_fn(move |request| {
                        let service = service.clone();
                        async move { service.respond(request).await }
                    });
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(socket), handler)
                        .await;
                });
            }
        });
        Ok(service)
    }

    fn settings(&self) -> OidcSettings {
        OidcSettings {
            provider: OidcProvider {
                issuer: self.issuer.clone(),
                client_id: "svc".to_owned(),
                client_secret: Secret::new("hush"),
                name: "Example ID".to_owned(),
            },
            emails: vec!["ada@example.com".to_owned()],
            domains: vec!["example.org".to_owned()],
        }
    }

    fn change(&self, change: impl FnOnce(&mut TokenClaims)) {
        change(&mut self.claims.lock().unwrap_or_else(PoisonError::into_inner));
    }

    async fn respond(
        &self,
        request: Request<hyper::body::Incoming>,
    ) -> Result<Response<Full<Bytes>>, hyper::Error> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let claims = self
            .claims
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let issuer = &self.issuer;
        let value = match parts.uri.path() {
            "/.well-known/openid-configuration" => Some(json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}/token"),
                "jwks_uri": format!("{issuer}/keys"),
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["EdDSA"],
            })),
            "/keys" => key(7)
                .ok()
                .map(|key| json!({ "keys": [key.as_verification_key()] })),
            "/token" => claims.token(&parts.headers, &body),
            _ => None,
        };
        let mut response = Response::new(Full::new(Bytes::new()));
        match value {
            Some(value) => {
                let kind = http::HeaderValue::from_static("application/json");
                response.headers_mut().insert("content-type", kind);
                *response.body_mut() = Full::new(value.to_string().into());
            }
            None => *response.status_mut() = StatusCode::BAD_REQUEST,
        }
        Ok(response)
    }
}

impl TokenClaims {
    /// Returns the token response to a valid code with a valid verifier; `None` for others.
    fn token(&self, headers: &http::HeaderMap, body: &[u8]) -> Option<serde_json::Value> {
        let body = std::str::from_utf8(body).ok()?;
        let field = |name: &str| {
            let fields = body.split('&').filter_map(|pair| pair.split_once('='));
            fields
                .clone()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value)
        };
        let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")?));
        let basic = format!("Basic {}", STANDARD.encode("svc:hush"));
        let known = headers.get("authorization")?.to_str().ok()? == basic;
        if field("code") != Some("right") || proof != self.challenge || !known {
            return None;
        }
        let at = |millis: i64| {
            let millis = u64::try_from(millis).unwrap_or_default();
            SystemTime::UNIX_EPOCH + Duration::from_millis(millis)
        };
        let claims = StandardClaims::new(SubjectIdentifier::new("1".to_owned()))
            .set_email(Some(EndUserEmail::new(self.email.clone())))
            .set_email_verified(self.verified);
        let claims = CoreIdTokenClaims::new(
            IssuerUrl::new(self.issuer.clone()).ok()?,
            vec![Audience::new(self.client.clone())],
            at(self.now + self.ttl * 1000).into(),
            at(self.now).into(),
            claims,
            EmptyAdditionalClaims {},
        )
        .set_nonce(Some(Nonce::new(self.nonce.clone())));
        let key = key(if self.other_key { 8 } else { 7 }).ok()?;
        let token = CoreIdToken::new(claims, &key, CoreJwsSigningAlgorithm::EdDsa, None, None);
        Some(json!({
            "access_token": "x", "token_type": "Bearer", "id_token": token.ok()?.to_string()
        }))
    }
}

/// Returns the value of a query parameter of a URL.
fn parameter(url: &str, name: &str) -> String {
    let value = url
        .split(['?', '&'])
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    value.unwrap_or_default().to_owned()
}

/// Begins to sign in and passes the parameters of the request to the provider.
async fn begin(
    service: &IdentityProvider,
    world: &World,
    person: &mut Person<'_>,
) -> Result<String, BoxError> {
    let response = person
        .get("/sign-in/oidc?to=%2Fprojects%2Fdocs%2Fkeys")
        .await?;
    let url = response.header("location").to_owned();
    assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
    assert!(
        url.starts_with(&format!("{}/authorize?", service.issuer)),
        "{url}"
    );
    assert_eq!(parameter(&url, "response_type"), "code");
    assert_eq!(parameter(&url, "code_challenge_method"), "S256");
    assert_eq!(
        parameter(&url, "redirect_uri"),
        "https%3A%2F%2Fadmin.example%2Fsign-in%2Foidc%2Freturn"
    );
    let cookie = response.header("set-cookie");
    assert!(cookie.starts_with("__Host-svc_oidc=") && cookie.contains("HttpOnly"));
    service.change(|claims| {
        claims.nonce = parameter(&url, "nonce");
        claims.challenge = parameter(&url, "code_challenge");
        claims.now = world.now().millis();
    });
    Ok(parameter(&url, "state"))
}

async fn finish(
    person: &mut Person<'_>,
    code: &str,
    state: &str,
) -> Result<PageResponse, BoxError> {
    person
        .get(&format!("/sign-in/oidc/return?code={code}&state={state}"))
        .await
}

#[tokio::test]
async fn a_confirmed_identity_signs_in_and_gets_an_account() -> TestResult {
    let service = IdentityProvider::start().await?;
    let world = World::with_service(ORIGIN, Some(service.settings())).await?;
    let mut ada = world.stranger();
    let page = ada.get("/sign-in?to=/projects/docs/keys").await?.body;
    assert!(page.contains("Sign in with Example ID"));
    assert!(page.contains("/sign-in/oidc?to=%2Fprojects%2Fdocs%2Fkeys"));
    for _ in 0..2 {
        let state = begin(&service, &world, &mut ada).await?;
        let response = finish(&mut ada, "right", &state).await?;
        assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
        assert_eq!(response.header("location"), "/projects/docs/keys");
        assert_eq!(ada.get("/").await?.status, StatusCode::OK);
        // Code and state are valid once.
        let second = finish(&mut ada, "right", &state).await?;
        assert_eq!(second.status, StatusCode::CONFLICT);
    }
    let account = world
        .store
        .account("ada@example.com")
        .await?
        .ok_or("the account")?;
    assert_eq!(account.password, None);
    let entries = world.store.entries(None, None, 3).await?;
    let actions: Vec<&str> = entries
        .iter()
        .map(|entry| entry.entry.action.as_str())
        .collect();
    assert_eq!(actions, ["signIn", "signIn", "createAccount"]);
    // An account without a password cannot sign in with one.
    let fields = [("name", "ada@example.com"), ("password", "")];
    let response = world.stranger().post("/sign-in", &fields).await?;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    Ok(())
}

#[tokio::test]
async fn invalid_identities_are_rejected() -> TestResult {
    type Change = fn(&mut TokenClaims);
    let wrongs: [(&str, Change); 10] = [
        ("another address", |claims| {
            "bob@example.com".clone_into(&mut claims.email);
        }),
        ("another domain", |claims| {
            "ada@example.com.evil.example".clone_into(&mut claims.email);
        }),
        ("an odd address", |claims| {
            "<b>@example.org".clone_into(&mut claims.email);
        }),
        ("not verified", |claims| claims.verified = Some(false)),
        ("not said whether", |claims| claims.verified = None),
        ("of another request", |claims| {
            claims.nonce = "other".to_owned();
        }),
        ("for another program", |claims| {
            claims.client = "other".to_owned();
        }),
        ("of another service", |claims| {
            claims.issuer = "https://evil.example".to_owned();
        }),
        ("over", |claims| claims.ttl = -10),
        ("signed by another key", |claims| claims.other_key = true),
    ];
    for (name, change) in wrongs {
        let service = IdentityProvider::start().await?;
        let world = World::with_service(ORIGIN, Some(service.settings())).await?;
        let mut person = world.stranger();
        let state = begin(&service, &world, &mut person).await?;
        service.change(change);
        let response = finish(&mut person, "right", &state).await?;
        assert_eq!(response.status, StatusCode::CONFLICT, "{name}");
        assert_eq!(
            person.get("/").await?.status,
            StatusCode::SEE_OTHER,
            "{name}"
        );
        assert_eq!(world.store.accounts().await?.len(), 1, "{name}");
        let entries = world.store.entries(None, None, 1).await?;
        let noted = entries.iter().any(|one| one.entry.action == "refuseSignIn");
        // An identity that the provider does not confirm has no verified email address.
        let shown = name.ends_with("address") || name.ends_with("domain");
        assert_eq!(noted, shown, "{name}");
        assert!(!response.body.contains("<b>@"), "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn a_sign_in_of_another_browser_is_rejected() -> TestResult {
    let service = IdentityProvider::start().await?;
    let world = World::with_service(ORIGIN, Some(service.settings())).await?;
    let (mut mallory, mut victim) = (world.stranger(), world.stranger());
    let state = begin(&service, &world, &mut mallory).await?;
    // The victim is sent to the callback URL with the code of the attacker.
    for _ in 0..2 {
        let response = finish(&mut victim, "right", &state).await?;
        assert_eq!(response.status, StatusCode::CONFLICT);
        assert_eq!(victim.get("/").await?.status, StatusCode::SEE_OTHER);
        begin(&service, &world, &mut victim).await?;
    }
    for (code, state) in [
        ("right", "x"),
        ("right", ""),
        ("", &*state),
        ("wrong", &*state),
    ] {
        let response = finish(&mut mallory, code, state).await?;
        assert_eq!(response.status, StatusCode::CONFLICT);
    }
    Ok(())
}

#[tokio::test]
async fn an_unreachable_provider_is_reported_and_passwords_still_work() -> TestResult {
    let service = IdentityProvider::start().await?;
    let mut settings = service.settings();
    settings.provider.issuer = "http://127.0.0.1:9".to_owned();
    let world = World::with_service(ORIGIN, Some(settings)).await?;
    let response = world.stranger().get("/sign-in/oidc").await?;
    assert_eq!(response.status, StatusCode::CONFLICT);
    assert!(
        response.body.contains("sign in with a password"),
        "{}",
        response.body
    );
    assert_eq!(world.anna().await?.get("/").await?.status, StatusCode::OK);
    Ok(())
}
