//! The response for a path that does not exist.

use std::sync::Arc;

use http::request::Parts;
use http::{StatusCode, header};
use hyper::body::Bytes;
use svc_site::{NotFound, Site};

use crate::conditional::Validators;
use crate::document_policy;
use crate::encoding::{copy, encode};
use crate::reply::{self, Content, Entity};
use crate::service::Reply;

const HTML: &str = "text/html; charset=utf-8";

/// Responds with 404 and suggests pages with a similar path.
pub(crate) fn not_found(site: &Arc<Site>, path: String, parts: &Parts) -> Reply {
    if site.map.is_withheld() {
        return protected(site, parts);
    }
    if site.config.not_found.redirect {
        return Reply::Ready(reply::redirect(
            StatusCode::TEMPORARY_REDIRECT,
            &site.href("/"),
        ));
    }
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let entity = match site.not_found_response(&path) {
            NotFound::Static(packed) => {
                encode(&packed, &parts.headers).entity(HTML, "Accept-Encoding")
            }
            // Compressing a response that is sent once costs more than it saves.
            NotFound::WithSuggestions {
                template,
                suggestions,
            } => Entity::new(Content::Chunks(chunks(&template, suggestions)), HTML)
                .with(header::VARY, "Accept-Encoding"),
        };
        let mut entity = entity.with(header::CACHE_CONTROL, "no-cache").with(
            header::CONTENT_SECURITY_POLICY,
            document_policy::of_page(&[], site.notice_digests(), &[]),
        );
        entity.status = StatusCode::NOT_FOUND;
        entity.validators = Validators::default();
        entity.into_response(&parts)
    }))
}

/// Response of a site whose pages are all protected.
fn protected(site: &Arc<Site>, parts: &Parts) -> Reply {
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let page = site.protected_page().unwrap_or_default();
        let mut entity = Entity::new(Content::Bytes(page.into()), "text/html; charset=utf-8")
            .with(header::CACHE_CONTROL, "no-store")
            .with(
                header::CONTENT_SECURITY_POLICY,
                document_policy::of_page(&[], site.notice_digests(), &[]),
            );
        entity.status = StatusCode::FORBIDDEN;
        entity.into_response(&parts)
    }))
}

/// The page in chunks, without copying the part that is the same for all paths.
fn chunks(template: &Arc<[String; 2]>, suggestions: String) -> Vec<Bytes> {
    let part = |at| {
        Bytes::from_owner(TemplatePart {
            template: Arc::clone(template),
            index: at,
        })
    };
    vec![part(0), suggestions.into(), part(1)]
}

/// A part of the page around the suggestions.
struct TemplatePart {
    template: Arc<[String; 2]>,
    index: usize,
}

impl AsRef<[u8]> for TemplatePart {
    fn as_ref(&self) -> &[u8] {
        let text = self.template.get(self.index);
        text.map_or(&[], |text| text.as_bytes())
    }
}
