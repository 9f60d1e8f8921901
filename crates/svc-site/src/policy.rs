//! What a browser may load for a page: the source lists of its Content Security Policy.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use svc_render::{Article, RenderContext};

use crate::Site;

/// The digests of the scripts that stand in a page, as a policy names them.
pub(crate) fn digests(cx: &RenderContext<'_>, article: &Article) -> Vec<String> {
    let texts = svc_render::inline_scripts(cx, article);
    let digest = |text: &String| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    texts.iter().map(digest).collect()
}

/// The policy of a page, as far as a page itself can say it: `plain` are servers without TLS that its
/// playground calls, `digests` those of the scripts that stand in it.
///
/// Nothing of a page may come from elsewhere but pictures, frames, media and fonts. Style attributes
/// are the author's, and the colours of the site stand in the page. Pages may fetch from any address
/// with TLS, as scripts of a site may need. With digests, what a trusted script loads is trusted too;
/// browsers that know nothing of that take scripts from any address with TLS.
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

impl Site {
    /// The digests of the scripts that stand in a page of the program itself, such as the one for
    /// addresses that do not exist.
    pub fn notice_digests(&self) -> Vec<String> {
        digests(&self.context(), &Article::default())
    }
}
