//! A stand-in for an OpenID Connect provider, whose every response a test can make wrong.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::browser::AuthorizationRequest;
use super::{PROVIDER_KEY, SECRET, encoded, now};
use svc_test_support::keys::{ed25519_jwk, eddsa_token};

/// What the provider says; a test changes one of them.
#[derive(Debug, Clone)]
pub(super) struct ProviderState {
    /// Claims of the ID token besides those of the protocol, which they replace.
    pub(super) claims: Map<String, Value>,
    /// Claims of the userinfo endpoint.
    pub(super) user_info: Map<String, Value>,
    /// What the key that signs is made from.
    pub(super) key: u8,
    /// Header of ID tokens, if it is another than that of the key.
    pub(super) header: Option<&'static str>,
    /// Whether responses name the issuer (RFC 9207).
    pub(super) has_issuer_parameter: bool,
    /// Whether the client secret is expected in the body.
    pub(super) secret_in_body: bool,
    /// Whether the provider does not respond.
    pub(super) is_down: bool,
    nonce: String,
    challenge: String,
    redirect_uri: String,
    used_challenges: BTreeSet<String>,
    /// Number of requests to the token endpoint.
    pub(super) exchanges: usize,
}

/// A provider on this machine. It stays until the process ends.
#[derive(Debug, Clone)]
pub(super) struct TestProvider {
    pub(super) issuer: String,
    state: Arc<Mutex<ProviderState>>,
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

impl TestProvider {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let state = ProviderState {
            claims: object(json!({
                "sub": "user-1", "sid": "session-1", "name": "Ada Lovelace",
                "email": "ada@example.com", "email_verified": true, "groups": ["staff"],
            })),
            user_info: object(json!({"sub": "user-1"})),
            key: PROVIDER_KEY,
            header: None,
            has_issuer_parameter: false,
            secret_in_body: false,
            is_down: false,
            nonce: String::new(),
            challenge: String::new(),
            redirect_uri: String::new(),
            used_challenges: BTreeSet::new(),
            exchanges: 0,
        };
        let provider = Self {
            issuer,
            state: Arc::new(Mutex::new(state)),
        };
        let served = provider.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away is no problem of the provider.
                let _ = served.serve(stream);
            }
        });
        provider
    }

    pub(super) fn state(&self) -> MutexGuard<'_, ProviderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, claims: Value) {
        self.state().claims.extend(object(claims));
    }

    /// Checks the URL of an authorization request, and remembers it.
    pub(super) fn expect(&self, location: &str) -> AuthorizationRequest {
        let url = Url::parse(location).unwrap();
        assert_eq!(url.origin().ascii_serialization(), self.issuer);
        let request = AuthorizationRequest { url };
        assert_eq!(request.parameter("response_type"), "code");
        assert_eq!(request.parameter("client_id"), "docs");
        assert_eq!(request.parameter("code_challenge_method"), "S256");
        assert_eq!(request.parameter("scope"), "openid email profile");
        let secrets = ["state", "nonce", "code_challenge"].map(|name| request.parameter(name));
        assert!(
            secrets.iter().all(|secret| secret.len() == 43),
            "{secrets:?}"
        );
        let mut state = self.state();
        state.nonce = request.parameter("nonce");
        state.challenge = request.parameter("code_challenge");
        state.redirect_uri = request.parameter("redirect_uri");
        drop(state);
        request
    }

    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        if self.state().is_down {
            return Ok(());
        }
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut line, mut head, mut length) = (String::new(), Vec::new(), 0);
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head.push(line.trim().to_owned());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let path = head.first().and_then(|first| first.split(' ').nth(1));
        let document = self.respond(path.unwrap_or_default(), &head, &body);
        let (status, body) = match document {
            Some(document) => ("200 OK", document.to_string()),
            None => (
                "400 Bad Request",
                json!({"error": "invalid_grant"}).to_string(),
            ),
        };
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    fn respond(&self, path: &str, head: &[String], body: &[u8]) -> Option<Value> {
        let issuer = &self.issuer;
        let state = self.state().clone();
        match path {
            "/.well-known/openid-configuration" => Some(json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}/token"),
                "userinfo_endpoint": format!("{issuer}/userinfo"),
                "jwks_uri": format!("{issuer}/keys"),
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["EdDSA", "none", "HS256"],
                "token_endpoint_auth_methods_supported":
                    [if state.secret_in_body { "client_secret_post" } else { "client_secret_basic" }],
                "authorization_response_iss_parameter_supported": state.has_issuer_parameter,
            })),
            "/keys" => Some(json!({"keys": [ed25519_jwk(PROVIDER_KEY)]})),
            "/userinfo" => {
                let bearer = "authorization: bearer access";
                let knows = head.iter().any(|line| line.eq_ignore_ascii_case(bearer));
                knows.then(|| Value::Object(state.user_info))
            }
            "/token" => self.exchange(&state, head, body),
            _ => None,
        }
    }

    /// The tokens for the right code, which is valid once for each request.
    fn exchange(&self, state: &ProviderState, head: &[String], body: &[u8]) -> Option<Value> {
        self.state().exchanges += 1;
        let fields: Vec<_> = url::form_urlencoded::parse(body).collect();
        let field = |name: &str| {
            let mut own = fields.iter().filter(|(own, _)| own == name);
            own.next().map(|(_, value)| value.as_ref())
        };
        let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")?));
        let basic = STANDARD.encode(format!("docs:{}", encoded(SECRET)));
        let basic = format!("authorization: Basic {basic}");
        let header = head.iter().find(|line| {
            let name = line.split(':').next();
            name.is_some_and(|name| name.eq_ignore_ascii_case("authorization"))
        });
        let header = header.map(|line| line.replacen("Authorization", "authorization", 1));
        let is_authenticated = match state.secret_in_body {
            true => field("client_secret") == Some(SECRET) && header.is_none(),
            false => header.as_deref() == Some(&basic),
        };
        let is_valid = is_authenticated
            && field("code") == Some("right")
            && proof == state.challenge
            && field("redirect_uri") == Some(&state.redirect_uri)
            && self.state().used_challenges.insert(proof);
        if !is_valid {
            return None;
        }
        let mut claims = object(json!({
            "iss": self.issuer, "aud": "docs", "nonce": state.nonce,
            "iat": now(), "exp": now() + 300,
        }));
        claims.extend(state.claims.clone());
        let mut id_token = eddsa_token(state.key, "JWT", &Value::Object(claims));
        if let Some(header) = state.header {
            let (_, rest) = id_token.split_once('.')?;
            id_token = format!("{}.{rest}", URL_SAFE_NO_PAD.encode(header));
        }
        Some(json!({"access_token": "access", "token_type": "Bearer", "id_token": id_token}))
    }
}
