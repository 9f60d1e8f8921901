//! Sessions that a provider ends (OpenID Connect Back-Channel Logout 1.0).

use http::{StatusCode, header};
use serde_json::{Map, Value, json};
use tracing::warn;

use super::body::read_form;
use super::oidc::{ReaderProvider, TokenError, verified_claims};
use super::query::Query;
use super::revocations::RevokedSessions;
use super::{Readers, claims, now};
use crate::oidc::jws::{MAX_TOKEN_BYTES, SignedClaims};
use crate::reply::{self, Response};
use crate::service::Upload;

/// Path to which the provider sends logout tokens, relative to the base path.
pub(super) const LOGOUT_PATH: &str = "/_svc/sign-in/logout";
/// The event of a logout token (section 2.4).
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// Maximum age of a token in seconds.
const MAX_AGE_SECONDS: i64 = 300;
/// Maximum difference between the clocks in seconds.
const CLOCK_SKEW_SECONDS: i64 = 60;

/// Why a logout token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum LogoutTokenError {
    #[error("the logout token is missing")]
    Missing,
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error("the issuer of the token is another one")]
    Issuer,
    #[error("the token is for another client")]
    Audience,
    #[error("the token has expired, or is not valid yet")]
    Time,
    #[error("the token is not a logout token")]
    Event,
    #[error("the token names neither a session nor a user")]
    Sessions,
    #[error("the token has been used before")]
    Repeated,
    #[error("the store is not available")]
    Store,
}

impl Readers {
    /// Ends the sessions that a logout token names.
    pub(super) async fn back_channel_logout(&self, upload: Upload) -> Option<Response> {
        let provider = self.0.provider.as_ref()?;
        let body = read_form(upload.body, MAX_TOKEN_BYTES + 1_024).await;
        let result = match &body {
            Some(body) => self.end_sessions(provider, body).await,
            None => Err(LogoutTokenError::Missing),
        };
        Some(match result {
            Ok(()) => respond(StatusCode::OK, &json!({})),
            Err(error) => {
                warn!("back-channel logout of readers: {error}");
                let status = match error {
                    LogoutTokenError::Token(TokenError::Provider(_)) | LogoutTokenError::Store => {
                        StatusCode::SERVICE_UNAVAILABLE
                    }
                    _ => StatusCode::BAD_REQUEST,
                };
                let document =
                    json!({"error": "invalid_request", "error_description": error.to_string()});
                respond(status, &document)
            }
        })
    }

    async fn end_sessions(
        &self,
        provider: &ReaderProvider,
        body: &[u8],
    ) -> Result<(), LogoutTokenError> {
        let token = Query::parse_bytes(body).get("logout_token");
        let token = token.ok_or(LogoutTokenError::Missing)?;
        let now = now();
        let signed = verified_claims(provider, &token, now).await?;
        let (issuer, client) = (
            &provider.settings.provider.issuer,
            &provider.settings.provider.client_id,
        );
        let until = check(&signed, (issuer, client), now)?;
        let claims = &signed.claims;
        let id = claims::text(claims, "jti").ok_or(LogoutTokenError::Event)?;
        // A session ID names one session, a subject without it all sessions of the user.
        let sessions = [
            claims
                .get("sid")
                .and_then(Value::as_str)
                .map(RevokedSessions::SessionId),
            claims
                .get("sub")
                .and_then(Value::as_str)
                .map(RevokedSessions::Subject),
        ];
        let sessions = sessions.into_iter().flatten().next();
        let sessions = sessions.ok_or(LogoutTokenError::Sessions)?;
        let project = &*self.0.project;
        let state = &self.0.state;
        let claimed = state.claim(&[project, "logout", &id], until, now).await;
        match claimed {
            Ok(true) => state.revoke(project, sessions),
            Ok(false) => return Err(LogoutTokenError::Repeated),
            Err(_) => return Err(LogoutTokenError::Store),
        }
        Ok(())
    }
}

