//! A sign-in at an OpenID Connect provider that has begun: a signed cookie of the browser.
//!
//! `state`, `nonce` and the code verifier of PKCE are derived from the cookie with the key of the
//! server, so that the cookie of another browser is of no use, and any server with the same key can
//! complete the sign-in. Each sign-in has a cookie of its own: several tabs can sign in at once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use http::HeaderMap;
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use super::cookies::{CookieScope, cookies};
use crate::oidc::SignInSecrets;

/// Timeout of a sign-in in seconds.
pub(super) const SIGN_IN_SECONDS: i64 = 600;
/// Maximum length of the path to go to afterwards. Requests with several cookies must stay small.
const MAX_NEXT_BYTES: usize = 600;
/// Maximum number of sign-ins of one browser; others are forgotten.
const MAX_PENDING: usize = 8;
/// What the names of the cookies begin with, after a prefix.
const NAME: &str = "svc_sign_in_";

/// A sign-in that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingSignIn {
    /// Random ID.
    pub(super) id: String,
    begun_at: i64,
    /// Whether the reader sees nothing of it.
    pub(super) is_silent: bool,
    /// Path and query of the page to go to afterwards.
    pub(super) next: String,
}

/// Signs sign-ins that have begun. `client` identifies the client at the provider.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingKey<'a> {
    pub(super) key: &'a [u8; 32],
    pub(super) client: &'a [u8],
}

impl PendingKey<'_> {
    fn derive(self, purpose: &str, payload: &str) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.key).ok()?;
        for part in [purpose.as_bytes(), self.client, payload.as_bytes()] {
            mac.update(&part.len().to_le_bytes());
            mac.update(part);
        }
        Some(URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    }
}

impl PendingSignIn {
    /// A sign-in that begins now. `None` if the system has no random numbers. A path that is too
    /// long becomes `home`.
    pub(super) fn begin(next: &str, home: &str, is_silent: bool, now: i64) -> Option<Self> {
        let mut id = [0; 16];
        getrandom::fill(&mut id).ok()?;
        Some(Self {
            id: URL_SAFE_NO_PAD.encode(id),
            begun_at: now,
            is_silent,
            next: match next.len() <= MAX_NEXT_BYTES {
                true => next.to_owned(),
                false => home.to_owned(),
            },
        })
    }

    /// The sign-in of a browser with this `state`.
    pub(super) fn find(
        headers: &HeaderMap,
        scope: CookieScope<'_>,
        key: PendingKey<'_>,
        state: &str,
        now: i64,
    ) -> Option<Self> {
        let prefix = scope.name(NAME);
        let pending = cookies(headers).filter_map(|(name, value)| {
            let pending = Self::read(&value, key)?;
            (name.strip_prefix(&prefix)? == pending.id).then_some(pending)
        });
        let mut fresh = pending.filter(|pending| {
            let age = now.saturating_sub(pending.begun_at);
            (0..SIGN_IN_SECONDS).contains(&age)
        });
        fresh.find(|pending| {
            let own = pending.secrets(key).map(|secrets| secrets.state);
            own.is_some_and(|own| own.as_bytes().ct_eq(state.as_bytes()).into())
        })
    }

    /// Secrets of the sign-in.
    pub(super) fn secrets(&self, key: PendingKey<'_>) -> Option<SignInSecrets> {
        let payload = self.payload();
        Some(SignInSecrets {
            state: key.derive("state", &payload)?,
            nonce: key.derive("nonce", &payload)?,
            verifier: key.derive("verifier", &payload)?,
        })
    }

    /// The cookie, and those that make room for it.
    pub(super) fn cookies(
        &self,
        headers: &HeaderMap,
        scope: CookieScope<'_>,
        key: PendingKey<'_>,
    ) -> Option<Vec<String>> {
        let payload = self.payload();
        let signature = key.derive("cookie", &payload)?;
        let value = format!("{}.{signature}", URL_SAFE_NO_PAD.encode(payload));
        let prefix = scope.name(NAME);
        let known: Vec<String> = cookies(headers)
            .map(|(name, _)| name)
            .filter(|name| name.starts_with(&prefix))
            .collect();
        let mut out = vec![scope.cookie(self.cookie_name(scope), value, SIGN_IN_SECONDS)];
        if known.len() >= MAX_PENDING {
            out.extend(known.into_iter().map(|name| scope.clear(name)));
        }
        Some(out)
    }

