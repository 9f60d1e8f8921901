//! What a preview changes: `GET /_svc/changes?path=` for the script with which pages of previews
//! mark their changes, and the files of that script. Other sites have none of these.

use std::sync::Arc;

use http::request::Parts;
use http::{StatusCode, header};
use hyper::body::Bytes;
use svc_site::Site;
use url::form_urlencoded;

use crate::encoding::{copy, encode};
use crate::reply::{self, Content, Entity};
use crate::service::Reply;

/// Path of the changes of a page relative to the base path.
pub(crate) const PATH: &str = "/_svc/changes";

/// The live site that a preview is compared with, as an extension of requests for changes.
#[derive(Debug, Clone)]
pub(crate) struct LiveRevision(pub(crate) Arc<Site>);

/// The response to a request below [`PATH`]; `None` for other paths.
pub(crate) fn respond(site: &Arc<Site>, path: &str, parts: &Parts) -> Option<Reply> {
    let name = path.strip_prefix(PATH)?;
    if !site.has_change_marks() {
        return None;
    }
    if let Some(name) = name.strip_prefix('/') {
        let (content_type, text) = svc_site::change_marks_file(name)?;
        let entity = Entity::new(
            Content::Bytes(Bytes::from_static(text.as_bytes())),
            content_type,
        );
        let entity = entity.with(header::CACHE_CONTROL, "no-cache");
        return Some(Reply::Ready(entity.into_response(parts)));
    }
    if !name.is_empty() {
        return None;
    }
    let live = parts.extensions.get::<LiveRevision>()?.0.clone();
    let query = parts.uri.query().unwrap_or_default();
    let mut query = form_urlencoded::parse(query.as_bytes());
    let page = query.find(|(name, _)| name == "path")?.1.into_owned();
    let (site, parts) = (Arc::clone(site), copy(parts));
    Some(Reply::Blocking(Box::new(move || {
        match site.page_changes(&live, &page) {
            Some(packed) => encode(&packed, &parts.headers)
                .entity("application/json", "Accept-Encoding")
                .with(header::CACHE_CONTROL, "no-cache")
                .into_response(&parts),
            None => reply::plain(StatusCode::NOT_FOUND, "Page not found."),
        }
    })))
}
