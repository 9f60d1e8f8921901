//! Responses of a server with several sites.

use std::sync::Arc;

use http::request::Parts;
use http::{HeaderName, Method, StatusCode, header};
use hyper::body::Bytes;

use super::name;
use super::served::Served;
use crate::reply::{self, Content, Entity, Response};
use crate::response_cache::Validity;
use crate::service::{BodyHandler, Reply};
use crate::{SiteHandle, path, site};

const ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
/// `robots.txt` of a site that is hidden from search engines.
const ROBOTS_TXT: &str = "User-agent: *\nDisallow: /\n";

pub(super) fn respond(served: Option<Served>, parts: &Parts) -> Reply {
    // Health checks may use any host name, often an IP address.
    let health = path::normalize(parts.uri.path()).is_some_and(|path| path == site::HEALTH);
    let Some(served) = served else {
        return Reply::Ready(if health { alive(parts) } else { misdirected() });
    };
    if let Some(to) = served.redirect.as_ref().filter(|_| !health) {
        return Reply::Ready(redirect_to_host(to.as_str(), parts));
    }
    let Some(current) = &served.current else {
        return Reply::Ready(if health { alive(parts) } else { unavailable() });
    };
    if served.noindex {
        return noindex(&served, current, parts);
    }
    content(&served, current, parts)
}

/// What a reader of the site gets.
fn content(served: &Served, current: &SiteHandle, parts: &Parts) -> Reply {
    match (&served.readers, &served.cdn) {
        (Some(readers), _) => readers.respond(parts),
        (None, Some(cdn)) => {
            let (cdn, revision) = (Arc::clone(cdn), current.revision());
            let (reply, path) = (current.respond(parts), parts.uri.path().to_owned());
            reply.map(move |mut response| {
                // The revision can get its name after the site is served.
                response.extensions_mut().remove::<Validity>();
                cdn.mark(&path, response, revision.as_deref())
            })
        }
        (None, None) => current.respond(parts),
    }
}

/// Rejects requests that are not reads at an unknown host.
pub(super) fn refuse_writing(parts: &Parts) -> Option<BodyHandler> {
    if parts.method == Method::GET || parts.method == Method::HEAD {
        return None;
    }
    Some(Box::new(|_, _| Box::pin(async { misdirected() })))
}

fn misdirected() -> Response {
    reply::plain(
        StatusCode::MISDIRECTED_REQUEST,
        "No site is configured for this host.",
    )
}

fn unavailable() -> Response {
    let mut response = reply::plain(
        StatusCode::SERVICE_UNAVAILABLE,
        "This site is being built. Try again in a moment.",
    );
    reply::set_header(&mut response, header::RETRY_AFTER, "5");
    response
}

/// Health of the server, without information about its sites.
fn alive(parts: &Parts) -> Response {
    let text = Bytes::from_static(b"{\"status\":\"ok\"}");
    Entity::new(Content::Bytes(text), "application/json")
        .with(header::CACHE_CONTROL, "no-store")
        .into_response(parts)
}

/// Redirects to the same path at another host. The scheme and port of the request are kept, because
/// a proxy may have changed them.
fn redirect_to_host(host: &str, parts: &Parts) -> Response {
    let port = name::requested_host(parts).map_or("", |authority| name::split(authority).1);
    let colon = if port.is_empty() { "" } else { ":" };
    let target = parts.uri.path_and_query();
    let target = target.map_or("/", http::uri::PathAndQuery::as_str);
    let location = format!("//{host}{colon}{port}{target}");
    reply::redirect(StatusCode::PERMANENT_REDIRECT, &location)
}

/// Response of a site that is hidden from search engines.
fn noindex(served: &Served, current: &SiteHandle, parts: &Parts) -> Reply {
    let site = current.get();
    let path = path::normalize(parts.uri.path());
    // Crawlers request `robots.txt` at the root of the host, regardless of the base path.
    let robots = [site.href("/robots.txt"), "/robots.txt".to_owned()];
    let mark = |mut response: Response| {
        reply::set_header(&mut response, ROBOTS_TAG, "noindex, nofollow");
        response
    };
    if path.as_ref().is_some_and(|path| robots.contains(path)) {
        let text = Bytes::from_static(ROBOTS_TXT.as_bytes());
        let entity = Entity::new(Content::Bytes(text), "text/plain; charset=utf-8")
            .with(header::CACHE_CONTROL, "no-cache");
        return Reply::Ready(mark(entity.into_response(parts)));
    }
    // A sitemap would invite crawlers.
    if path.is_some_and(|path| path == site.href("/sitemap.xml")) {
        let missing = reply::plain(StatusCode::NOT_FOUND, "This site has no sitemap.");
        return Reply::Ready(mark(missing));
    }
    content(served, current, parts).map(mark)
}