    /// A cookie that deletes that of the sign-in.
    pub(super) fn clear(&self, scope: CookieScope<'_>) -> String {
        scope.clear(self.cookie_name(scope))
    }

    /// Second at which the sign-in expires.
    pub(super) const fn until(&self) -> i64 {
        self.begun_at.saturating_add(SIGN_IN_SECONDS)
    }

    fn cookie_name(&self, scope: CookieScope<'_>) -> String {
        scope.name(&format!("{NAME}{}", self.id))
    }

    fn payload(&self) -> String {
        let is_silent = u8::from(self.is_silent);
        format!("{} {} {is_silent} {}", self.id, self.begun_at, self.next)
    }

    fn read(value: &str, key: PendingKey<'_>) -> Option<Self> {
        let (payload, signature) = value.split_once('.')?;
        let payload = String::from_utf8(URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        let own = key.derive("cookie", &payload)?;
        if !bool::from(own.as_bytes().ct_eq(signature.as_bytes())) {
            return None;
        }
        let mut parts = payload.splitn(4, ' ');
        Some(Self {
            id: parts.next()?.to_owned(),
            begun_at: parts.next()?.parse().ok()?,
            is_silent: parts.next()? == "1",
            next: parts.next()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOPE: CookieScope<'_> = CookieScope {
        is_encrypted: true,
        base_path: "",
    };
    const KEY: PendingKey<'_> = PendingKey {
        key: &[7; 32],
        client: b"issuer client",
    };

    fn headers(cookies: &[String]) -> HeaderMap {
        let pairs = cookies.iter().filter_map(|cookie| cookie.split(';').next());
        let line = pairs.collect::<Vec<_>>().join("; ");
        HeaderMap::from_iter([(http::header::COOKIE, line.parse().unwrap())])
    }

    #[test]
    fn only_the_browser_that_began_finds_its_sign_in_in_time() {
        let none = HeaderMap::new();
        let (one, two) = (
            PendingSignIn::begin("/a b", "/", false, 100).unwrap(),
            PendingSignIn::begin("/c", "/", true, 100).unwrap(),
        );
        let mut cookies = one.cookies(&none, SCOPE, KEY).unwrap();
        cookies.extend(two.cookies(&none, SCOPE, KEY).unwrap());
        let state = one.secrets(KEY).unwrap().state;
        let find = |cookies: &[String], key, state: &str, now| {
            PendingSignIn::find(&headers(cookies), SCOPE, key, state, now)
        };
        assert_eq!(find(&cookies, KEY, &state, 100), Some(one.clone()));
        assert_eq!(find(&cookies, KEY, &state, 699), Some(one));
        assert_eq!(find(&cookies, KEY, &state, 700), None);
        assert_eq!(find(&cookies[1..], KEY, &state, 100), None);
        assert_eq!(find(&cookies, KEY, "", 100), None);
        let other_client = PendingKey {
            client: b"other",
            ..KEY
        };
        assert_eq!(find(&cookies, other_client, &state, 100), None);
        let renamed = vec![cookies[0].replacen(&two.id[..4], "AAAA", 1)];
        assert_eq!(
            find(&renamed, KEY, &two.secrets(KEY).unwrap().state, 100),
            None
        );
    }

    #[test]
    fn secrets_are_different_and_the_cookies_of_a_browser_are_few() {
        let pending = PendingSignIn::begin(&"x".repeat(700), "/", false, 0).unwrap();
        assert_eq!(pending.next, "/");
        let secrets = pending.secrets(KEY).unwrap();
        assert_eq!(secrets.verifier.len(), 43);
        assert!(secrets.state != secrets.nonce && secrets.nonce != secrets.verifier);
        let known: Vec<String> = (0..MAX_PENDING)
            .map(|number| format!("__Host-{NAME}{number}=x"))
            .collect();
        let cookies = pending.cookies(&headers(&known), SCOPE, KEY).unwrap();
        assert_eq!(cookies.len(), 1 + MAX_PENDING);
        assert!(cookies[1].contains("Max-Age=0"));
    }
}
