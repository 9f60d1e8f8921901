//! Descriptions of API pages.

use std::borrow::Cow;

use svc_nav::{OperationRef, Route};

use super::description_links::{DescriptionLink, resolve_links};
use crate::ctx::RenderContext;
use crate::html::Html;
use crate::i18n::Messages;
use crate::markdown::{document_markdown, document_text, plain_text};

/// Renders the description of a route's operation in two parts, and returns its links: the lead
/// paragraph below the title, and the rest after the endpoint bar. A long first paragraph is not used
/// as the lead.
pub(crate) fn description(
    input: &RenderContext<'_>,
    texts: &'static Messages,
    route: &Route,
) -> (Html, Html, Vec<DescriptionLink>) {
    let text = route.description.as_deref().unwrap_or_default();
    let html = document_markdown(text, texts);
    let document = route.operation.as_ref().map(OperationRef::document);
    let (html, links) = resolve_links(input, document, &route.path, html);
    let html = html.into_string();
    let end = html.find("</p>").map_or(0, |end| end + "</p>".len());
    let (lead, rest) = html.split_at(end);
    let lead = Html::trusted(lead.to_owned());
    if lead.as_str().starts_with("<p>") && plain_text(&lead).chars().count() <= MAX_LEAD {
        return (lead, Html::trusted(rest.to_owned()), links);
    }
    (Html::new(), Html::trusted(html), links)
}

/// Maximum length of the lead paragraph in characters.
const MAX_LEAD: usize = 400;
/// Maximum length of a summary in characters.
const MAX_SUMMARY: usize = 300;

/// Returns the description of a route as one line of plain text, for metadata and lists. Markdown
/// and HTML are removed and long text is cut. `None` if the route has no description.
pub fn summary(route: &Route) -> Option<Cow<'_, str>> {
    let text = route.description.as_deref()?;
    if route.operation.is_none() {
        return Some(Cow::Borrowed(text));
    }
    let mut text = document_text(text);
    if let Some((end, _)) = text.char_indices().nth(MAX_SUMMARY) {
        let end = text
            .get(..end)
            .and_then(|text| text.rfind(' '))
            .unwrap_or(end);
        text.truncate(end);
        text.push('…');
    }
    Some(Cow::Owned(text))
}
