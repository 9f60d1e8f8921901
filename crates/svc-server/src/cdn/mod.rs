//! A content delivery network (CDN) in front of the server: what it may hold, and how it learns
//! that pages have changed.
//!
//! Browsers revalidate pages as without a CDN. The CDN gets a lifetime of its own, in
//! `CDN-Cache-Control` (RFC 9213) and `Surrogate-Control`, and tags in `Surrogate-Key` and
//! `Cache-Tag`, by which [`PurgeSender`] has it drop the pages of a site after each deployment.

mod purge;

use std::time::Duration;

use http::header::{self, HeaderName};
use http::{HeaderMap, StatusCode};

pub(crate) use purge::{PURGE_DELAY, PurgeSender};

use crate::reply::{self, Response};

const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");
const SURROGATE_CONTROL: HeaderName = HeaderName::from_static("surrogate-control");
const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");
const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");

/// Number of characters of the name of a snapshot in a tag.
const REVISION_CHARS: usize = 12;

/// What a CDN is told about the responses of a public site.
#[derive(Debug, Clone)]
pub(crate) struct CdnHeaders {
    tag: String,
    /// Lifetime of what may be held.
    shared: String,
}

/// The tag of all responses of a project.
pub(crate) fn tag_of(project: &str) -> String {
    format!("svc-{project}")
}

impl CdnHeaders {
    pub(crate) fn new(project: &str, max_age: Duration) -> Self {
        Self {
            tag: tag_of(project),
            shared: format!("public, max-age={}", max_age.as_secs()),
        }
    }

    /// Adds the headers to the response for a path, of the deployment with a snapshot. A CDN does
    /// not hold responses that are for one client, or Markdown at the URL of a page: not every CDN
    /// respects `Vary: Accept`.
    pub(crate) fn mark(
        &self,
        path: &str,
        mut response: Response,
        revision: Option<&str>,
    ) -> Response {
        // A file has one representation.
        let is_file = path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'));
        let may_hold = is_cacheable(response.status(), response.headers())
            && (is_file || !is_alternative(&response));
        let control = if may_hold { &*self.shared } else { "no-store" };
        if is_immutable(response.headers()) {
            // Their URLs change with their content, so that they need not be purged.
            return response;
        }
        reply::set_header(&mut response, CDN_CACHE_CONTROL, control);
        if !may_hold {
            return response;
        }
        let lifetime = control.trim_start_matches("public, ");
        reply::set_header(&mut response, SURROGATE_CONTROL, lifetime);
        let revision = revision.map(|key| key.get(..REVISION_CHARS).unwrap_or(key));
        let (keys, tags) = match revision {
            Some(revision) => (
                format!("{0} {0}-{revision}", self.tag),
                format!("{0},{0}-{revision}", self.tag),
            ),
            None => (self.tag.clone(), self.tag.clone()),
        };
        reply::set_header(&mut response, SURROGATE_KEY, &keys);
        reply::set_header(&mut response, CACHE_TAG, &tags);
        response
    }
}

fn is_immutable(headers: &HeaderMap) -> bool {
    text(headers, header::CACHE_CONTROL).contains("immutable")
}

fn is_cacheable(status: StatusCode, headers: &HeaderMap) -> bool {
    let statuses = [
        StatusCode::OK,
        StatusCode::NOT_MODIFIED,
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::PERMANENT_REDIRECT,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::NOT_FOUND,
    ];
    let control = text(headers, header::CACHE_CONTROL);
    let is_for_one = control.contains("no-store")
        || control.contains("private")
        || headers.contains_key(header::SET_COOKIE);
    statuses.contains(&status) && !is_for_one
}

/// Whether a client without preferences would have got a page.
fn is_alternative(response: &Response) -> bool {
    let headers = response.headers();
    let mut varies = text(headers, header::VARY).split(',').map(str::trim);
    response.status() == StatusCode::OK
        && varies.any(|name| !name.eq_ignore_ascii_case("accept-encoding"))
        && !text(headers, header::CONTENT_TYPE).starts_with("text/html")
}

fn text(headers: &HeaderMap, name: HeaderName) -> &str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;

    fn marked(status: StatusCode, headers: &[(HeaderName, &str)]) -> HeaderMap {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        for (name, value) in headers {
            reply::set_header(&mut response, name.clone(), value);
        }
        let cdn = CdnHeaders::new("docs", Duration::from_secs(60));
        let response = cdn.mark("/", response, Some("0123456789abcdef"));
        response.headers().clone()
    }

    #[test]
    fn pages_are_held_with_tags() {
        let headers = [
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::VARY, "Accept-Encoding, Accept"),
        ];
        let marked = marked(StatusCode::OK, &headers);
        assert_eq!(marked[&header::CACHE_CONTROL], "no-cache");
        assert_eq!(marked[&CDN_CACHE_CONTROL], "public, max-age=60");
        assert_eq!(marked[&SURROGATE_CONTROL], "max-age=60");
        assert_eq!(marked[&SURROGATE_KEY], "svc-docs svc-docs-0123456789ab");
        assert_eq!(marked[&CACHE_TAG], "svc-docs,svc-docs-0123456789ab");
    }

    #[test]
    fn what_is_for_one_client_is_not_held() {
        let html = (header::CONTENT_TYPE, "text/html");
        for headers in [
            vec![(header::CACHE_CONTROL, "private, no-cache"), html.clone()],
            vec![(header::CACHE_CONTROL, "no-store"), html.clone()],
            vec![(header::SET_COOKIE, "a=b"), html],
            vec![
                (header::CONTENT_TYPE, "text/markdown"),
                (header::VARY, "Accept"),
            ],
        ] {
            let marked = marked(StatusCode::OK, &headers);
            assert_eq!(marked[&CDN_CACHE_CONTROL], "no-store", "{headers:?}");
            assert!(!marked.contains_key(&SURROGATE_KEY), "{headers:?}");
        }
        let failed = marked(StatusCode::SERVICE_UNAVAILABLE, &[]);
        assert_eq!(failed[&CDN_CACHE_CONTROL], "no-store");
        let asset = [(header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
        assert!(!marked(StatusCode::OK, &asset).contains_key(&CDN_CACHE_CONTROL));
    }
}
