//! The pages of the current section, and the anchors above them.

use svc_config::ElementKind;
use svc_nav::{DivisionLevel, NavNode, NodeKind};

use super::View;
use crate::html::Html;
use crate::i18n::Messages;
use crate::themes;

/// In larger sections, top-level groups that do not contain the page are collapsed to their title;
/// otherwise the list would dominate the size of every page.
const MAX_EXPANDED_ENTRIES: usize = 600;
/// Maximum bytes of HTML of a list. Longer lists are cut to the entries around the page, because
/// the list is in each of its pages.
const MAX_LIST_BYTES: usize = 120_000;
/// Maximum bytes of HTML of the entries around the page.
const MAX_NEARBY_BYTES: usize = 30_000;
/// Estimated bytes of HTML of an entry besides its name and URL.
const ENTRY_OVERHEAD: usize = 150;
/// Maximum number of characters of a name in the list.
const MAX_NAME_CHARS: usize = 120;

pub(super) fn render(view: &View<'_>) -> Html {
    let nodes = view.cx.site_map.sidebar(&view.route.path);
    let mut html = Html::new();
    if nodes.iter().all(|node| node.hidden) {
        return html;
    }
    let prune = nodes.iter().map(count).sum::<usize>() > MAX_EXPANDED_ENTRIES;
    html.lit("<ul class=\"svc-nav-list svc-nav-top\">");
    for node in nodes {
        if is_group(node) {
            top_group(&mut html, view, node, prune);
        } else {
            entry(&mut html, view, node);
        }
    }
    html.lit("</ul>");
    html
}

/// The anchors: those of the navigation, then global links.
pub(super) fn anchors(view: &View<'_>, levels: &[DivisionLevel<'_>]) -> Html {
    let mut html = Html::new();
    let own = levels
        .iter()
        .filter(|level| level.kind == ElementKind::Anchor);
    for item in own.flat_map(|level| &level.items) {
        let Some(href) = &item.href else { continue };
        let icon = view.icon(item.node.icon.as_ref());
        anchor(
            &mut html,
            &view.href(href),
            &icon,
            &item.node.name,
            item.active,
        );
    }
    for link in view.global_links() {
        if link.kind == ElementKind::Anchor {
            let href = view.href(&link.href);
            anchor(
                &mut html,
                &href,
                &view.icon(link.icon.as_ref()),
                &link.name,
                false,
            );
        }
    }
    if html.is_empty() {
        return html;
    }
    let mut list = Html::literal("<ul class=\"nav-anchors\">");
    list.add(&html).lit("</ul>");
    list
}

fn anchor(html: &mut Html, href: &str, icon: &Html, name: &str, active: bool) {
    html.lit("<li><a class=\"nav-anchor\"").attr("href", href);
    if active {
        html.lit(" data-active=\"true\" aria-current=\"true\"");
    }
    html.lit(">");
    if !icon.is_empty() {
        html.lit("<span class=\"svc-anchor-icon\">")
            .add(icon)
            .lit("</span>");
    }
    html.esc(name).lit("</a></li>");
}

fn is_group(node: &NavNode) -> bool {
    matches!(node.kind, NodeKind::Element(_)) && node.href.is_none()
}

/// Number of nodes in the subtree; ids are assigned in reading order.
const fn count(node: &NavNode) -> usize {
    node.end.saturating_sub(node.id)
}

fn on_trail(view: &View<'_>, node: &NavNode) -> bool {
    view.route.trail.contains(&node.id) || view.route.root_of == Some(node.id)
}

fn is_current(view: &View<'_>, node: &NavNode) -> bool {
    node.route.as_deref() == Some(view.route.path.as_str())
}

fn top_group(html: &mut Html, view: &View<'_>, node: &NavNode, prune: bool) {
    if node.hidden || (node.children.is_empty() && node.route.is_none()) {
        return;
    }
    let shut = prune && !on_trail(view, node);
    html.lit(if shut {
        "<li class=\"svc-nav-group svc-nav-shut sidebar-group\">"
    } else {
        "<li class=\"svc-nav-group sidebar-group\">"
    });
    let link = node
        .route
        .as_ref()
        .or(node.first.as_ref().filter(|_| prune));
    match link {
        Some(route) => {
            html.lit("<a class=\"svc-group-title sidebar-group-header\"")
                .attr("href", &view.href(route));
            if is_current(view, node) {
                html.lit(" aria-current=\"page\"");
            }
            html.lit(">");
        }
        None => {
            html.lit("<div class=\"svc-group-title sidebar-group-header\">");
        }
    }
    html.add(&view.icon(node.icon.as_ref()))
        .lit("<span class=\"sidebar-title\">")
        .esc(&node.name);
    deprecated(html, node, view.texts());
    html.lit("</span>");
    tag(html, node);
    html.lit(if link.is_some() { "</a>" } else { "</div>" });
    if !shut {
        list(html, view, &node.children);
    }
    html.lit("</li>");
}

fn list(html: &mut Html, view: &View<'_>, nodes: &[NavNode]) {
    html.lit("<ul class=\"svc-nav-list\">");
    for node in nearby(view, nodes) {
        if is_group(node) {
            nested(html, view, node);
        } else {
            entry(html, view, node);
        }
    }
    html.lit("</ul>");
}

