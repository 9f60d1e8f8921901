//! Cookies of readers.

use cookie::time::Duration as CookieDuration;
use cookie::{Cookie, SameSite};
use http::{HeaderMap, header};

/// Maximum number of cookies of a request that are examined.
const MAX_COOKIES: usize = 64;
/// Name of the cookie of a session, without a prefix.
const SESSION: &str = "svc_reader";

/// Where the cookies of a site are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CookieScope<'a> {
    /// Whether the request was made over HTTPS.
    pub(super) is_encrypted: bool,
    /// Path prefix of the site.
    pub(super) base_path: &'a str,
}

impl CookieScope<'_> {
    /// The name with a prefix. With `__Host-`, browsers accept the cookie only from this host over
    /// HTTPS; with `__Secure-`, which allows a path, only over HTTPS.
    pub(super) fn name(self, name: &str) -> String {
        let prefix = match (self.is_encrypted, self.base_path.is_empty()) {
            (true, true) => "__Host-",
            (true, false) => "__Secure-",
            (false, _) => "",
        };
        format!("{prefix}{name}")
    }

    /// Name of the cookie of a session.
    pub(super) fn session_name(self) -> String {
        self.name(SESSION)
    }

    /// A cookie that scripts cannot read, valid for some seconds. `SameSite=Lax` sends it with
    /// links from other sites, but not with their forms.
    pub(super) fn cookie(self, name: String, value: String, seconds: i64) -> String {
        let path = match self.base_path {
            "" => "/",
            path => path,
        };
        let cookie = Cookie::build((name, value))
            .path(path)
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.is_encrypted)
            .max_age(CookieDuration::seconds(seconds));
        cookie.build().to_string()
    }

    /// A cookie that deletes another.
    pub(super) fn clear(self, name: String) -> String {
        self.cookie(name, String::new(), 0)
    }

    /// A cookie that deletes that of the session.
    pub(super) fn clear_session(self) -> String {
        self.clear(self.session_name())
    }
}

/// Names and values of the cookies of a request.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (String, String)> {
    let lines = headers.get_all(header::COOKIE).iter();
    let lines = lines.filter_map(|value| value.to_str().ok());
    let cookies = lines.flat_map(Cookie::split_parse).flatten();
    cookies
        .take(MAX_COOKIES)
        .map(|cookie| (cookie.name().to_owned(), cookie.value().to_owned()))
}

/// Values of the cookies with a name.
pub(crate) fn values(headers: &HeaderMap, name: &str) -> impl Iterator<Item = String> {
    cookies(headers)
        .filter(move |(own, _)| own == name)
        .map(|(_, value)| value)
}
