//! The menu of a page: copy it, read it as Markdown, hand it to an assistant.
//!
//! Entries that lead away are links; those that need a script stay hidden without one. What an
//! address of the site is part of is finished in the browser where the site does not know its own.

mod entry;

use svc_config::{Contextual, ContextualDisplay, ContextualOption};
use svc_nav::RouteBody;
use svc_openapi::ApiDocument;

use super::View;
use crate::html::Html;
use entry::MenuEntry;

/// The menu of a page where it has one.
pub(super) fn menu(view: &View<'_>) -> Option<Contextual> {
    let own = match &view.route.body {
        RouteBody::Page { slug } => view.cx.pages.get(slug),
        _ => None,
    };
    let own = own
        .and_then(|page| Contextual::from_front_matter(&page.file, &page.front_matter.raw).value);
    own.or_else(|| view.config().contextual.clone())
        .filter(|menu| !menu.options.is_empty())
}

/// A button for the first entry and a list for all.
pub(super) fn header(view: &View<'_>, menu: &Contextual) -> Html {
    let entries = entries(view, menu);
    let mut html = Html::new();
    let Some(first) = entries.first() else {
        return html;
    };
    html.lit("<div class=\"svc-page-menu\"")
        .attr("id", &view.id("page-context-menu"))
        .lit(" data-svc-page-menu");
    if menu.display == ContextualDisplay::Toc {
        html.lit(" data-narrow");
    }
    write_urls(&mut html, view);
    html.lit(">");
    first.button(&mut html);
    if entries.len() > 1 {
        let texts = view.texts();
        html.lit("<details class=\"svc-popup svc-page-menu-more\"><summary")
            .attr("id", &view.id("page-context-menu-button"))
            .attr("aria-label", texts.page_actions)
            .lit("></summary><ul class=\"svc-popup-list\">");
        for entry in &entries {
            html.lit("<li>");
            entry.item(&mut html);
            html.lit("</li>");
        }
        html.lit("</ul></details>");
    }
    html.lit("<span class=\"svc-visually-hidden\" role=\"status\"></span></div>");
    html
}

/// All entries as a list, to stand below the contents; nothing where the menu stands elsewhere.
pub(super) fn list(view: &View<'_>, menu: &Contextual) -> Html {
    let mut html = Html::new();
    if menu.display != ContextualDisplay::Toc {
        return html;
    }
    let entries = entries(view, menu);
    if entries.is_empty() {
        return html;
    }
    html.lit("<div class=\"svc-page-menu-list\" data-svc-page-menu");
    write_urls(&mut html, view);
    html.lit("><ul")
        .attr("aria-label", view.texts().page_actions)
        .lit(">");
    for entry in &entries {
        html.lit("<li>");
        entry.button(&mut html);
        html.lit("</li>");
    }
    html.lit("</ul><span class=\"svc-visually-hidden\" role=\"status\"></span></div>");
    html
}

/// What the script needs to finish the entries.
fn write_urls(html: &mut Html, view: &View<'_>) {
    html.attr("data-twin", &view.markdown_url())
        .attr("data-mcp", &view.href("/mcp"))
        .attr("data-name", &view.config().name)
        .attr("data-copied", view.texts().copied);
}

fn entries(view: &View<'_>, menu: &Contextual) -> Vec<MenuEntry> {
    let options = menu.options.iter();
    options
        .filter_map(|option| match option {
            ContextualOption::Action(action) => entry::built_in(view, *action),
            ContextualOption::Custom(custom) => Some(entry::custom(view, custom)),
        })
        .collect()
}

/// Where the OpenAPI documents of the page can be loaded: one as it is, several as an archive.
/// Pages that describe no API have none, and neither has a site whose readers sign in.
fn documents(view: &View<'_>) -> Option<String> {
    if view.config().is_protected() {
        return None;
    }
    let mut found: Vec<usize> = Vec::new();
    if let Some(operation) = &view.route.operation {
        found.push(operation.document());
    }
    let around = view.cx.site_map.nodes_on_trail(&view.route.path);
    let nearest = around.iter().rev().find(|node| !node.documents.is_empty());
    for document in nearest.into_iter().flat_map(|node| &node.documents) {
        if !found.contains(document) {
            found.push(*document);
        }
    }
    let known = |at: &usize| view.cx.catalog.documents.get(*at);
    found.retain(|at| view.cx.site_map.documents.contains(at));
    let found: Vec<&ApiDocument> = found.iter().filter_map(known).collect();
    match found.as_slice() {
        [] => None,
        [one] => Some(view.href(&document_path(&one.path))),
        _ => Some(view.href("/api-specs.zip")),
    }
}

/// The address of a document: its path from the root, or the URL it comes from.
fn document_path(path: &str) -> String {
    if path.contains("://") || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    }
}

#[cfg(test)]
mod tests;
