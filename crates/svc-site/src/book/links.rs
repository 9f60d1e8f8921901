//! Where the links of a book lead.

use svc_data::percent::{ENCODED_URL, decode_lossy, encode_ascii};

use super::Book;
use crate::Site;

/// The target of a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A chapter, and an id in it.
    Chapter(usize, Option<String>),
    /// A URL outside of the book.
    Url(String),
    /// Nothing that a reader of the book can open.
    None,
}

/// Resolves a link of the chapter with the index `from`.
pub(super) fn resolve(site: &Site, book: &Book, from: usize, href: &str) -> Target {
    let (path, fragment) = match href.split_once('#') {
        Some((path, fragment)) => (path, Some(decode_lossy(fragment).into_owned())),
        None => (href, None),
    };
    if path.is_empty() {
        return to_chapter(book, from, fragment);
    }
    if let Some(url) = external(href) {
        return Target::Url(url);
    }
    if !path.starts_with('/') || path.starts_with("//") {
        return Target::None;
    }
    let path = decode_lossy(path.split('?').next().unwrap_or_default());
    let mut route = site.map.route(&path);
    if route.is_none()
        && let Some((to, _)) = site.map.redirect(path.trim_end_matches('/'))
    {
        route = site
            .map
            .route(to.split(['?', '#']).next().unwrap_or_default());
    }
    let chapter = route.and_then(|route| book.paths.get(&route.path));
    if let Some(chapter) = chapter {
        return to_chapter(book, *chapter, fragment);
    }
    let origin = site.options.site.origin.trim_end_matches('/');
    match origin.is_empty() || path.starts_with("/_svc/") {
        true => Target::None,
        false => Target::Url(encode_ascii(&format!("{origin}{href}"), ENCODED_URL)),
    }
}

/// An id that does not exist leads to the start of the chapter.
fn to_chapter(book: &Book, at: usize, fragment: Option<String>) -> Target {
    let chapter = book.chapters.get(at);
    let exists = |id: &String| chapter.is_some_and(|chapter| chapter.article.ids.contains(id));
    Target::Chapter(at, fragment.filter(exists))
}

/// A URL of the web or an email address that is valid in XHTML.
fn external(href: &str) -> Option<String> {
    if let Some(address) = href.strip_prefix("mailto:") {
        return Some(format!("mailto:{}", encode_ascii(address, ENCODED_URL)));
    }
    let (scheme, rest) = ["https://", "http://"]
        .iter()
        .find_map(|scheme| Some((scheme, href.strip_prefix(scheme)?)))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':');
    if host.is_empty() || !host.chars().all(is_host) {
        return None;
    }
    // A second `#` is not allowed in the fragment.
    let path = match path.split_once('#') {
        Some((path, fragment)) => format!("{path}#{}", fragment.replace('#', "%23")),
        None => path.to_owned(),
    };
    Some(format!(
        "{scheme}{host}{}",
        valid_percent(&encode_ascii(&path, ENCODED_URL))
    ))
}

/// Encodes `%` that do not begin an encoded byte.
fn valid_percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let is_encoded = after
            .get(..2)
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        out.push_str(if is_encoded { "%" } else { "%25" });
        rest = after;
    }
    out.push_str(rest);
    out
}
