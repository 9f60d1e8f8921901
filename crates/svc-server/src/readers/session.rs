//! Sessions of readers: a signed cookie.
//!
//! The signature covers the hash of the password, so that a session ends when the password changes
//! or the reader is removed. Nothing is stored: all servers with the same key know all sessions.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cookie::time::Duration as CookieDuration;
use cookie::{Cookie, SameSite};
use hmac::{Hmac, Mac as _};
use http::HeaderMap;
use http::header;
use sha2::Sha256;

use crate::ReaderCredential;

/// Seconds without a request after which a session ends.
const IDLE_SECONDS: i64 = 12 * 3_600;
/// Maximum age of a session in seconds.
const MAX_AGE_SECONDS: i64 = 7 * 24 * 3_600;
/// Age of a cookie in seconds after which it is replaced by one with the time of the request.
const RENEWAL_SECONDS: i64 = 10 * 60;
/// Maximum number of cookies of a request that are examined.
const MAX_COOKIES: usize = 64;

/// A session of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReaderSession {
    pub(super) name: String,
    /// Seconds since the beginning of 1970 at which the reader signed in.
    signed_in_at: i64,
    /// The same for the request to which the cookie was sent.
    seen_at: i64,
}

/// Where the cookie of a site is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CookieScope<'a> {
    /// Whether the request was made over HTTPS.
    pub(super) is_encrypted: bool,
    /// Path prefix of the site.
    pub(super) base_path: &'a str,
}

impl CookieScope<'_> {
    /// With the prefix `__Host-`, browsers accept the cookie only from this host over HTTPS;
    /// with `__Secure-`, which allows a path, only over HTTPS.
    const fn name(self) -> &'static str {
        match (self.is_encrypted, self.base_path.is_empty()) {
            (true, true) => "__Host-svc_reader",
            (true, false) => "__Secure-svc_reader",
            (false, _) => "svc_reader",
        }
    }

    /// A cookie that scripts cannot read. `SameSite=Lax` sends it with links from other sites, but
    /// not with their forms.
    fn cookie(self, value: String, seconds: i64) -> String {
        let path = match self.base_path {
            "" => "/",
            path => path,
        };
        let cookie = Cookie::build((self.name(), value))
            .path(path)
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.is_encrypted)
            .max_age(CookieDuration::seconds(seconds));
        cookie.build().to_string()
    }

    /// A cookie that deletes that of the session.
    pub(super) fn clear(self) -> String {
        self.cookie(String::new(), 0)
    }
}

impl ReaderSession {
    /// A session that begins now.
    pub(super) fn begin(name: &str, now: i64) -> Self {
        Self {
            name: name.to_owned(),
            signed_in_at: now,
            seen_at: now,
        }
    }

