//! Readers who come from a page of the operator with a signed token in the fragment of the URL.
//!
//! The fragment is not sent to servers. A script of the page at [`CALLBACK_PATH`] sends it in a
//! form.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::request::Parts;
use http::{StatusCode, header};
use openidconnect::core::{CoreJsonCurveType, CoreJsonWebKey};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use svc_site::{SignInFailure, Site};
use tracing::warn;

use super::body::read_form;
use super::oidc::to_page;
use super::query::Query;
use super::responses::{sign_in_entity, vary};
use super::session::{HandoverProof, ReaderSession, SignInProof};
use super::sign_in::{self, languages, next_path};
use super::{Readers, claims, now, scope};
use crate::oidc::jws::{self, JwsError, MAX_TOKEN_BYTES};
use crate::relay::is_same_origin;
use crate::reply::{self, Response};
use crate::service::Upload;
use crate::settings::HandoverSettings;
use crate::sites::{canonical, requested_host};

/// Path of the page with the token in its fragment, relative to the base path. It is that of
/// Mintlify.
pub(super) const CALLBACK_PATH: &str = "/login/jwt-callback";
/// Path to which the form with the token is sent, relative to the base path.
pub(super) const HANDOVER_PATH: &str = "/_svc/sign-in/handover";
/// Maximum time between now and the end of a token in seconds.
const MAX_LIFETIME_SECONDS: i64 = 10;
/// Maximum difference between the clocks in seconds.
const CLOCK_SKEW_SECONDS: i64 = 5;

/// Why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum HandoverError {
    #[error("the token is missing")]
    Missing,
    #[error(transparent)]
    Signature(#[from] JwsError),
    #[error("the token has expired, or is valid for more than ten seconds")]
    Time,
    #[error("the `host` of the token is another one")]
    Host,
    #[error("the token has been used before")]
    Repeated,
    #[error("the store is not available, so that it is not known whether the token was used")]
    Store,
    #[error("the session has ended: `expiresAt`")]
    SessionEnd,
    #[error("the content of the token does not fit into a cookie")]
    Size,
}

impl Readers {
    /// The page that sends the token of its fragment.
    pub(super) fn handover_page(&self, site: &Site, parts: &Parts) -> Option<Response> {
        self.0.identification.settings().handover.as_ref()?;
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let next = next_path(site, query.get("redirect"));
        let page = site.handover_page(&languages(&parts.headers), HANDOVER_PATH, &next);
        let digest = STANDARD.encode(Sha256::digest(page.script));
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        );
        let entity = sign_in_entity(page.html, policy);
        let mut response = vary(entity.into_response(parts));
        reply::set_header(&mut response, header::REFERRER_POLICY, "no-referrer");
        Some(response)
    }

    /// Begins the session of a token.
    pub(super) async fn hand_over(
        &self,
        site: &Arc<Site>,
        parts: &Parts,
        upload: Upload,
    ) -> Option<Response> {
        let settings = self.0.identification.settings().handover.as_ref()?;
        if !is_same_origin(parts) {
            let text = "The form must be sent from a page of this site.";
            return Some(reply::plain(StatusCode::FORBIDDEN, text));
        }
        let body = read_form(upload.body, MAX_TOKEN_BYTES + 8_192).await;
        let body = body.unwrap_or_default();
        let form = Query::parse_bytes(&body);
        let next = next_path(site, form.get("next"));
        let token = form.get("token").unwrap_or_default();
        match self.session_of(settings, site, parts, &token).await {
            Ok(cookie) => {
                self.0.state.0.attempts.record(Ok(()));
                Some(to_page(&next, vec![cookie]))
            }
            Err(error) => {
                warn!("hand-over of a reader: {error}");
                let failure = match error {
                    HandoverError::Size => SignInFailure::TooManyGroups,
                    _ => SignInFailure::Incomplete,
                };
                let failed = (failure, StatusCode::FORBIDDEN);
                Some(sign_in::failure_page(self, site, parts, &next, failed).await)
            }
        }
    }

    /// The cookie of the session of a token.
    async fn session_of(
        &self,
        settings: &HandoverSettings,
        site: &Site,
        parts: &Parts,
        token: &str,
    ) -> Result<String, HandoverError> {
        let token = token.trim().trim_start_matches('#');
        if token.is_empty() {
            return Err(HandoverError::Missing);
        }
        let public_key = settings.public_key.to_vec();
        let key = CoreJsonWebKey::new_okp(public_key, CoreJsonCurveType::Ed25519, None);
        let claims = jws::verify(token, &[key])?.claims;
        let now = now();
        let until = check_times(&claims, now)?;
        let host = requested_host(parts).and_then(canonical);
        let own = claims
            .get("host")
            .and_then(Value::as_str)
            .and_then(canonical);
        if own.is_none() || own != host {
            return Err(HandoverError::Host);
        }
        // What is signed occurs in one token only, whatever the encoding of the signature.
        let signed = token.rsplit_once('.').map_or(token, |(signed, _)| signed);
        let id = [&*self.0.project, "handover", signed];
        match self.0.state.claim(&id, until, now).await {
            Ok(true) => {}
            Ok(false) => return Err(HandoverError::Repeated),
            Err(_) => return Err(HandoverError::Store),
        }
        let session = session(&claims, now)?;
        let key = self.0.identification.key();
        let cookie = session.cookie(scope(site, parts), key, &settings.public_key);
        let cookie = cookie.ok_or(HandoverError::Size)?;
        self.0.state.record_session(&self.0.project, &session);
        Ok(cookie)
    }
}

