//! Files by which clients find the MCP server of a site.

use http::header;
use http::request::Parts;
use hyper::body::Bytes;
use svc_site::Site;

use crate::reply::{Content, Entity, Response};
use crate::site::origin;

/// The file at a path of the site, such as the server card. `None` for other paths.
pub(crate) fn discovery_file(site: &Site, path: &str, parts: &Parts) -> Option<Response> {
    // The definitions of the tools need not be made for other paths.
    if !path.starts_with("/.well-known/mcp") && !path.starts_with("/mcp/") {
        return None;
    }
    let endpoint = svc_mcp::endpoint(site);
    let file = site.mcp_discovery_file(path, &endpoint, &origin(parts))?;
    let content = Content::Bytes(Bytes::from(file.text));
    let entity = Entity::new(content, file.content_type)
        .with(header::CACHE_CONTROL, "no-cache")
        .with(header::VARY, "Host")
        // Clients in browsers read it from other origins.
        .with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    Some(entity.into_response(parts))
}