/// Checks the claims of a logout token (section 2.6). Returns the second at which it expires.
fn check(
    signed: &SignedClaims,
    (issuer, client): (&str, &str),
    now: i64,
) -> Result<i64, LogoutTokenError> {
    let claims = &signed.claims;
    let is_type = |name: &String| name == "logout+jwt" || name == "jwt";
    if !signed.token_type.as_ref().is_none_or(is_type) {
        return Err(LogoutTokenError::Event);
    }
    if claims.get("iss").and_then(Value::as_str) != Some(issuer) {
        return Err(LogoutTokenError::Issuer);
    }
    if !has_audience(claims, client) {
        return Err(LogoutTokenError::Audience);
    }
    let event = claims.get("events").and_then(|events| events.get(EVENT));
    // An ID token has a nonce: it must not be used as a logout token.
    if !event.is_some_and(Value::is_object) || claims.contains_key("nonce") {
        return Err(LogoutTokenError::Event);
    }
    let time = |name: &str| claims.get(name).and_then(Value::as_i64);
    let issued_at = time("iat").ok_or(LogoutTokenError::Time)?;
    let oldest = issued_at.saturating_add(MAX_AGE_SECONDS);
    let until = time("exp").unwrap_or(oldest).min(oldest);
    let until = until.saturating_add(CLOCK_SKEW_SECONDS);
    let is_issued = issued_at <= now.saturating_add(CLOCK_SKEW_SECONDS);
    match is_issued && now < until {
        true => Ok(until),
        false => Err(LogoutTokenError::Time),
    }
}

/// Whether a token is for a client.
pub(super) fn has_audience(claims: &Map<String, Value>, client: &str) -> bool {
    match claims.get("aud") {
        Some(Value::String(own)) => own == client,
        Some(Value::Array(all)) => all.iter().any(|own| own.as_str() == Some(client)),
        _ => false,
    }
}

fn respond(status: StatusCode, document: &Value) -> Response {
    let mut response = reply::json(status, document);
    reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_at(change: &Value, token_type: Option<&str>, now: i64) -> Option<LogoutTokenError> {
        let mut claims = json!({
            "iss": "https://id.example", "aud": ["docs"], "iat": 1_000, "exp": 1_120, "jti": "1",
            "sub": "u", "events": {EVENT: {}},
        });
        for (name, value) in change.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let signed = SignedClaims {
            token_type: token_type.map(str::to_owned),
            claims: serde_json::from_value(claims).unwrap(),
        };
        check(&signed, ("https://id.example", "docs"), now).err()
    }

    #[test]
    fn only_recent_logout_tokens_for_this_client_are_accepted() {
        let wrong = |change: Value| check_at(&change, None, 1_000);
        assert_eq!(wrong(json!({})), None);
        assert_eq!(wrong(json!({"aud": "docs"})), None);
        assert_eq!(
            wrong(json!({"aud": "other"})),
            Some(LogoutTokenError::Audience)
        );
        assert_eq!(
            wrong(json!({"aud": null})),
            Some(LogoutTokenError::Audience)
        );
        let issuer = json!({"iss": "https://id.example/"});
        assert_eq!(wrong(issuer), Some(LogoutTokenError::Issuer));
        assert_eq!(wrong(json!({"events": {}})), Some(LogoutTokenError::Event));
        assert_eq!(wrong(json!({"nonce": "n"})), Some(LogoutTokenError::Event));
        assert_eq!(wrong(json!({"iat": null})), Some(LogoutTokenError::Time));
        assert_eq!(wrong(json!({"iat": 1_100})), Some(LogoutTokenError::Time));
        let none = json!({});
        assert_eq!(check_at(&none, Some("logout+jwt"), 1_000), None);
        assert_eq!(
            check_at(&none, Some("at+jwt"), 1_000),
            Some(LogoutTokenError::Event)
        );
        assert_eq!(check_at(&none, None, 1_179), None);
        assert_eq!(check_at(&none, None, 1_180), Some(LogoutTokenError::Time));
        let late = json!({"exp": 9_999_999});
        assert_eq!(check_at(&late, None, 1_360), Some(LogoutTokenError::Time));
    }
}
