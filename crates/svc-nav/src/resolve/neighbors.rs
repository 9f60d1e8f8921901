//! Previous and next pages, and the addresses of folders.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::{NavNode, NodeKind, Route};

/// Links the pages of every sidebar in reading order. Hidden pages and links are passed over; a
/// page that stands in several places is linked where it belongs.
pub(super) fn link_neighbors(tree: &[NavNode], routes: &mut IndexMap<String, Route>) {
    let mut sidebars = vec![Vec::new()];
    for node in tree {
        collect(node, routes, &mut sidebars, 0);
    }
    for sidebar in sidebars {
        for pair in sidebar.windows(2) {
            let [left, right] = pair else { continue };
            let path = |at: usize| routes.get_index(at).map(|(path, _)| path.clone());
            let (before, after) = (path(*left), path(*right));
            if let Some((_, route)) = routes.get_index_mut(*left) {
                route.next = after;
            }
            if let Some((_, route)) = routes.get_index_mut(*right) {
                route.previous = before;
            }
        }
    }
}

/// Adds the pages below a node to the sidebar at `into`; a division begins a new one.
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
    let own = node.route.as_ref().and_then(|path| routes.get_full(path));
    if let Some((at, _, route)) = own {
        let belongs = match node.kind {
            NodeKind::Page => route.node == Some(node.id),
            NodeKind::Link => false,
            // The route of a division is its first page, which comes below.
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

/// Every folder of a page in navigation without a page of its own, with the first page below it that
/// menus show. Routes in navigation stand in reading order.
pub(super) fn dir_redirects(routes: &IndexMap<String, Route>) -> BTreeMap<String, String> {
    let mut folders = BTreeMap::new();
    let listed = |route: &&Route| route.in_navigation && !route.hidden && route.url.is_none();
    for route in routes.values().filter(listed) {
        let mut path = route.path.as_str();
        while let Some((folder, _)) = path
            .rsplit_once('/')
            .filter(|(folder, _)| !folder.is_empty())
        {
            if !routes.contains_key(folder) && !folders.contains_key(folder) {
                folders.insert(folder.to_owned(), route.path.clone());
            }
            path = folder;
        }
    }
    folders
}