/// The visible entries of a list: all of them, or as many around the page as [`MAX_NEARBY_BYTES`]
/// permits.
fn nearby<'n>(view: &View<'_>, nodes: &'n [NavNode]) -> &'n [NavNode] {
    let weight = |at: usize| {
        let node = nodes.get(at)?;
        Some(
            ENTRY_OVERHEAD
                + node.name.len().min(MAX_NAME_CHARS)
                + node.target().map_or(0, str::len),
        )
    };
    if (0..nodes.len()).filter_map(weight).sum::<usize>() <= MAX_LIST_BYTES {
        return nodes;
    }
    let here = |node: &NavNode| is_current(view, node) || on_trail(view, node);
    let mut first = nodes.iter().position(here).unwrap_or_default();
    let (mut end, mut left) = (first, MAX_NEARBY_BYTES);
    loop {
        let before = first.checked_sub(1).and_then(|at| Some((at, weight(at)?)));
        let behind = weight(end);
        if let Some(bytes) = behind.filter(|bytes| *bytes <= left) {
            end += 1;
            left -= bytes;
        }
        match before.filter(|(_, bytes)| *bytes <= left) {
            Some((at, bytes)) => {
                first = at;
                left -= bytes;
            }
            None if behind.is_none_or(|bytes| bytes > left) => break,
            None => {}
        }
    }
    nodes.get(first..end).unwrap_or(nodes)
}

/// Truncates a name to [`MAX_NAME_CHARS`].
fn shorten(name: &str) -> std::borrow::Cow<'_, str> {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or("").trim_end()).into(),
        None => name.into(),
    }
}

fn nested(html: &mut Html, view: &View<'_>, node: &NavNode) {
    if node.hidden || (node.children.is_empty() && node.route.is_none()) {
        return;
    }
    let default = themes::definition(view.config().theme).drilldown;
    let drilldown = view.cx.site_map.drilldown.unwrap_or(default);
    let target = node.title_target(drilldown);
    let mut title = view.icon(node.icon.as_ref());
    title.lit("<span class=\"svc-nav-label\">");
    title.esc(&node.name);
    deprecated(&mut title, node, view.texts());
    title.lit("</span>");
    tag(&mut title, node);
    match target {
        // A link in a `summary` is not accessible, so the two are siblings.
        Some(target) => {
            html.lit("<li class=\"svc-nav-parent\"><a class=\"svc-nav-link\"")
                .attr("href", &view.href(target));
            if is_current(view, node) {
                html.lit(" aria-current=\"page\" data-active=\"true\"");
            }
            html.lit(">").add(&title).lit("</a>");
        }
        None => {
            html.lit("<li>");
        }
    }
    html.lit("<details class=\"svc-nav-details\"");
    html.flag("open", node.expanded || on_trail(view, node));
    if target.is_some() {
        html.lit("><summary><span class=\"svc-visually-hidden\">")
            .esc(&node.name)
            .lit("</span></summary>");
    } else {
        html.lit("><summary>").add(&title).lit("</summary>");
    }
    list(html, view, &node.children);
    html.lit("</details></li>");
}

fn entry(html: &mut Html, view: &View<'_>, node: &NavNode) {
    let Some(target) = node.target().filter(|_| !node.hidden) else {
        return;
    };
    let current = node.href.is_none() && is_current(view, node);
    html.lit(if current {
        "<li data-active=\"true\">"
    } else {
        "<li>"
    });
    html.lit("<a class=\"svc-nav-link\"")
        .attr("href", &view.href(target));
    if current {
        html.lit(" aria-current=\"page\" data-active=\"true\"");
    }
    html.lit(">");
    if let Some(method) = &node.method {
        let method = method.to_ascii_lowercase();
        let short = match method.as_str() {
            "delete" => "del",
            "options" => "opt",
            "webhook" => "hook",
            method => method,
        };
        html.lit("<span class=\"method-nav-pill\"")
            .attr("data-method", &method)
            .lit(">");
        html.esc(short).lit("</span>");
    }
    html.add(&view.icon(node.icon.as_ref()));
    html.lit("<span class=\"svc-nav-label\">")
        .esc(&shorten(&node.name));
    deprecated(html, node, view.texts());
    html.lit("</span>");
    tag(html, node);
    if node
        .href
        .as_deref()
        .is_some_and(|href| href.contains("://"))
    {
        html.add(&super::external_mark());
    }
    html.lit("</a></li>");
}

fn tag(html: &mut Html, node: &NavNode) {
    if let Some(tag) = &node.tag {
        html.lit("<span class=\"svc-pill nav-tag-pill\">")
            .esc(tag)
            .lit("</span>");
    }
}

fn deprecated(html: &mut Html, node: &NavNode, texts: &Messages) {
    if node.deprecated {
        html.lit(" <span class=\"svc-pill svc-pill-deprecated\">")
            .esc(texts.deprecated_label)
            .lit("</span>");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::document;

    #[test]
    fn deprecated_labels_follow_titles_and_large_sections_collapse_groups() {
        let names: Vec<String> = (0..super::MAX_EXPANDED_ENTRIES)
            .map(|page| format!("p{page}"))
            .collect();
        let listed = names.join("\",\"");
        let mut site = format!(
            r##"//- /docs.json
{{"theme": "svc", "name": "T", "colors": {{"primary": "#112233"}}, "navigation": {{"groups": [{{"group": "One", "pages": ["a"]}}, {{"group": "Two", "pages": ["{listed}"]}}]}}}}
//- /a.mdx
---
title: Old
deprecated: true
---
"##
        );
        for name in &names {
            site.push_str(&format!("//- /{name}.mdx\n"));
        }
        let html = document(&site, "/a");
        assert!(
            html.contains(
                "<span class=\"svc-nav-label\">Old <span class=\"svc-pill svc-pill-deprecated\">"
            ),
            "{html}"
        );
        // The other group is only its title, which links to its first page.
        let (_, shut) = html.split_once("svc-nav-shut").expect("it is folded");
        assert!(shut.contains("href=\"/p0\"") && !html.contains("href=\"/p1\""));
    }
}
