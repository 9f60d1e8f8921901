//! Nodes and links of the navigation.

use svc_config::{Directory, Element};
use svc_data::url_scheme;

use super::context::Context;
use crate::{GlobalLink, NavNode, NodeKind};

/// Creates the node of an element without its children.
pub(super) fn node_of(element: &Element, id: usize, inside: &Context<'_>) -> NavNode {
    NavNode {
        id,
        end: id + 1,
        kind: NodeKind::Element(element.kind),
        name: element
            .display_name
            .clone()
            .unwrap_or_else(|| element.name.clone()),
        key: element.name.clone(),
        icon: element.icon.clone(),
        tag: element.tag.clone(),
        hidden: inside.hidden,
        route: None,
        first: None,
        href: element.href.as_deref().map(link),
        expanded: element.expanded.unwrap_or(false),
        method: None,
        deprecated: false,
        description: element.description.clone(),
        color: element.color.clone(),
        align_end: element.align_end,
        default: false,
        directory: inside.listing,
        boost: inside.boost,
        public: inside.public,
        documents: Vec::new(),
        dir: String::new(),
        global: element.global.iter().filter_map(global_link).collect(),
        children: Vec::new(),
    }
}

/// Creates a node with a kind and a name.
pub(super) fn new_node(id: usize, kind: NodeKind, name: &str, hidden: bool) -> NavNode {
    NavNode {
        id,
        end: id + 1,
        kind,
        name: name.to_owned(),
        key: name.to_owned(),
        icon: None,
        tag: None,
        hidden,
        route: None,
        first: None,
        href: None,
        expanded: false,
        method: None,
        deprecated: false,
        description: None,
        color: None,
        align_end: false,
        default: false,
        directory: Directory::None,
        boost: None,
        public: None,
        documents: Vec::new(),
        dir: String::new(),
        global: Vec::new(),
        children: Vec::new(),
    }
}

/// Sets the fields that depend on the children: the first page and the common directory.
pub(super) fn finalize(node: &mut NavNode) {
    // If the node itself is hidden, its first page is the first one that nothing inside of it
    // hides.
    let around = node.hidden;
    let first_of = |child: &NavNode| match child.kind {
        NodeKind::Link => None,
        NodeKind::Page => child.route.clone(),
        NodeKind::Element(_) => child.route.clone().or_else(|| child.first.clone()),
    };
    let open = node.children.iter().filter(|child| around || !child.hidden);
    node.first = node
        .route
        .clone()
        .or_else(|| open.into_iter().find_map(first_of));
    if node.is_division() {
        // A division with only hidden pages still has a target.
        let hidden = || any_page(&node.children).map(str::to_owned);
        node.first = node.first.take().or_else(hidden);
        node.route.clone_from(&node.first);
    }
    let mut dirs = node
        .children
        .iter()
        .filter(|child| child.kind != NodeKind::Link && child.href.is_none())
        .filter(|child| child.route.is_some() || !child.children.is_empty())
        .map(|child| child.dir.as_str())
        .chain((!node.dir.is_empty()).then_some(node.dir.as_str()));
    let first = dirs.next().unwrap_or("");
    let shared = dirs.fold(first, common);
    node.dir = shared.to_owned();
}

/// Returns the first page below the nodes, hidden or not.
fn any_page(nodes: &[NavNode]) -> Option<&str> {
    nodes.iter().find_map(|node| match node.kind {
        NodeKind::Link => None,
        _ => node
            .route
            .as_deref()
            .or(node.first.as_deref())
            .or_else(|| any_page(&node.children)),
    })
}

/// Returns the common parent of both directories, with a trailing slash.
fn common<'f>(left: &'f str, right: &str) -> &'f str {
    let same = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let shared = left.as_bytes().get(..same).unwrap_or_default();
    let end = shared
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at + 1);
    left.get(..end).unwrap_or("")
}

/// Normalizes a link: a bare relative path is relative to the root.
pub(super) fn link(href: &str) -> String {
    let href = href.trim();
    let absolute = href.starts_with(['/', '#']) || url_scheme(href).is_some();
    if absolute {
        href.to_owned()
    } else {
        format!("/{}", href.trim_start_matches("./"))
    }
}

/// Converts an element to a global link; `None` if it has no target.
pub(super) fn global_link(element: &Element) -> Option<GlobalLink> {
    Some(GlobalLink {
        kind: element.kind,
        name: element
            .display_name
            .clone()
            .unwrap_or_else(|| element.name.clone()),
        href: link(element.href.as_deref()?),
        icon: element.icon.clone(),
        description: element.description.clone(),
        tag: element.tag.clone(),
        color: element.color.clone(),
        hidden: element.hidden == Some(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_share_whole_segments() {
        assert_eq!(common("es/guides/", "es/api/"), "es/");
        assert_eq!(common("guides/", "guide/"), "");
        assert_eq!(common("a/b/", "a/b/"), "a/b/");
    }

    #[test]
    fn bare_links_are_relative_to_the_root() {
        for (href, used) in [
            ("changelog", "/changelog"),
            ("./a/b", "/a/b"),
            ("/a", "/a"),
            ("#x", "#x"),
            ("https://x.org", "https://x.org"),
            ("mailto:a@b.c", "mailto:a@b.c"),
        ] {
            assert_eq!(link(href), used);
        }
    }
}
