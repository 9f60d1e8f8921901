//! The list of a group's pages on its root page (`directory`).

use svc_config::Directory;
use svc_nav::NavNode;

use super::View;
use crate::html::Html;

pub(super) fn render(view: &View<'_>) -> Html {
    let mut html = Html::new();
    let Some((style, nodes)) = view.cx.site_map.directory(&view.route.path) else {
        return html;
    };
    let mut inside = Html::new();
    match style {
        Directory::None => return html,
        Directory::Accordion => list(&mut inside, view, nodes),
        Directory::Card => cards(&mut inside, view, nodes),
    }
    if inside.is_empty() {
        return html;
    }
    html.lit("<nav class=\"svc-directory directory\"")
        .attr("data-style", style.name())
        .attr("aria-label", view.route.short_title())
        .lit(">");
    html.add(&inside).lit("</nav>");
    html
}

fn list(html: &mut Html, view: &View<'_>, nodes: &[NavNode]) {
    let mut items = Html::new();
    for node in nodes.iter().filter(|node| !node.hidden) {
        if node.children.is_empty() {
            page(&mut items, view, node);
        } else {
            group(&mut items, view, node);
        }
    }
    if !items.is_empty() {
        html.lit("<ul>").add(&items).lit("</ul>");
    }
}

fn page(html: &mut Html, view: &View<'_>, node: &NavNode) {
    let Some(target) = node.target() else { return };
    html.lit("<li class=\"directory-page\"><a")
        .attr("href", &view.href(target))
        .lit(">");
    html.add(&view.icon(node.icon.as_ref()));
    html.lit("<span class=\"svc-directory-name\">")
        .esc(&node.name)
        .lit("</span>");
    describe(html, view, node);
    html.lit("</a></li>");
}

fn group(html: &mut Html, view: &View<'_>, node: &NavNode) {
    html.lit("<li class=\"directory-group\"><details open><summary>");
    html.add(&view.icon(node.icon.as_ref())).lit("<span>");
    match &node.route {
        Some(route) => {
            html.lit("<a").attr("href", &view.href(route)).lit(">");
            html.esc(&node.name).lit("</a>");
        }
        None => {
            html.esc(&node.name);
        }
    }
    html.lit("</span></summary>");
    list(html, view, &node.children);
    html.lit("</details></li>");
}

/// Pages and groups as cards; a group links to its root page or its first page.
fn cards(html: &mut Html, view: &View<'_>, nodes: &[NavNode]) {
    let mut items = Html::new();
    for node in nodes.iter().filter(|node| !node.hidden) {
        let Some(target) = node.target() else {
            continue;
        };
        items.lit("<li><a class=\"directory-card\"");
        items.attr("href", &view.href(target)).lit(">");
        items.add(&view.icon(node.icon.as_ref()));
        items.lit("<span class=\"svc-directory-text\"><span class=\"svc-directory-name\">");
        items.esc(&node.name).lit("</span>");
        describe(&mut items, view, node);
        items.lit("</span></a></li>");
    }
    if !items.is_empty() {
        html.lit("<ul>").add(&items).lit("</ul>");
    }
}

/// The description of the page; a group without a root page has none.
fn describe(html: &mut Html, view: &View<'_>, node: &NavNode) {
    let route = node
        .route
        .as_deref()
        .filter(|_| node.href.is_none())
        .and_then(|path| view.cx.site_map.routes.get(path));
    let text = route.and_then(|route| {
        let text = crate::api::summary(route)?;
        Some(match route.operation {
            Some(_) => text.into_owned(),
            None => crate::markdown::plain_inline(&text).to_text(),
        })
    });
    if let Some(text) = text
        && !text.trim().is_empty()
    {
        html.lit("<span class=\"svc-directory-about\">")
            .esc(text.trim())
            .lit("</span>");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::document;

    const SITE: &str = r##"
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"directory": "STYLE", "groups": [
  {"group": "G", "root": "r", "pages": ["a", {"group": "N", "root": "n", "pages": ["b"]}, "h",
    {"group": "O", "directory": "none", "root": "o", "pages": ["c"]}]}]}}
//- /r.mdx
---
title: Root
---
//- /a.mdx
---
title: A <b>
description: "About *a* & more"
icon: rocket
---
//- /n.mdx
//- /b.mdx
//- /h.mdx
---
hidden: true
---
//- /o.mdx
//- /c.mdx
"##;

    fn directory(style: &str, path: &str) -> String {
        let html = document(&SITE.replace("STYLE", style), path);
        let nav = html.split_once("<nav class=\"svc-directory");
        nav.and_then(|(_, rest)| rest.split_once("</nav>"))
            .map_or_else(String::new, |(inside, _)| inside.to_owned())
    }

    #[test]
    fn a_root_page_lists_pages_and_groups() {
        // spec: nav.rule.3, view.directory accepts
        let list = directory("accordion", "/r");
        assert!(list.contains("data-style=\"accordion\""), "{list}");
        assert!(
            list.contains("A &lt;b&gt;") && list.contains("About a &amp; more"),
            "{list}"
        );
        assert!(list.contains("<svg"), "the icon of the page: {list}");
        assert!(
            list.contains("<details open><summary><span><a href=\"/n\">N</a>"),
            "{list}"
        );
        assert!(
            list.contains("href=\"/b\""),
            "pages of nested groups: {list}"
        );
        assert!(!list.contains("\"/h\""), "hidden pages: {list}");
    }

    #[test]
    fn cards_link_to_pages_and_groups() {
        // spec: view.directory accepts
        let cards = directory("card", "/r");
        assert_eq!(cards.matches("directory-card").count(), 3, "{cards}");
        assert!(
            cards.contains("<a class=\"directory-card\" href=\"/n\">"),
            "{cards}"
        );
        assert!(!cards.contains("\"/b\""), "{cards}");
    }

    #[test]
    fn only_root_pages_of_groups_with_the_setting_have_a_list() {
        // spec: view.directory accepts
        for (style, path) in [("none", "/r"), ("accordion", "/a"), ("card", "/o")] {
            assert_eq!(directory(style, path), "", "{style} {path}");
        }
        assert!(
            directory("card", "/n").contains("\"/b\""),
            "it is inherited"
        );
    }
}
