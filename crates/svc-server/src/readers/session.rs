//! Sessions of readers: a signed cookie.
//!
//! The signature covers what the reader signed in with, such as the hash of the password, so that
//! a session ends when it changes or is removed. All servers with the same key know all sessions.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::Sha256;
use svc_admin_api::reader::SignInMethod;
use svc_admin_api::{ProjectId, ReaderSessionId, Timestamp, reader};

use super::cookies::{CookieScope, values};
use super::revocations::RevokedSessions;
use crate::SystemRandom;

/// Seconds without a request after which a session ends.
const IDLE_SECONDS: i64 = 12 * 3_600;
/// Maximum age of a session in seconds.
pub(super) const MAX_AGE_SECONDS: i64 = 7 * 24 * 3_600;
/// Age of a cookie in seconds after which it is replaced by one with the time of the request.
const RENEWAL_SECONDS: i64 = 10 * 60;
/// Maximum size of name and value of the cookie: browsers drop larger ones.
const MAX_COOKIE_BYTES: usize = 3_900;
/// What the signatures of sessions begin with.
const PURPOSE: &[u8] = b"session\0";

/// A session of a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReaderSession {
    /// Stands for the session in the administration; `None` if it began at an older version.
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<ReaderSessionId>,
    #[serde(rename = "n")]
    pub(super) name: String,
    #[serde(rename = "p")]
    pub(super) proof: SignInProof,
    /// Seconds since the beginning of 1970 at which the reader signed in.
    #[serde(rename = "b")]
    pub(super) signed_in_at: i64,
    /// The same for the request to which the cookie was sent.
    #[serde(rename = "s")]
    seen_at: i64,
    /// The same for the end of the session, if the sign-in says one.
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<i64>,
}

/// How a reader signed in, and what is known from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SignInProof {
    /// With a password. Everything else is in the settings.
    #[serde(rename = "p")]
    Password,
    /// At an OpenID Connect provider.
    #[serde(rename = "o")]
    Oidc(OidcProof),
    /// At a page of the operator.
    #[serde(rename = "h")]
    Handover(HandoverProof),
}

/// What an OpenID Connect provider says about a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OidcProof {
    /// Identifier of the user at the provider (`sub`).
    #[serde(rename = "i")]
    pub(super) subject: String,
    /// Identifier of the session at the provider (`sid`).
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub(super) session_id: Option<String>,
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub(super) email: Option<String>,
    #[serde(rename = "g", default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) groups: BTreeSet<String>,
    /// Time of the last confirmation by the provider.
    #[serde(rename = "v")]
    pub(super) verified_at: i64,
    /// Time after which the provider has to confirm the sign-in.
    #[serde(rename = "r")]
    pub(super) renew_at: i64,
}

/// What a page of the operator says about a reader.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct HandoverProof {
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub(super) email: Option<String>,
    #[serde(rename = "g", default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) groups: BTreeSet<String>,
    /// Values for text of pages.
    #[serde(rename = "c", default, skip_serializing_if = "Map::is_empty")]
    pub(super) content: Map<String, Value>,
    /// Values for the fields of the API playground.
    #[serde(rename = "a", default, skip_serializing_if = "Map::is_empty")]
    pub(super) playground_inputs: Map<String, Value>,
}

impl SignInProof {
    /// What an OpenID Connect provider says.
    pub(super) const fn oidc(&self) -> Option<&OidcProof> {
        match self {
            Self::Oidc(proof) => Some(proof),
            Self::Password | Self::Handover(_) => None,
        }
    }
}

impl ReaderSession {
    /// A session that begins now.
    pub(super) fn begin(name: &str, proof: SignInProof, now: i64) -> Self {
        Self {
            // Without random numbers nothing else works either; then the session has no record.
            id: ReaderSessionId::generate(&SystemRandom).ok(),
            name: name.to_owned(),
            proof,
            signed_in_at: now,
            seen_at: now,
            until: None,
        }
    }

