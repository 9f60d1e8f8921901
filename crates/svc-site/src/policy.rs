//! Content Security Policy of pages.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use svc_render::{Article, RenderContext};

/// CSP digest sources of the inline scripts of a page.
pub(crate) fn digests(cx: &RenderContext<'_>, article: &Article) -> Vec<String> {
    let texts = svc_render::inline_scripts(cx, article);
    let digest = |text: &String| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    texts.iter().map(digest).collect()
}

/// The Content Security Policy of a page (CSP Level 3). `plain` are the `http://` origins that its
/// playground calls, `digests` the digest sources of its inline scripts.
///
/// Only images, frames, media and fonts may come from other origins. Inline styles are allowed:
/// authors write style attributes, and the colors of the site are an inline style sheet. Pages may
/// fetch from any URL with TLS, because scripts of a site may need it. With digests, scripts that a
/// trusted script loads are trusted too (`strict-dynamic`); browsers without support for it accept
/// scripts from any URL with TLS.
pub fn page_policy(plain: &[String], digests: &[String]) -> String {
    let mut scripts = "'self'".to_owned();
    let mut rest = "";
    if !digests.is_empty() {
        scripts = format!("'strict-dynamic' {} 'self' https:", digests.join(" "));
        rest = " wss:";
    }
    let mut out = format!(
        "default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline' https:; img-src * data: blob:; media-src * data: blob:; font-src 'self' https: data:; frame-src 'self' https:; worker-src 'self' blob:; connect-src 'self' https:{rest}"
    );
    for origin in plain {
        // Writing to a String cannot fail.
        let _ = write!(out, " {origin}");
    }
    out.push_str("; object-src 'none'; base-uri 'self'; form-action 'self' https:");
    out
}
