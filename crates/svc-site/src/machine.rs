//! What programs read of a page or an API: sections, token counts, operations as text.

use svc_nav::Route;
use svc_openapi::{ApiDocument, Operation};
use svc_search::Section;

use crate::Site;
use crate::generated::tokens::estimated_tokens;
use crate::generated::{markdown, operation};

impl Site {
    /// [`estimated_tokens`] of the Markdown version of a page without its front matter, counted by
    /// the first call. 0 for a route of another site.
    pub fn markdown_tokens(&self, route: &Route) -> usize {
        let index = self.map.routes.get_index_of(&route.path);
        let count = index.and_then(|index| self.markdown_tokens.get(index));
        count.map_or(0, |count| {
            *count.get_or_init(|| estimated_tokens(&markdown::page(self, route, "")))
        })
    }

    /// The sections of a page as they are indexed, whether search finds the page or not. Renders the
    /// page if it was not rendered. `None` if there is no such route.
    pub fn page_sections(&self, path: &str) -> Option<&[Section]> {
        let summary = self.summary(self.map.routes.get_index_of(path)?)?;
        Some(&summary.sections)
    }

    /// An operation or webhook as compact Markdown: parameters, body and responses in tables, with
    /// references resolved.
    pub fn operation_markdown(&self, document: &ApiDocument, operation: &Operation) -> String {
        let mut out = String::new();
        operation::operation(document, operation, &mut out);
        out
    }

    /// A schema under `components.schemas` as compact Markdown. `None` if there is none with this
    /// name.
    pub fn schema_markdown(&self, document: &ApiDocument, name: &str) -> Option<String> {
        operation::schema_table(document, name)
    }
}
