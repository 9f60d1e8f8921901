//! Rendered HTML as Markdown, for agents: what a reader sees, without the controls of the page.
//!
//! The input is HTML of this crate, so that snippets, expressions and components are resolved
//! already. The table of [`components`] names the elements that are not converted by their tag.

mod api;
mod blocks;
mod components;
mod inlines;
pub(crate) mod nodes;
mod table;
#[cfg(test)]
mod tests;
mod xhtml;

use crate::html::Html;

pub use xhtml::{BookArticle, BookPart, book_id, book_text, html_to_book};

/// Converts an article to Markdown (CommonMark with the tables of GFM). Formulas are LaTeX,
/// diagrams rendered for [`crate::Reader::Agent`] are Mermaid, images and videos are links.
/// `origin`, such as `https://docs.example.com`, is written before URLs that begin with a slash; it
/// can be empty.
///
/// ```
/// let html = svc_render::Html::text("1 < 2");
/// assert_eq!(svc_render::html_to_markdown(&html, ""), "1 < 2\n");
/// ```
pub fn html_to_markdown(html: &Html, origin: &str) -> String {
    let nodes = nodes::parse(html.as_str(), origin);
    let mut out = blocks::join(&blocks::blocks(&nodes));
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
