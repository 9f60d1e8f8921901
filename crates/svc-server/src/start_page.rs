//! The start page in the language of the reader.
//!
//! `/` of a site with several languages leads readers to the start page in the language that they
//! have selected before, which a cookie names, or else in the one that their browser prefers. No
//! other URL depends on a language, so that links lead everybody to the same page.

use http::request::Parts;
use http::{StatusCode, header};
use svc_site::{LanguageStart, Site};

use crate::reply::{self, Response};
use crate::service::Reply;
use crate::{language_tag, negotiate, readers};

/// Cookie with the code of the language that a reader has selected; scripts of pages set it.
const COOKIE: &str = "svc_language";
/// Headers of a request that decide about the response at `/`.
const VARY: &str = "Accept-Encoding, Accept, Accept-Language, Cookie, Referer";
/// Shared caches must not hold it: many of them ignore `Vary`.
const CACHE_CONTROL: &str = "private, no-cache";

/// Whether the response depends on the language of the reader.
pub(crate) fn is_negotiated(site: &Site, path: &str, parts: &Parts) -> bool {
    path == "/"
        && !site.language_starts().is_empty()
        && !negotiate::prefers_markdown(&parts.headers)
}

/// The path of the start page in another language than that of `/`; `None` if the reader gets `/`.
/// It is only for negotiated responses.
pub(crate) fn target(site: &Site, parts: &Parts) -> Option<String> {
    let starts = site.language_starts();
    let selected = readers::cookies::values(&parts.headers, COOKIE)
        .find_map(|code| starts.iter().find(|start| start.code == code));
    let preferred = || {
        let tags: Vec<&str> = starts.iter().map(|start| &*start.code).collect();
        let ranges = negotiate::languages(&parts.headers);
        starts.get(language_tag::lookup(&ranges, &tags)?)
    };
    let start: &LanguageStart = selected.or_else(preferred)?;
    let is_other = Some(start) != starts.first();
    (is_other && !is_from_site(site, parts)).then(|| site.href(&start.path))
}

/// The redirect to the start page in another language.
pub(crate) fn redirect(to: &str) -> Response {
    mark(reply::redirect(StatusCode::FOUND, to))
}

/// The response at `/` for readers who are not redirected.
pub(crate) fn marked(reply: Reply) -> Reply {
    reply.map(mark)
}

fn mark(mut response: Response) -> Response {
    reply::set_header(&mut response, header::VARY, VARY);
    reply::set_header(&mut response, header::CACHE_CONTROL, CACHE_CONTROL);
    response
}

/// Whether the reader follows a link of the site, for example to the default language in a browser
/// without scripts, in which no cookie is set.
fn is_from_site(site: &Site, parts: &Parts) -> bool {
    let text = |name| {
        parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let host = parts.uri.authority().map(http::uri::Authority::as_str);
    let (Some(host), Some(referer)) = (host.or_else(|| text(header::HOST)), text(header::REFERER))
    else {
        return false;
    };
    let Some((_, rest)) = referer.split_once("://") else {
        return false;
    };
    let at = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(at);
    authority.eq_ignore_ascii_case(host)
        && path
            .strip_prefix(site.base_path())
            .is_some_and(|path| path.is_empty() || path.starts_with(['/', '?']))
}
