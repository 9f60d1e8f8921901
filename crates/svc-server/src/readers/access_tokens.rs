//! Access tokens of the OpenID Connect provider, for programs (RFC 9068).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use http::request::Parts;
use serde_json::Value;
use svc_admin_api::reader::{ReaderTokenSecret, digest};
use svc_site::Site;
use tracing::debug;

use super::identity::{Reader, bearer};
use super::logout::has_audience;
use super::oidc::{self, verified_claims};
use super::session::SignInProof;
use super::{Readers, now};

/// Maximum number of tokens in memory. Others are verified another time.
const MAX_TOKENS: usize = 1_000;

/// Access tokens that were verified, by their digests, with the second at which they expire.
#[derive(Debug, Default)]
pub(super) struct AccessTokens(Mutex<HashMap<[u8; 32], (Reader, i64)>>);

impl AccessTokens {
    fn get(&self, digest: &[u8; 32], now: i64) -> Option<Reader> {
        let tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (reader, until) = tokens.get(digest)?;
        (now < *until).then(|| reader.clone())
    }

    fn insert(&self, digest: [u8; 32], reader: Reader, until: i64, now: i64) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MAX_TOKENS {
            tokens.retain(|_, (_, until)| now < *until);
        }
        if tokens.len() >= MAX_TOKENS {
            tokens.clear();
        }
        tokens.insert(digest, (reader, until));
    }
}

impl Readers {
    /// The token of a request that has not been verified yet.
    pub(super) fn unverified_token(&self, site: &Site, parts: &Parts) -> Option<String> {
        if let Some(token) = self.unread_token(parts) {
            return Some(token);
        }
        self.0.provider.as_ref()?;
        let token = bearer(parts)?;
        let is_signed = token.bytes().filter(|byte| *byte == b'.').count() == 2;
        let is_known = self.token_reader(site, parts, now()).is_some();
        (is_signed && !is_known).then(|| token.to_owned())
    }

    /// The reader of a verified token.
    pub(super) fn token_reader(&self, site: &Site, parts: &Parts, now: i64) -> Option<Reader> {
        if let Some(reader) = self.stored_reader(parts, now) {
            return Some(reader);
        }
        let (_, digest) = self.resource(site, parts, bearer(parts)?)?;
        self.0.access_tokens.get(&digest, now)
    }

    /// Verifies a token and remembers its reader.
    pub(super) async fn verify_token(&self, site: &Site, parts: &Parts, token: &str) {
        if token.starts_with(ReaderTokenSecret::PREFIX) {
            return self.read_token(token).await;
        }
        if let Err(error) = self.check_token(site, parts, token).await {
            debug!("access token of a reader: {error}");
        }
    }

    async fn check_token(
        &self,
        site: &Site,
        parts: &Parts,
        token: &str,
    ) -> Result<(), &'static str> {
        let provider = self.0.provider.as_ref().ok_or("there is no provider")?;
        let (resource, digest) = self.resource(site, parts, token).ok_or("another host")?;
        let now = now();
        let signed = verified_claims(provider, token, now);
        let claims = signed
            .await
            .map_err(|_| "the signature is not valid")?
            .claims;
        let issuer = claims.get("iss").and_then(Value::as_str);
        if issuer != Some(&provider.settings.provider.issuer) {
            return Err("the issuer is another one");
        }
        // The audience of an ID token is the client, so that it cannot be used as an access token.
        let is_for_site = ["", "/", "/mcp"].iter().any(|path| {
            let resource = format!("{resource}{path}");
            has_audience(&claims, &resource)
        });
        if !is_for_site || claims.contains_key("nonce") {
            return Err("the audience is not this site");
        }
        let time = |name: &str| claims.get(name).and_then(Value::as_i64);
        let until = time("exp").filter(|until| now < *until);
        let until = until.ok_or("the token has expired")?;
        if time("nbf").is_some_and(|begin| now < begin) {
            return Err("the token is not valid yet");
        }
        let issued_at = time("iat").unwrap_or(0).min(now);
        let session = oidc::session(&provider.settings, &claims, issued_at, i64::MAX);
        let session = session.ok_or("the user has no access")?;
        let SignInProof::Oidc(proof) = &session.proof else {
            return Err("the user has no access");
        };
        let reader = Reader {
            name: session.name.clone(),
            email: proof.email.clone(),
            groups: proof.groups.clone(),
            session: None,
            token: Some(proof.clone()),
        };
        self.0.access_tokens.insert(digest, reader, until, now);
        Ok(())
    }

    /// The URL of the site at the host of a request, and the digest of a token there.
    fn resource(&self, site: &Site, parts: &Parts, token: &str) -> Option<(String, [u8; 32])> {
        let origin = self.0.hosts.origin(parts)?;
        let resource = format!("{origin}{}", site.base_path());
        let digest = digest(&[&resource, token]);
        Some((resource, digest))
    }
}