    /// The cookie with the session of a request.
    pub(super) fn find(headers: &HeaderMap, scope: CookieScope<'_>) -> Option<String> {
        values(headers, &scope.session_name()).next()
    }

    /// Reads the session of a cookie. `secret` returns what the signature covers besides the
    /// session; `None` ends it.
    pub(super) fn read(
        value: &str,
        key: &[u8; 32],
        now: i64,
        secret: impl Fn(&Self) -> Option<Vec<u8>>,
    ) -> Option<Self> {
        let (payload, signature) = value.split_once('.')?;
        let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
        // Nothing of the payload is used before the signature is checked, except for the name of
        // the secret that the signature covers.
        let session: Self = serde_json::from_slice(&payload).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let mac = mac(key, &payload, &secret(&session)?)?;
        mac.verify_slice(&signature).ok()?;
        session.is_live(now).then_some(session)
    }

    /// The cookie of the session. `None` if it is too large for browsers.
    pub(super) fn cookie(
        &self,
        scope: CookieScope<'_>,
        key: &[u8; 32],
        secret: &[u8],
    ) -> Option<String> {
        let payload = serde_json::to_vec(self).ok()?;
        let signature = mac(key, &payload, secret)?.finalize().into_bytes();
        let payload = URL_SAFE_NO_PAD.encode(payload);
        let value = format!("{payload}.{}", URL_SAFE_NO_PAD.encode(signature));
        let name = scope.session_name();
        let fits = name.len() + value.len() <= MAX_COOKIE_BYTES;
        fits.then(|| scope.cookie(name, value, MAX_AGE_SECONDS))
    }

    /// Whether the session has not expired.
    pub(super) fn is_live(&self, now: i64) -> bool {
        now < self.expires_at()
    }

    /// Time at which the session ends without another request.
    fn expires_at(&self) -> i64 {
        let idle = self.seen_at.saturating_add(IDLE_SECONDS);
        let end = self.signed_in_at.saturating_add(MAX_AGE_SECONDS);
        idle.min(end).min(self.until.unwrap_or(i64::MAX))
    }

    /// What an administrator sees of the session; `None` if it has no ID.
    pub(super) fn record(&self, project: &str) -> Option<reader::ReaderSession> {
        let (method, email) = match &self.proof {
            SignInProof::Password => (SignInMethod::Password, None),
            SignInProof::Oidc(proof) => (SignInMethod::Oidc, proof.email.clone()),
            SignInProof::Handover(proof) => (SignInMethod::Handover, proof.email.clone()),
        };
        let at = |seconds: i64| Timestamp::from_millis(seconds.saturating_mul(1_000));
        let oidc = self.proof.oidc();
        let session_id = oidc.and_then(|proof| proof.session_id.as_deref());
        Some(reader::ReaderSession {
            id: self.id.clone()?,
            project: ProjectId::parse(project)?,
            name: self.name.clone(),
            email,
            method,
            signed_in_at: at(self.signed_in_at),
            seen_at: at(self.seen_at),
            expires_at: at(self.expires_at()),
            confirmed_at: at(oidc.map_or(self.signed_in_at, |proof| proof.verified_at)),
            subject: oidc.map(|proof| RevokedSessions::Subject(&proof.subject).digest(project)),
            provider_session: session_id.map(|id| RevokedSessions::SessionId(id).digest(project)),
        })
    }

    /// The same session at the time of a request; `None` if its cookie is recent enough.
    pub(super) fn renewed(&self, now: i64) -> Option<Self> {
        let is_due = now.saturating_sub(self.seen_at) >= RENEWAL_SECONDS;
        is_due.then(|| Self {
            seen_at: now,
            ..self.clone()
        })
    }
}

