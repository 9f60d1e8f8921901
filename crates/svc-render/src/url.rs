//! URLs and URL paths in the form in which they are published.

use std::borrow::Cow;

use svc_config::SiteConfig;
use svc_data::percent::{self, CSS_URL, ENCODED_URL};
use svc_source::encoded_path;

/// The public form of a page's path: percent-encoded, with a slash at the end as
/// `seo.trailingSlash` requires. Paths of routes never end with a slash.
pub fn printed_path<'p>(config: &SiteConfig, path: &'p str) -> Cow<'p, str> {
    let encoded = encoded_path(path);
    match config.seo.trailing_slash {
        Some(true) if !path.ends_with('/') => Cow::Owned(format!("{encoded}/")),
        _ => encoded,
    }
}

/// Adds the slash of `seo.trailingSlash` to the path of `target` if `is_page` accepts the path.
pub(crate) fn printed_target<'t>(
    config: &SiteConfig,
    target: &'t str,
    is_page: impl FnOnce(&str) -> bool,
) -> Cow<'t, str> {
    if config.seo.trailing_slash != Some(true) {
        return Cow::Borrowed(target);
    }
    let (path, tail) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
    if path.ends_with('/') || !is_page(path) {
        return Cow::Borrowed(target);
    }
    Cow::Owned(format!("{path}/{tail}"))
}

/// The canonical base URL of the site from `seo.metatags.canonical`, without a slash at the end;
/// `None` if it is missing or not an HTTP URL.
pub fn canonical_base(config: &SiteConfig) -> Option<&str> {
    let tags = &config.seo.metatags;
    let (_, base) = tags.iter().find(|(name, _)| name == "canonical")?;
    let base = base.trim().trim_end_matches('/');
    (base.starts_with("https://") || base.starts_with("http://")).then_some(base)
}

/// The absolute URL of a path of the site: below the canonical base of `docs.json`, otherwise below
/// `origin` (`https://docs.example.com`) and the base path. `None` if neither is known.
pub fn public_url(
    config: &SiteConfig,
    origin: &str,
    base_path: &str,
    path: &str,
) -> Option<String> {
    let (start, base_path) = match canonical_base(config) {
        // The canonical base usually contains the base path already.
        Some(base) if !base_path.is_empty() && base.ends_with(base_path) => (base, ""),
        Some(base) => (base, base_path),
        None if origin.is_empty() => return None,
        None => (origin.trim_end_matches('/'), base_path),
    };
    let path = percent::encode(path, ENCODED_URL);
    Some(format!("{start}{base_path}{path}"))
}

/// Percent-encodes the characters that could end `url("…")` in CSS, and removes control characters.
pub(crate) fn css_url(url: &str) -> String {
    let visible: String = url.chars().filter(|c| !c.is_control()).collect();
    percent::encode_ascii(&visible, CSS_URL)
}

/// The URL for `target` on a site with this base path: paths of the site get the base path, URLs
/// with a scheme that can run scripts become `#`.
pub(crate) fn resolve_url(base: &str, target: &str) -> String {
    let target = target.trim();
    if target.starts_with('/') && !target.starts_with("//") {
        return format!("{base}{}", encode_path(target));
    }
    let scheme: String = target
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .take(12)
        .collect();
    let scheme = scheme.to_ascii_lowercase();
    if ["https:", "http:", "mailto:", "tel:"]
        .iter()
        .any(|known| scheme.starts_with(known))
    {
        return target.to_owned();
    }
    match target.find(':') {
        Some(colon) if !target[..colon].contains(['/', '#', '?']) => "#".to_owned(),
        _ if target.starts_with(['#', '?']) || target.starts_with("//") => target.to_owned(),
        _ => format!("{base}/{}", encode_path(target.trim_start_matches("./"))),
    }
}

/// Percent-encodes characters that are invalid in a path; existing escapes are left unchanged.
fn encode_path(path: &str) -> String {
    // Fast path: almost all URLs are plain, and a page has a thousand of them.
    let plain = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\{}".contains(&byte);
    if path.bytes().all(plain) {
        return path.to_owned();
    }
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '"' => out.push_str("%22"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            '{' => out.push_str("%7B"),
            '}' => out.push_str("%7D"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;

    fn config(seo: &str) -> SiteConfig {
        let text = format!(
            r##"{{"theme":"svc","name":"T","colors":{{"primary":"#123456"}},"navigation":{{"pages":["a"]}},"seo":{seo}}}"##
        );
        svc_config::parse(&SourceFile::new("docs.json", text), &|_| None)
            .value
            .expect("it is an object")
    }

    #[test]
    fn the_canonical_base_takes_precedence_and_is_not_duplicated() {
        let own = config(r#"{"metatags":{"canonical":"https://a.dev/docs/"}}"#);
        let at = |base: &str| public_url(&own, "https://b.dev", base, "/x y").unwrap();
        assert_eq!(at("/docs"), "https://a.dev/docs/x%20y");
        assert_eq!(at(""), "https://a.dev/docs/x%20y");
        let none = config("{}");
        assert_eq!(public_url(&none, "", "/docs", "/x"), None);
        assert_eq!(
            public_url(&none, "https://b.dev/", "/docs", "/x").as_deref(),
            Some("https://b.dev/docs/x")
        );
    }

    #[test]
    fn a_trailing_slash_is_added_to_pages_if_configured() {
        let with = config(r#"{"trailingSlash":true}"#);
        let without = config(r#"{"trailingSlash":false}"#);
        let page = |path: &str| path == "/a";
        assert_eq!(printed_target(&with, "/a?b#c", page), "/a/?b#c");
        assert_eq!(printed_target(&with, "/a.png", page), "/a.png");
        assert_eq!(printed_target(&without, "/a#c", page), "/a#c");
        assert_eq!(printed_path(&with, "/"), "/");
        assert_eq!(printed_path(&with, "/a"), "/a/");
    }

    #[test]
    fn script_urls_are_replaced() {
        for bad in [
            "javascript:alert(1)",
            " JaVaScRiPt:x",
            "java\nscript:x",
            "data:text/html,x",
        ] {
            assert_eq!(resolve_url("", bad), "#", "{bad}");
        }
        assert_eq!(resolve_url("/docs", "/a b"), "/docs/a%20b");
        assert_eq!(resolve_url("/docs", "changelog"), "/docs/changelog");
        assert_eq!(
            resolve_url("", "https://example.com/?a=b:c"),
            "https://example.com/?a=b:c"
        );
        assert_eq!(resolve_url("", "#part:one"), "#part:one");
    }
}
