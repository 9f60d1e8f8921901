//! Fragments of schemas that are rendered when a reader expands them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use svc_nav::OperationRef;
use svc_render::{FragmentLink, SchemaFragment};

use crate::page::{CompressedBytes, SchemaFragmentOutput};
use crate::site::Site;

impl Site {
    /// The schema fragment at a URL path. `None` unless the path is valid and the site has the
    /// language and shows the document.
    pub(crate) fn schema_fragment(&self, path: &str) -> Option<SchemaFragment> {
        SchemaFragment::from_path(&self.catalog, path)
            .filter(|part| self.has_language(&part.language) && self.shows_document(part.document))
    }

    /// Whether the site has pages in `language`.
    fn has_language(&self, language: &str) -> bool {
        let is_language = |code: Option<&String>| code.map_or("en", String::as_str) == language;
        self.map
            .routes
            .values()
            .any(|route| is_language(route.language.as_ref()))
    }

    /// Whether a page of the site documents a part of the document with this index.
    fn shows_document(&self, document: usize) -> bool {
        self.map.routes.values().any(|route| {
            let operation = route.operation.as_ref();
            operation.map(OperationRef::document) == Some(document)
        })
    }

    /// The rendered fragment at a URL path, cached in memory. `None` when there is no such fragment
    /// or it cannot be rendered.
    pub fn render_schema_fragment(&self, path: &str) -> Option<Arc<SchemaFragmentOutput>> {
        let render = || self.render_schema_fragment_uncached(path);
        let size = |rendered: &SchemaFragmentOutput| rendered.html.bytes.len();
        self.schema_fragments.get_or_make(path, render, size)
    }

    /// The rendered fragment at a URL path, not cached; for exports.
    pub(crate) fn render_schema_fragment_uncached(
        &self,
        path: &str,
    ) -> Option<SchemaFragmentOutput> {
        let part = self.schema_fragment(path)?;
        let cx = self.context();
        let render = || svc_render::render_schema_fragment(&cx, &part);
        // A panic on an unusual document must not end the server.
        let (html, article) = catch_unwind(AssertUnwindSafe(render)).ok().flatten()?;
        Some(SchemaFragmentOutput {
            html: CompressedBytes::new(html.into_bytes()),
            fragments: article.fragments,
            ids: article.ids,
        })
    }

    /// Whether `id` exists in the fragments at `links` or in fragments nested in them.
    pub(crate) fn fragments_have_id(&self, links: &[FragmentLink], id: &str) -> bool {
        let mut open: Vec<(String, String)> = links
            .iter()
            .map(|link| (link.owner.clone(), link.path.clone()))
            .collect();
        // Each nested fragment consumes at least one character of the id, so this terminates.
        for _ in 0..50 {
            open.retain(|(owner, _)| is_below(owner, id));
            let Some((owner, path)) = open.pop() else {
                break;
            };
            let Some(part) = self.render_schema_fragment(&path) else {
                continue;
            };
            let rest = id.get(owner.len() + 1..).unwrap_or("");
            if part.ids.iter().any(|name| name == rest) {
                return true;
            }
            open.extend(part.fragments.iter().map(|link| {
                let owner = match link.owner.as_str() {
                    "" => owner.clone(),
                    name => format!("{owner}-{name}"),
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
