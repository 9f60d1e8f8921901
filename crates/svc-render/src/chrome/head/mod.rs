//! The head of a page for browsers, search engines and link previews.

mod icons;
mod metas;
mod structured_data;

use super::{Page, View};
use crate::html::Html;
use crate::language::language_alternates;
use crate::themes::fonts;
use crate::url::printed_path;

/// Description, meta elements, canonical URL, fonts, icons and structured data.
pub(super) fn render(view: &View<'_>, page: &Page<'_>) -> Html {
    let mut html = Html::new();
    for (name, content) in metas::collect(view, page) {
        let property = ["og:", "article:", "fb:"]
            .iter()
            .any(|start| name.starts_with(start));
        html.lit(if property {
            "<meta property=\""
        } else {
            "<meta name=\""
        });
        html.esc(&name)
            .lit("\"")
            .attr("content", &content)
            .lit(">\n");
    }
    if let Some(url) = view.canonical_url(page) {
        html.lit("<link rel=\"canonical\"")
            .attr("href", &url)
            .lit(">\n");
    }
    html.add(&alternates(view, page));
    html.add(&fonts::links(view.config(), view.cx.options));
    html.add(&icons::render(view));
    html.add(&structured_data::render(view, page));
    html
}

/// Links to the versions of the page in other languages; empty if the origin of the site is
/// unknown, because these URLs must be absolute.
fn alternates(view: &View<'_>, page: &Page<'_>) -> Html {
    let mut html = Html::new();
    if !page.is_route || view.route.noindex {
        return html;
    }
    for alternate in language_alternates(view.cx.site_map, view.route) {
        if let Some(url) = view.public_url(&printed_path(view.config(), alternate.path)) {
            html.lit("<link rel=\"alternate\"")
                .attr("hreflang", alternate.language)
                .attr("href", &url)
                .lit(">\n");
        }
    }
    html
}

#[cfg(test)]
mod tests;
