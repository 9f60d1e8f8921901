//! What stays of a rendered page when its HTML is gone.

use svc_diagnostics::{Diagnostic, SourceFile};
use svc_render::{FragmentLink, InternalLink};

use crate::dependencies::DependencySet;
use crate::render::RenderedArticle;

/// Words of one section that are kept for search, in characters.
const MAX_SECTION_CHARS: usize = 400;
/// Words of one page, in bytes.
const MAX_PAGE_BYTES: usize = 8_000;

/// What other pages, the search and the link check want to know of a page.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Ids in the page, sorted.
    pub(crate) ids: Box<[Box<str>]>,
    /// Headings: id and text.
    pub(crate) headings: Box<[(Box<str>, Box<str>)]>,
    /// The beginning of every section.
    pub(crate) text: Box<str>,
    /// Parts of schemas that are drawn when a reader opens them.
    pub(crate) fragments: Box<[FragmentLink]>,
    /// Links to this site.
    pub(crate) links: Box<[InternalLink]>,
    /// What was wrong.
    pub(crate) diagnostics: Box<[Diagnostic]>,
    /// What all of it was made from.
    pub(crate) dependencies: DependencySet,
}

impl Summary {
    /// `own` is the page's file; the article may have been drawn for another one with the same
    /// text, and then everything is at the same place in this one.
    pub(crate) fn new(drawn: &RenderedArticle, own: Option<&SourceFile>) -> Self {
        let article = &drawn.article;
        let (mut links, mut diagnostics) = (article.links.clone(), drawn.diagnostics.clone());
        if let (Some(own), Some(first)) = (own, &drawn.file)
            && own.path() != first
        {
            links
                .iter_mut()
                .filter(|link| link.file.path() == first)
                .for_each(|link| {
                    link.file = own.clone();
                });
            for found in &mut diagnostics {
                let labels = found.labels.iter_mut().map(|label| &mut label.location);
                let places = found.location.iter_mut().chain(labels);
                places
                    .filter(|at| at.file == *first)
                    .for_each(|at| at.file = own.path().clone());
            }
        }
        let headings: Vec<(Box<str>, Box<str>)> = article
            .toc
            .iter()
            .filter(|item| !item.is_section)
            .map(|item| (item.id.as_str().into(), item.text.as_str().into()))
            .collect();
        let mut ids: Vec<Box<str>> = article.ids.iter().map(|id| id.as_str().into()).collect();
        ids.extend(article.toc.iter().map(|item| item.id.as_str().into()));
        // Authors write elements with an id of their own to link to.
        ids.extend(own_ids(article.html.as_str()));
        ids.sort_unstable();
        ids.dedup();
        Self {
            text: beginnings(&article.text, &headings).into(),
            ids: ids.into(),
            headings: headings.into(),
            fragments: article.fragments.clone().into(),
            links: links.into(),
            diagnostics: diagnostics.into(),
            dependencies: drawn.dependencies.clone(),
        }
    }

    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.ids.binary_search_by(|known| (**known).cmp(id)).is_ok()
    }
}

/// The values of the attribute `id` in HTML that the renderer wrote: always in double quotes.
fn own_ids(html: &str) -> impl Iterator<Item = Box<str>> {
    let values = html
        .split(" id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    values.filter(|id| id.len() <= 500).map(|id| {
        let id = id
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"");
        id.replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
            .into()
    })
}

/// The first words of every section: a line that is the next heading begins one.
fn beginnings(text: &str, headings: &[(Box<str>, Box<str>)]) -> String {
    let mut out = String::new();
    let mut left = MAX_SECTION_CHARS;
    let mut next = headings.iter().map(|(_, text)| text.trim()).peekable();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if next.peek() == Some(&line) {
            next.next();
            left = MAX_SECTION_CHARS;
            continue;
        }
        if left == 0 || out.len() >= MAX_PAGE_BYTES {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        let end = line
            .char_indices()
            .nth(left)
            .map_or(line.len(), |(at, _)| at);
        out.push_str(&line[..end]);
        left -= line[..end].chars().count();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_html() {
        let ids: Vec<Box<str>> =
            own_ids("<p id=\"a\">x</p><a class=\"b\" id=\"c&amp;d\"></a>").collect();
        assert_eq!(ids, ["a".into(), "c&d".into()]);
    }

    #[test]
    fn every_section_keeps_its_beginning() {
        let long = "é".repeat(1000);
        let headings = [("a".into(), "A".into()), ("b".into(), "B".into())];
        let text = beginnings(&format!("{long}\nA\n{long}\nmore\nB\nlast"), &headings);
        let part = "é".repeat(400);
        assert_eq!(text, format!("{part} {part} last"));
    }
}
