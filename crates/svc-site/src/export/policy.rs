//! The policy of pages that no server sends one with: it stands in the page.

use std::borrow::Cow;

use memchr::memmem;
use svc_nav::Route;

use crate::Site;
use crate::policy::page_policy;

/// What the head of every page begins with.
const HEAD: &[u8] = b"<meta charset=\"utf-8\">";

/// The page with its policy. Sites whose repository brings scripts have none: what those load,
/// nobody knows. `files` is whether the page may be opened from a folder.
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
    let mut policy = page_policy(&plain, &[]);
    if files {
        // In a folder no address has the origin of another.
        policy = policy.replace("'self'", "'self' file:");
        // The playground loads its modules from texts, as no script may read files of a folder.
        policy = policy.replace("script-src 'self' file:", "script-src 'self' file: blob:");
    }
    let policy = policy.replace('&', "&amp;").replace('"', "&quot;");
    let (before, rest) = html.split_at(at + HEAD.len());
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    Cow::Owned([before, meta.as_bytes(), rest].concat())
}
