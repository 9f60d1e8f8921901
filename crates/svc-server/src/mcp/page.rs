//! The page that says how to connect clients.

use std::sync::Arc;

use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use hyper::body::Bytes;
use svc_site::Site;

use super::PATH;
use crate::document_policy;
use crate::encoding::copy;
use crate::negotiate;
use crate::reply::{self, Content, Entity};
use crate::service::Reply;
use crate::site::origin;

/// Path of the page on sites that have something else at [`PATH`].
pub(crate) const SETUP_PATH: &str = "/_svc/mcp";

/// Whether a client of an earlier protocol version wants to open a stream, which this server does
/// not have.
pub(crate) fn wants_stream(headers: &HeaderMap) -> bool {
    negotiate::accepts(headers, "text/event-stream") && !negotiate::accepts(headers, "text/html")
}

/// Responds to GET: with the page for browsers, with 405 to programs.
pub(crate) fn page(site: &Arc<Site>, parts: &Parts) -> Reply {
    if !negotiate::accepts(&parts.headers, "text/html") {
        return Reply::Ready(method_not_allowed());
    }
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let url = site.public_url(&public_origin(&parts), PATH);
        let page = site.notice_page(svc_mcp::SETUP_TITLE, &svc_mcp::setup_text(&site, &url));
        let content = Content::Bytes(Bytes::from(page.html));
        Entity::new(content, "text/html; charset=utf-8")
            .with(header::CACHE_CONTROL, "no-cache")
            .with(header::VARY, "Accept, Host")
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
            .with(
                header::CONTENT_SECURITY_POLICY,
                document_policy::of_page(&[], &page.digests, &[]),
            )
            .into_response(&parts)
    }))
}

/// The origin that the reader sees. Settings that the page shows must work behind a proxy that ends
/// the encryption.
fn public_origin(parts: &Parts) -> String {
    let origin = origin(parts);
    let scheme = parts.headers.get("x-forwarded-proto");
    let is_encrypted =
        scheme.is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"));
    match origin.strip_prefix("http://") {
        Some(host) if is_encrypted => format!("https://{host}"),
        _ => origin,
    }
}

pub(crate) fn method_not_allowed() -> reply::Response {
    let mut response = reply::plain(
        StatusCode::METHOD_NOT_ALLOWED,
        "This is an MCP server; send messages with POST. Browsers get a page with instructions.",
    );
    reply::set_header(&mut response, header::ALLOW, "POST");
    response
}
