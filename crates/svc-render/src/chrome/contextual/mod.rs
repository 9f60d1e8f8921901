//! The page menu: copy the page, view it as Markdown, or open it in an assistant.
//!
//! Entries that open other sites are links; entries that need a script are hidden without it. If
//! the origin of the site is unknown, the script completes the URLs that contain it.

mod documents;
mod entry;

use svc_config::{Contextual, ContextualDisplay, ContextualOption};
use svc_nav::RouteBody;

use super::View;
use crate::html::Html;
use entry::MenuEntry;

/// The menu of a page: that of its front matter or of the site. `None` without entries.
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

/// A button for the first entry and a list of all entries.
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

/// All entries as a list below the table of contents; empty if the menu is displayed elsewhere.
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

/// Attributes that the script needs to complete the entries.
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

#[cfg(test)]
mod tests;
