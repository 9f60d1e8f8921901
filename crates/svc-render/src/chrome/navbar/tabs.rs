//! The row of tabs; a tab with a menu opens a list of its items.

use svc_config::ElementKind;
use svc_nav::{DivisionLevel, NavNode};

use super::super::View;
use crate::html::Html;

/// A tab.
pub(in super::super) struct TabView {
    pub(super) href: String,
    pub(super) icon: Html,
    pub(super) label: String,
    pub(super) tag: Option<String>,
    pub(super) active: bool,
    pub(super) end: bool,
    pub(super) items: Vec<ItemView>,
}

/// An item of a tab's menu.
pub(super) struct ItemView {
    pub(super) href: String,
    pub(super) icon: Html,
    pub(super) label: String,
    pub(super) about: Option<String>,
    pub(super) active: bool,
    pub(super) external: bool,
}

/// The outermost tabs around the page, and global tabs. Nested tabs are a switcher above the pages.
pub(in super::super) fn tabs(view: &View<'_>, levels: &[DivisionLevel<'_>]) -> Vec<TabView> {
    let row = levels.iter().find(|level| level.kind == ElementKind::Tab);
    let own = row
        .into_iter()
        .flat_map(|level| &level.items)
        .filter_map(|item| {
            let items = items(view, item.node, levels);
            Some(TabView {
                href: view.href(item.href.as_deref()?),
                icon: view.icon(item.node.icon.as_ref()),
                label: item.node.name.clone(),
                tag: item.node.tag.clone(),
                active: item.active,
                end: item.node.align_end,
                items,
            })
        });
    let global = view
        .global_links()
        .filter(|link| link.kind == ElementKind::Tab);
    let global = global.map(|link| TabView {
        href: view.href(&link.href),
        icon: view.icon(link.icon.as_ref()),
        label: link.name.clone(),
        tag: link.tag.clone(),
        active: false,
        end: false,
        items: Vec::new(),
    });
    own.chain(global).collect()
}

/// The menu items of a tab, whether or not the page is in it.
fn items(view: &View<'_>, tab: &NavNode, levels: &[DivisionLevel<'_>]) -> Vec<ItemView> {
    let is_item = |node: &&NavNode| node.element() == Some(ElementKind::MenuItem);
    let active = |node: &NavNode| {
        let mut known = levels.iter().flat_map(|level| &level.items);
        known.any(|item| item.node.id == node.id && item.active)
    };
    let shown = tab.children.iter().filter(is_item);
    let shown = shown.filter(|node| !node.hidden || active(node));
    shown
        .filter_map(|node| {
            Some(ItemView {
                href: view.href(node.target()?),
                icon: view.icon(node.icon.as_ref()),
                label: node.name.clone(),
                about: node.description.clone(),
                active: active(node),
                external: node
                    .href
                    .as_deref()
                    .is_some_and(|href| href.contains("://")),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::document;

    const SITE: &str = r##"
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"tabs": [
  {"tab": "A", "pages": ["a"]},
  {"tab": "B", "menu": [
    {"item": "One", "icon": "terminal", "description": "The <first>", "pages": ["one"]},
    {"item": "Out", "href": "https://x.org"},
    {"item": "Never", "hidden": true, "pages": ["never"]}]},
  {"tab": "C", "align": "end", "tabs": [{"tab": "Inner", "pages": ["inner"]}, {"tab": "Other", "pages": ["other"]}]}]}}
//- /a.mdx
//- /one.mdx
//- /never.mdx
//- /inner.mdx
//- /other.mdx
"##;

    #[test]
    fn a_tab_with_a_menu_opens_the_list_of_its_items() {
        // spec: nav.tab.menu accepts
        let html = document(SITE, "/a");
        assert!(
            html.contains("popovertarget=\"svc-tab-2\">B</button>"),
            "{html}"
        );
        let (_, list) = html
            .split_once("id=\"svc-tab-2\" popover")
            .expect("it has a list");
        let (list, _) = list.split_once("</ul>").expect("it ends");
        assert!(
            list.contains("href=\"/one\"")
                && list.contains("nav-dropdown-item-description\">The &#60;first&#62;</small>"),
            "{list}"
        );
        assert!(
            list.contains("href=\"https://x.org\"") && !list.contains("never"),
            "{list}"
        );
        let inside = document(SITE, "/one");
        assert!(
            inside.contains("popovertarget=\"svc-tab-2\" aria-current=\"true\""),
            "{inside}"
        );
        assert!(
            inside.contains("href=\"/one\" aria-current=\"true\""),
            "{inside}"
        );
        assert!(
            !inside.contains("svc-switcher"),
            "the row has the menu: {inside}"
        );
    }

    #[test]
    fn nested_tabs_are_a_menu_above_the_pages() {
        let html = document(SITE, "/inner");
        assert!(
            html.contains("svc-tab-end\" href=\"/inner\" aria-current=\"true\""),
            "{html}"
        );
        let (_, menu) = html
            .split_once("class=\"svc-switcher")
            .expect("it has a menu");
        assert!(menu.contains("href=\"/other\""), "{menu}");
    }
}
