//! Parts of schemas that are drawn when a reader opens them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use svc_nav::OperationRef;
use svc_render::{FragmentLink, SchemaFragment};

use crate::{CompressedBytes, Site};

/// A part that was drawn.
#[derive(Debug)]
pub struct SchemaFragmentOutput {
    /// The HTML document.
    pub html: CompressedBytes,
    /// Parts of schemas that it leads to.
    pub(crate) fragments: Vec<FragmentLink>,
    /// Ids inside.
    pub(crate) ids: Vec<String>,
}

impl Site {
    /// The part of a schema at an address.
    pub(crate) fn schema_fragment(&self, path: &str) -> Option<SchemaFragment> {
        SchemaFragment::from_path(&self.catalog, path)
            .filter(|part| self.has_language(&part.language) && self.shows_document(part.document))
    }

    /// Whether pages are written in a language.
    fn has_language(&self, language: &str) -> bool {
        let own = |code: Option<&String>| code.map_or("en", String::as_str) == language;
        self.map
            .routes
            .values()
            .any(|route| own(route.language.as_ref()))
    }

    /// Whether a page of the site describes a part of a document.
    fn shows_document(&self, document: usize) -> bool {
        self.map.routes.values().any(|route| {
            let Some(
                OperationRef::Operation { document: at, .. }
                | OperationRef::Webhook { document: at, .. }
                | OperationRef::Schema { document: at, .. },
            ) = &route.operation
            else {
                return false;
            };
            *at == document
        })
    }

    /// The page of a part, drawn now if nobody has asked for it lately.
    pub fn render_schema_fragment(&self, path: &str) -> Option<Arc<SchemaFragmentOutput>> {
        let draw = || self.render_schema_fragment_uncached(path);
        let size = |drawn: &SchemaFragmentOutput| drawn.html.bytes.len();
        self.schema_fragments.get_or_make(path, draw, size)
    }

    /// The page of a part for writing it out: it does not stay in memory.
    pub(crate) fn render_schema_fragment_uncached(
        &self,
        path: &str,
    ) -> Option<SchemaFragmentOutput> {
        let part = self.schema_fragment(path)?;
        let cx = self.context();
        let draw = || svc_render::render_schema_fragment(&cx, &part);
        // Documents are what other people wrote.
        let (html, article) = catch_unwind(AssertUnwindSafe(draw)).ok().flatten()?;
        Some(SchemaFragmentOutput {
            html: CompressedBytes::new(html.into_bytes()),
            fragments: article.fragments,
            ids: article.ids,
        })
    }

    /// Whether an id stands in one of the parts that begin at `links`, or in parts inside of them.
    pub(crate) fn fragments_have_id(&self, links: &[FragmentLink], id: &str) -> bool {
        let mut open: Vec<(String, String)> = links
            .iter()
            .map(|link| (link.owner.clone(), link.path.clone()))
            .collect();
        // A part inside of a part takes at least one letter more of the id, so this ends.
        for _ in 0..50 {
            open.retain(|(owner, _)| is_below(owner, id));
            let Some((owner, path)) = open.pop() else {
                break;
            };
            let Some(part) = self.render_schema_fragment(&path) else {
                continue;
            };
            let rest = id.get(owner.len() + 1..).unwrap_or("");
            if part.ids.iter().any(|own| own == rest) {
                return true;
            }
            open.extend(part.fragments.iter().map(|link| {
                let owner = match link.owner.as_str() {
                    "" => owner.clone(),
                    own => format!("{owner}-{own}"),
                };
                (owner, link.path.clone())
            }));
        }
        false
    }
}

fn is_below(owner: &str, id: &str) -> bool {
    id.strip_prefix(owner)
        .is_some_and(|rest| rest.starts_with('-'))
}