    /// Reads the session of a request. `find` returns the reader with a name.
    pub(super) fn read<'c>(
        headers: &HeaderMap,
        scope: CookieScope<'_>,
        key: &[u8; 32],
        now: i64,
        find: impl Fn(&str) -> Option<&'c ReaderCredential>,
    ) -> Option<Self> {
        let lines = headers.get_all(header::COOKIE).iter();
        let cookies = lines.filter_map(|line| line.to_str().ok());
        let cookies = cookies.flat_map(Cookie::split_parse).take(MAX_COOKIES);
        let mut own = cookies
            .flatten()
            .filter(|cookie| cookie.name() == scope.name());
        let value = own.next()?;
        let (payload, signature) = value.value().split_once('.')?;
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        let mut parts = text.splitn(3, ' ');
        let (signed_in_at, seen_at) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let session = Self {
            name: parts.next()?.to_owned(),
            signed_in_at,
            seen_at,
        };
        let reader = find(&session.name)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        session.mac(key, reader)?.verify_slice(&signature).ok()?;
        let is_fresh = now.saturating_sub(signed_in_at) < MAX_AGE_SECONDS
            && now.saturating_sub(seen_at) < IDLE_SECONDS
            && reader.until.is_none_or(|until| now < until);
        is_fresh.then_some(session)
    }

    /// The cookie of the session. `None` only if the key cannot be used, which cannot happen.
    pub(super) fn cookie(
        &self,
        scope: CookieScope<'_>,
        key: &[u8; 32],
        reader: &ReaderCredential,
    ) -> Option<String> {
        let signature = self.mac(key, reader)?.finalize().into_bytes();
        let payload = URL_SAFE_NO_PAD.encode(self.payload());
        let value = format!("{payload}.{}", URL_SAFE_NO_PAD.encode(signature));
        Some(scope.cookie(value, MAX_AGE_SECONDS))
    }

    /// The same session at the time of a request; `None` if its cookie is recent enough.
    pub(super) fn renewed(&self, now: i64) -> Option<Self> {
        let is_due = now.saturating_sub(self.seen_at) >= RENEWAL_SECONDS;
        is_due.then(|| Self {
            seen_at: now,
            ..self.clone()
        })
    }

    fn payload(&self) -> String {
        format!("{} {} {}", self.signed_in_at, self.seen_at, self.name)
    }

    fn mac(&self, key: &[u8; 32], reader: &ReaderCredential) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
        mac.update(self.payload().as_bytes());
        mac.update(b"\0");
        mac.update(reader.hash.reveal().as_bytes());
        Some(mac)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::{CookieScope, IDLE_SECONDS, MAX_AGE_SECONDS, ReaderSession};
    use crate::{ReaderCredential, Secret};

    const KEY: [u8; 32] = [7; 32];
    const SCOPE: CookieScope<'_> = CookieScope {
        is_encrypted: true,
        base_path: "",
    };

    fn reader(hash: &str) -> ReaderCredential {
        ReaderCredential {
            name: "ada".to_owned(),
            hash: Secret::new(hash),
            groups: [].into(),
            until: None,
        }
    }

    /// The name in a request with a cookie.
    fn read(cookie: &str, scope: CookieScope<'_>, key: [u8; 32], now: i64, hash: &str) -> bool {
        let reader = reader(hash);
        let mut headers = HeaderMap::new();
        let pair = cookie.split(';').next().unwrap();
        headers.insert("cookie", pair.parse().unwrap());
        let find = |name: &str| (name == reader.name).then_some(&reader);
        ReaderSession::read(&headers, scope, &key, now, find).is_some()
    }

    #[test]
    fn a_session_ends_with_its_password_its_key_and_its_time() {
        let cookie = ReaderSession::begin("ada", 1_000).cookie(SCOPE, &KEY, &reader("h"));
        let cookie = cookie.unwrap();
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
        let mut session = ReaderSession::begin("ada", 0);
        let mut now = 0;
        while now + 3_600 < MAX_AGE_SECONDS {
            now += 3_600;
            session = session.renewed(now).unwrap();
            assert_eq!(session.renewed(now + 60), None);
            let cookie = session.cookie(SCOPE, &KEY, &reader("h")).unwrap();
            assert!(read(&cookie, SCOPE, KEY, now, "h"), "{now}");
        }
        let cookie = session.cookie(SCOPE, &KEY, &reader("h")).unwrap();
        assert!(!read(&cookie, SCOPE, KEY, MAX_AGE_SECONDS, "h"));
    }

    #[test]
    fn changed_cookies_are_not_accepted() {
        let cookie = ReaderSession::begin("ada", 1_000).cookie(SCOPE, &KEY, &reader("h"));
        let cookie = cookie.unwrap();
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
        let cookie = ReaderSession::begin("ada", 0).cookie(scope, &KEY, &reader("h"));
        let cookie = cookie.unwrap();
        assert!(cookie.starts_with("__Secure-svc_reader=") && cookie.contains("Path=/docs"));
        assert!(scope.clear().contains("Max-Age=0"));
    }
}
