//! The site with the documentation of svc that messages link to.

use std::env;

/// Environment variable with the URL of a site with the documentation of svc.
const VARIABLE: &str = "SVC_DOCS_URL";

/// URL of a site with the documentation of svc, if the user has one: there is no default.
pub(super) fn docs_url() -> Option<String> {
    let url = env::var(VARIABLE).ok()?;
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    // The URL becomes part of an escape sequence of terminals.
    let is_plain = url.bytes().all(|byte| byte.is_ascii_graphic());
    (is_web && is_plain).then_some(url)
}