fn mac(key: &[u8; 32], payload: &[u8], secret: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(PURPOSE);
    // JSON has no zero byte.
    mac.update(payload);
    mac.update(b"\0");
    mac.update(secret);
    Some(mac)
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::super::cookies::CookieScope;
    use super::{IDLE_SECONDS, MAX_AGE_SECONDS, ReaderSession, SignInProof};

    const KEY: [u8; 32] = [7; 32];
    const SCOPE: CookieScope<'_> = CookieScope {
        is_encrypted: true,
        base_path: "",
    };

    fn begin(now: i64) -> ReaderSession {
        ReaderSession::begin("ada", SignInProof::Password, now)
    }

    fn cookie(session: &ReaderSession) -> String {
        session.cookie(SCOPE, &KEY, b"h").unwrap()
    }

    /// Whether the session of a cookie is valid.
    fn read(cookie: &str, scope: CookieScope<'_>, key: [u8; 32], now: i64, secret: &str) -> bool {
        let mut headers = HeaderMap::new();
        let pair = cookie.split(';').next().unwrap();
        headers.insert("cookie", pair.parse().unwrap());
        let secret = |session: &ReaderSession| (session.name == "ada").then(|| secret.into());
        ReaderSession::find(&headers, scope)
            .is_some_and(|value| ReaderSession::read(&value, &key, now, secret).is_some())
    }

    #[test]
    fn a_session_ends_with_its_password_its_key_and_its_time() {
        let cookie = cookie(&begin(1_000));
        assert!(cookie.starts_with("__Host-svc_reader=") && cookie.contains("HttpOnly"));
        assert!(read(&cookie, SCOPE, KEY, 1_000, "h"));
        assert!(!read(&cookie, SCOPE, KEY, 1_000, "other password"));
        assert!(!read(&cookie, SCOPE, [8; 32], 1_000, "h"));
        assert!(read(&cookie, SCOPE, KEY, 999 + IDLE_SECONDS, "h"));
        assert!(!read(&cookie, SCOPE, KEY, 1_000 + IDLE_SECONDS, "h"));
        let plain = CookieScope {
            is_encrypted: false,
            ..SCOPE
        };
        assert!(!read(&cookie, plain, KEY, 1_000, "h"), "another name");
    }

    #[test]
    fn a_session_in_use_ends_at_its_maximum_age() {
        let mut session = begin(0);
        let mut now = 0;
        while now + 3_600 < MAX_AGE_SECONDS {
            now += 3_600;
            session = session.renewed(now).unwrap();
            assert_eq!(session.renewed(now + 60), None);
            assert!(read(&cookie(&session), SCOPE, KEY, now, "h"), "{now}");
        }
        assert!(!read(&cookie(&session), SCOPE, KEY, MAX_AGE_SECONDS, "h"));
    }

    #[test]
    fn a_session_ends_at_the_time_of_the_sign_in() {
        let session = ReaderSession {
            until: Some(1_100),
            ..begin(1_000)
        };
        assert!(read(&cookie(&session), SCOPE, KEY, 1_099, "h"));
        assert!(!read(&cookie(&session), SCOPE, KEY, 1_100, "h"));
    }

    #[test]
    fn changed_cookies_are_not_accepted() {
        let cookie = cookie(&begin(1_000));
        let value = cookie.split(';').next().unwrap();
        for at in "__Host-svc_reader=".len()..value.len() {
            let mut changed = value.as_bytes().to_vec();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last digit of base64 has unused bits, which must be zero.
            assert!(!read(&changed, SCOPE, KEY, 1_000, "h"), "{at}");
        }
    }

    #[test]
    fn below_a_path_the_cookie_is_bound_to_it() {
        let scope = CookieScope {
            base_path: "/docs",
            ..SCOPE
        };
        let cookie = begin(0).cookie(scope, &KEY, b"h").unwrap();
        assert!(cookie.starts_with("__Secure-svc_reader=") && cookie.contains("Path=/docs"));
        assert!(scope.clear_session().contains("Max-Age=0"));
    }

    #[test]
    fn a_session_that_browsers_would_drop_has_no_cookie() {
        let mut session = begin(0);
        session.name = "a".repeat(4_000);
        assert_eq!(session.cookie(SCOPE, &KEY, b"h"), None);
    }
}
