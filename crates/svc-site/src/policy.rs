//! Content Security Policy of pages.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use svc_render::{Article, PolicySource, RenderContext};

/// CSP digest sources of the inline scripts of a page. `is_route` is whether it is a route of the
/// site; built-in pages are not.
pub(crate) fn digests(cx: &RenderContext<'_>, article: &Article, is_route: bool) -> Vec<String> {
    let texts = svc_render::inline_scripts(cx, article, is_route);
    let digest = |text: &String| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    texts.iter().map(digest).collect()
}

/// The Content Security Policy of a page (CSP Level 3). `plain` are the `http://` origins that its
/// playground calls, `digests` the digest sources of its inline scripts, `services` the sources of
/// the services that it loads.
///
/// Only images, frames, media and fonts may come from other origins. Inline styles are allowed:
/// authors write style attributes, and the colors of the site are an inline style sheet. Pages may
/// fetch from any URL with TLS, because scripts of a site may need it. With digests, scripts that a
/// trusted script loads are trusted too (`strict-dynamic`); browsers without support for it accept
/// scripts from any URL with TLS.
pub fn page_policy(plain: &[String], digests: &[String], services: &[PolicySource]) -> String {
    let mut scripts = "'self'".to_owned();
    let mut rest = "";
    if !digests.is_empty() {
        scripts = format!("'strict-dynamic' {} 'self' https:", digests.join(" "));
        rest = " wss:";
    }
    let connections = format!("'self' https:{rest}");
    let directives = [
        ("default-src", "'self'"),
        ("script-src", &*scripts),
        ("style-src", "'self' 'unsafe-inline' https:"),
        ("img-src", "* data: blob:"),
        ("media-src", "* data: blob:"),
        ("font-src", "'self' https: data:"),
        ("frame-src", "'self' https:"),
        ("worker-src", "'self' blob:"),
        ("connect-src", &*connections),
    ];
    let mut out = String::new();
    for (name, sources) in directives {
        // Writing to a String cannot fail.
        let _ = write!(out, "{name} {sources}");
        for source in services.iter().filter(|source| {
            source.directive.name() == name && !is_covered(sources, &source.source)
        }) {
            let _ = write!(out, " {}", source.source);
        }
        if name == "connect-src" {
            for origin in plain {
                let _ = write!(out, " {origin}");
            }
        }
        out.push_str("; ");
    }
    out.push_str("object-src 'none'; base-uri 'self'; form-action 'self' https:");
    out
}

/// Whether the sources of a directive allow all URLs of a source: those with its scheme, or `*` for
/// `https`.
fn is_covered(sources: &str, source: &str) -> bool {
    let scheme = source.split("//").next().unwrap_or_default();
    sources
        .split(' ')
        .any(|allowed| allowed == scheme || (allowed == "*" && scheme == "https:"))
}

#[cfg(test)]
mod tests {
    use svc_render::{Directive, PolicySource};

    use super::page_policy;

    fn source(directive: Directive, source: &str) -> PolicySource {
        PolicySource {
            directive,
            source: source.to_owned(),
        }
    }

    #[test]
    fn only_sources_that_are_not_allowed_are_added() {
        let services = [
            source(Directive::Scripts, "https://cdn.test"),
            source(Directive::Connections, "https://api.test"),
            source(Directive::Connections, "wss://chat.test"),
            source(Directive::Images, "https://img.test"),
            source(Directive::Frames, "https://frame.test"),
            source(Directive::Styles, "blob:"),
        ];
        let without = page_policy(&[], &[], &[]);
        let with = page_policy(&[], &[], &services);
        assert_eq!(
            without
                .replace("script-src 'self'", "script-src 'self' https://cdn.test")
                .replace(
                    "connect-src 'self' https:",
                    "connect-src 'self' https: wss://chat.test"
                )
                .replace("'unsafe-inline' https:", "'unsafe-inline' https: blob:"),
            with
        );
        let digests = ["'sha256-x'".to_owned()];
        let trusted = page_policy(&[], &digests, &services);
        assert_eq!(
            page_policy(&[], &digests, &[])
                .replace("'unsafe-inline' https:", "'unsafe-inline' https: blob:"),
            trusted
        );
    }
}
