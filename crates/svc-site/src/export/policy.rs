//! Content Security Policy in exported pages, because web servers send none.

use std::borrow::Cow;

use memchr::memmem;
use svc_nav::Route;

use crate::Site;
use crate::policy::page_policy;

/// Beginning of the head of every page.
const HEAD: &[u8] = b"<meta charset=\"utf-8\">";

/// The page with its policy as a `meta` element. Sites with their own scripts get none, because the
/// sources that those need are unknown. `files` is whether the page may be opened from a `file:`
/// URL.
pub(super) fn with_policy<'h>(
    site: &Site,
    route: Option<&Route>,
    files: bool,
    html: &'h [u8],
) -> Cow<'h, [u8]> {
    if !site.options.scripts.is_empty() {
        return Cow::Borrowed(html);
    }
    let Some(at) = memmem::find(html, HEAD) else {
        return Cow::Borrowed(html);
    };
    let plain = route
        .map(|route| site.plain_origins(route))
        .unwrap_or_default();
    let services = match route {
        Some(_) => site.service_sources(),
        None => &[],
    };
    let mut policy = page_policy(&plain, &[], services);
    if files {
        // `file:` URLs do not match `'self'`.
        policy = policy.replace("'self'", "'self' file:");
        // The playground loads its modules from blobs, because scripts must not read `file:` URLs.
        policy = policy.replace("script-src 'self' file:", "script-src 'self' file: blob:");
    }
    let policy = policy.replace('&', "&amp;").replace('"', "&quot;");
    let (before, rest) = html.split_at(at + HEAD.len());
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    Cow::Owned([before, meta.as_bytes(), rest].concat())
}
