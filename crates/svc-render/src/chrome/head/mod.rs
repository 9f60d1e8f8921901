//! The head of a page for browsers, search engines and link previews.

mod icons;
mod metas;
mod structured_data;

use super::View;
use super::shell::Page;
use crate::html::Html;
use crate::themes::fonts;
use crate::url::{printed_path, public_url};

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
    if let Some(url) = canonical(view, page) {
        html.lit("<link rel=\"canonical\"")
            .attr("href", &url)
            .lit(">\n");
    }
    html.add(&fonts::links(view.config(), &view.cx.options));
    html.add(&icons::render(view));
    html.add(&structured_data::render(view, page));
    html
}

/// The canonical URL of the page. `None` for built-in pages and if the origin of the site is
/// unknown.
fn canonical(view: &View<'_>, page: &Page<'_>) -> Option<String> {
    if !page.is_route {
        return None;
    }
    let own = page
        .front_matter
        .and_then(|matter| matter.canonical.as_deref());
    match own.map(str::trim).filter(|own| !own.is_empty()) {
        Some(own) if own.starts_with('/') => absolute(view, own),
        Some(own) => Some(own.to_owned()),
        None => absolute(view, &printed_path(view.config(), &view.route.path)),
    }
}

/// The absolute URL of a path of the site. `None` if the origin of the site is unknown.
fn absolute(view: &View<'_>, path: &str) -> Option<String> {
    let options = &view.cx.options;
    public_url(
        view.config(),
        &options.site.origin,
        &options.site.base_path,
        path,
    )
}

/// Like [`absolute`], or the path if the origin of the site is unknown.
fn absolute_or_path(view: &View<'_>, path: &str) -> String {
    absolute(view, path)
        .unwrap_or_else(|| super::resolve_url(&view.cx.options.site.base_path, path))
}

#[cfg(test)]
mod tests;
