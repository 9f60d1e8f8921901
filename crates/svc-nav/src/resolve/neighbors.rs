//! Previous and next pages, and redirects of directories.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::{NavNode, NodeKind, Route};

/// Links the pages of every sidebar in reading order. Hidden pages and links are skipped. A page
/// with several nodes is linked at the first one.
pub(super) fn link_neighbors(tree: &[NavNode], routes: &mut IndexMap<String, Route>) {
    let mut sidebars = vec![Vec::new()];
    for node in tree {
        collect(node, routes, &mut sidebars, 0);
    }
    for sidebar in sidebars {
        for pair in sidebar.windows(2) {
            let [left, right] = pair else { continue };
            let path = |at: usize| routes.get_index(at).map(|(path, _)| path.clone());
            let (previous, after) = (path(*left), path(*right));
            if let Some((_, route)) = routes.get_index_mut(*left) {
                route.next = after;
            }
            if let Some((_, route)) = routes.get_index_mut(*right) {
                route.previous = previous;
            }
        }
    }
}

/// Appends the pages below a node to the sidebar at `into`; a division begins a new one.
fn collect(
    node: &NavNode,
    routes: &IndexMap<String, Route>,
    sidebars: &mut Vec<Vec<usize>>,
    into: usize,
) {
    if node.hidden || node.href.is_some() {
        return;
    }
    let into = if node.is_division() {
        sidebars.push(Vec::new());
        sidebars.len() - 1
    } else {
        into
    };
    let indexed = node.route.as_ref().and_then(|path| routes.get_full(path));
    if let Some((at, _, route)) = indexed {
        let belongs = match node.kind {
            NodeKind::Page => route.node == Some(node.id),
            NodeKind::Link => false,
            // The route of a division is its first page, which follows below.
            NodeKind::Element(_) => route.root_of == Some(node.id) && route.node.is_none(),
        };
        if belongs
            && !route.hidden
            && let Some(sidebar) = sidebars.get_mut(into)
        {
            sidebar.push(at);
        }
    }
    for child in &node.children {
        collect(child, routes, sidebars, into);
    }
}

/// Returns every directory of a page of the navigation that has no page of its own, with the first
/// visible page below it. Routes of the navigation are in reading order.
pub(super) fn dir_redirects(routes: &IndexMap<String, Route>) -> BTreeMap<String, String> {
    let mut redirects = BTreeMap::new();
    let listed = |route: &&Route| route.in_navigation && !route.hidden && route.url.is_none();
    for route in routes.values().filter(listed) {
        let mut path = route.path.as_str();
        while let Some((dir, _)) = path.rsplit_once('/').filter(|(dir, _)| !dir.is_empty()) {
            if !routes.contains_key(dir) && !redirects.contains_key(dir) {
                redirects.insert(dir.to_owned(), route.path.clone());
            }
            path = dir;
        }
    }
    redirects
}
