//! Data of a rendered page that stays in memory when its HTML does not.

use std::sync::Arc;

use svc_diagnostics::{Diagnostic, SourceFile};
use svc_render::{FragmentLink, PageLink};
use svc_search::Section;

use crate::dependencies::DependencySet;
use crate::render::RenderedArticle;

/// Data of a page for search, link checks and diagnostics.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Element ids in the page, sorted.
    pub(crate) ids: Box<[Box<str>]>,
    /// Plain text for search.
    pub(crate) sections: Arc<[Section]>,
    /// Whether the page has changelog entries.
    pub(crate) is_changelog: bool,
    /// Links to schema fragments that are loaded when a reader expands them.
    pub(crate) fragments: Box<[FragmentLink]>,
    /// Links, and URLs of images and other files.
    pub(crate) links: Box<[PageLink]>,
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
        let mut dependencies = rendered.dependencies.clone();
        if let (Some(file), Some(first)) = (file, &rendered.file)
            && file.path() != first
        {
            dependencies = dependencies.with_contents(file.path());
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
        let mut ids: Vec<Box<str>> = article.ids.iter().map(|id| id.as_str().into()).collect();
        ids.extend(article.toc.iter().map(|item| item.id.as_str().into()));
        // Authors can link to elements with an explicit `id`.
        ids.extend(own_ids(article.html.as_str()));
        ids.sort_unstable();
        ids.dedup();
        Self {
            sections: Arc::clone(&article.sections),
            is_changelog: article.features.feed,
            ids: ids.into(),
            fragments: article.fragments.clone().into(),
            links: links.into(),
            diagnostics: diagnostics.into(),
            dependencies,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_extracted_from_html() {
        let ids: Vec<Box<str>> =
            own_ids("<p id=\"a\">x</p><a class=\"b\" id=\"c&amp;d\"></a>").collect();
        assert_eq!(ids, ["a".into(), "c&d".into()]);
    }
}
