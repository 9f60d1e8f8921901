//! Data of a rendered page that stays in memory when its HTML does not.

use svc_diagnostics::{Diagnostic, SourceFile};
use svc_render::{FragmentLink, InternalLink};

use crate::dependencies::DependencySet;
use crate::render::RenderedArticle;

/// Maximum number of characters of a section in the search text.
const MAX_SECTION_CHARS: usize = 400;
/// Maximum number of bytes of the search text of a page.
const MAX_PAGE_BYTES: usize = 8_000;

/// Data of a page for search, link checks and diagnostics.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Element ids in the page, sorted.
    pub(crate) ids: Box<[Box<str>]>,
    /// Headings as id and text.
    pub(crate) headings: Box<[(Box<str>, Box<str>)]>,
    /// The beginning of each section, for search.
    pub(crate) text: Box<str>,
    /// Links to schema fragments that are loaded when a reader expands them.
    pub(crate) fragments: Box<[FragmentLink]>,
    /// Internal links.
    pub(crate) links: Box<[InternalLink]>,
    /// Diagnostics of rendering the page.
    pub(crate) diagnostics: Box<[Diagnostic]>,
    /// Dependencies of the article.
    pub(crate) dependencies: DependencySet,
}

impl Summary {
    /// Summarizes a rendered article. `file` is the page's file; the article may have been rendered
    /// from another file with the same text, whose locations are then mapped to this one.
    pub(crate) fn new(rendered: &RenderedArticle, file: Option<&SourceFile>) -> Self {
        let article = &rendered.article;
        let (mut links, mut diagnostics) = (article.links.clone(), rendered.diagnostics.clone());
        if let (Some(file), Some(first)) = (file, &rendered.file)
            && file.path() != first
        {
            links
                .iter_mut()
                .filter(|link| link.file.path() == first)
                .for_each(|link| {
                    link.file = file.clone();
                });
            for diagnostic in &mut diagnostics {
                let labels = diagnostic
                    .labels
                    .iter_mut()
                    .map(|label| &mut label.location);
                let locations = diagnostic.location.iter_mut().chain(labels);
                locations
                    .filter(|at| at.file == *first)
                    .for_each(|at| at.file = file.path().clone());
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
        // Authors can link to elements with an explicit `id`.
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
            dependencies: rendered.dependencies.clone(),
        }
    }

    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.ids.binary_search_by(|other| (**other).cmp(id)).is_ok()
    }
}

/// The values of the attribute `id` in HTML that the renderer wrote, which always uses double
/// quotes.
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

/// The beginning of each section. A line that equals the next heading starts a section.
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
    fn ids_are_extracted_from_html() {
        let ids: Vec<Box<str>> =
            own_ids("<p id=\"a\">x</p><a class=\"b\" id=\"c&amp;d\"></a>").collect();
        assert_eq!(ids, ["a".into(), "c&d".into()]);
    }

    #[test]
    fn the_beginning_of_each_section_is_retained() {
        let long = "é".repeat(1000);
        let headings = [("a".into(), "A".into()), ("b".into(), "B".into())];
        let text = beginnings(&format!("{long}\nA\n{long}\nmore\nB\nlast"), &headings);
        let part = "é".repeat(400);
        assert_eq!(text, format!("{part} {part} last"));
    }
}