/// Checks when a token is valid. Returns the second at which it expires.
fn check_times(claims: &Map<String, Value>, now: i64) -> Result<i64, HandoverError> {
    let time = |name: &str| seconds(claims.get(name)?);
    let until = time("exp").ok_or(HandoverError::Time)?;
    let lifetime = match time("iat") {
        Some(issued_at) => until.saturating_sub(issued_at),
        None => until.saturating_sub(now).saturating_sub(CLOCK_SKEW_SECONDS),
    };
    let latest = now + MAX_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS;
    let is_valid = now < until.saturating_add(CLOCK_SKEW_SECONDS)
        && until <= latest
        && lifetime <= MAX_LIFETIME_SECONDS;
    match is_valid {
        true => Ok(until.saturating_add(CLOCK_SKEW_SECONDS)),
        false => Err(HandoverError::Time),
    }
}

/// The session that a token describes. The names of the claims are those of Mintlify.
fn session(claims: &Map<String, Value>, now: i64) -> Result<ReaderSession, HandoverError> {
    let until = match claims.get("expiresAt") {
        None | Some(Value::Null) => None,
        Some(time) => Some(seconds(time).filter(|until| *until > now)),
    };
    let until = match until {
        Some(None) => return Err(HandoverError::SessionEnd),
        Some(until) => until,
        None => None,
    };
    let table = |name: &str| match claims.get(name) {
        Some(Value::Object(table)) => table.clone(),
        _ => Map::new(),
    };
    let content = table("content");
    let name = claims::display_name(claims).or_else(|| claims::display_name(&content));
    let email = claims::text(claims, "email").or_else(|| claims::text(&content, "email"));
    let name = name.or_else(|| email.clone());
    let name = name.unwrap_or_else(|| "reader".to_owned());
    let groups = claims.get("groups");
    let proof = HandoverProof {
        email,
        groups: groups.map_or_else(Default::default, |groups| claims::groups(groups, None)),
        playground_inputs: table("apiPlaygroundInputs"),
        content,
    };
    let mut session = ReaderSession::begin(&name, SignInProof::Handover(proof), now);
    session.until = until;
    Ok(session)
}

/// A time in seconds, without fractions.
fn seconds(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_f64().map(|seconds| seconds as i64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_token_is_valid_for_ten_seconds() {
        let check = |value: Value| check_times(&claims(value), 1_000).is_ok();
        assert!(check(json!({"exp": 1_010, "iat": 1_000})));
        assert!(check(json!({"exp": 1_010})));
        assert!(check(json!({"exp": 996, "iat": 990})), "clocks differ");
        assert!(check(json!({"exp": 1_013, "iat": 1_003})), "clocks differ");
        for wrong in [
            json!({}),
            json!({"exp": null}),
            json!({"exp": "1010"}),
            json!({"exp": 1_020, "iat": 1_000}),
            json!({"exp": 1_011, "iat": 1_000}),
            json!({"exp": 1_016}),
            json!({"exp": 995, "iat": 990}),
            json!({"exp": 9_999_999_999_i64}),
            json!({"exp": i64::MAX, "iat": i64::MAX}),
        ] {
            assert!(!check(wrong.clone()), "{wrong}");
        }
    }

    #[test]
    fn a_session_has_the_content_of_the_token() {
        let token = claims(json!({
            "expiresAt": 2_000, "groups": ["staff", "beta"],
            "content": {"name": "Ada", "plan": "pro"},
            "apiPlaygroundInputs": {"header": {"X-Key": "k"}},
        }));
        let read = session(&token, 1_000).unwrap();
        assert_eq!((read.name.as_str(), read.until), ("Ada", Some(2_000)));
        let SignInProof::Handover(proof) = read.proof else {
            panic!("another proof");
        };
        assert_eq!(proof.groups.len(), 2);
        assert_eq!(proof.content["plan"], "pro");
        assert_eq!(proof.playground_inputs["header"]["X-Key"], "k");
        let ended = claims(json!({"expiresAt": 1_000}));
        assert_eq!(session(&ended, 1_000), Err(HandoverError::SessionEnd));
        let odd = claims(json!({"expiresAt": "soon"}));
        assert_eq!(session(&odd, 1_000), Err(HandoverError::SessionEnd));
        assert_eq!(session(&claims(json!({})), 1_000).unwrap().until, None);
    }
}
