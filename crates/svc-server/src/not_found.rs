//! The response for an address that does not exist.

use std::sync::Arc;

use http::request::Parts;
use http::{StatusCode, header};
use hyper::body::Bytes;
use svc_site::{NotFound, Site};

use crate::conditional::Validators;
use crate::document_policy;
use crate::reply::{self, Content, Entity};
use crate::service::Reply;
use crate::site::{copy, encode};

const HTML: &str = "text/html; charset=utf-8";

/// Says that there is nothing, with the pages that were probably meant.
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
            // Compressing what is sent once would cost more than it saves.
            NotFound::WithSuggestions {
                template: around,
                suggestions,
            } => Entity::new(Content::Chunks(chunks(&around, suggestions)), HTML)
                .with(header::VARY, "Accept-Encoding"),
        };
        let mut entity = entity.with(header::CACHE_CONTROL, "no-cache").with(
            header::CONTENT_SECURITY_POLICY,
            document_policy::of_page(&[], &site.notice_digests()),
        );
        entity.status = StatusCode::NOT_FOUND;
        entity.validators = Validators::default();
        entity.into_response(&parts)
    }))
}

/// What a site answers whose every page asks for protection.
fn protected(site: &Arc<Site>, parts: &Parts) -> Reply {
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let page = site.protected_page().unwrap_or_default();
        let mut entity = Entity::new(Content::Bytes(page.into()), "text/html; charset=utf-8")
            .with(header::CACHE_CONTROL, "no-store")
            .with(
                header::CONTENT_SECURITY_POLICY,
                document_policy::of_page(&[], &site.notice_digests()),
            );
        entity.status = StatusCode::FORBIDDEN;
        entity.into_response(&parts)
    }))
}

/// The page in pieces: what is the same for all addresses is not copied.
fn chunks(around: &Arc<[String; 2]>, suggestions: String) -> Vec<Bytes> {
    let part = |at| {
        Bytes::from_owner(TemplatePart {
            template: Arc::clone(around),
            index: at,
        })
    };
    vec![part(0), suggestions.into(), part(1)]
}

/// One of two texts.
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
