//! Previous and next pages, and redirects of directories.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::{NavNode, NodeKind, Route};

/// Links the pages of every sidebar in reading order. Hidden pages and links are skipped. A page
/// with several nodes is linked at the first one. Ids of nodes are below `end`.
pub(super) fn link_neighbors(tree: &[NavNode], routes: &mut IndexMap<String, Route>, end: usize) {
    // The visible page of each node. A page that is also the root page of a group has its own node.
    let mut pages = vec![None; end];
    for (at, route) in routes.values().enumerate() {
        let id = route.node.or(route.root_of).filter(|_| !route.hidden);
        if let Some(page) = id.and_then(|id| pages.get_mut(id)) {
            *page = Some(at);
        }
    }
    let mut sidebars = vec![Vec::new()];
    for node in tree {
        collect(node, &pages, &mut sidebars, 0);
    }
    for sidebar in sidebars {
        for pair in sidebar.windows(2) {
            let [left, right] = pair else { continue };
            if let Some((_, route)) = routes.get_index_mut(*left) {
                route.next = Some(*right);
            }
            if let Some((_, route)) = routes.get_index_mut(*right) {
                route.previous = Some(*left);
            }
        }
    }
}

/// Appends the pages below a node to the sidebar at `into`; a division begins a new one.
fn collect(node: &NavNode, pages: &[Option<usize>], sidebars: &mut Vec<Vec<usize>>, into: usize) {
    if node.hidden || node.href.is_some() {
        return;
    }
    let into = if node.is_division() {
        sidebars.push(Vec::new());
        sidebars.len() - 1
    } else {
        into
    };
    let page = pages.get(node.id).copied().flatten();
    if let Some(at) = page.filter(|_| node.kind != NodeKind::Link)
        && let Some(sidebar) = sidebars.get_mut(into)
    {
        sidebar.push(at);
    }
    for child in &node.children {
        collect(child, pages, sidebars, into);
    }
}

/// Returns every directory of a page of the navigation that has no page of its own, with the first
/// visible page below it. Routes of the navigation are in reading order.
pub(super) fn dir_redirects(routes: &IndexMap<String, Route>) -> BTreeMap<String, String> {
    let mut redirects = BTreeMap::new();
    let listed = |route: &&Route| route.in_navigation && !route.hidden && route.url.is_none();
    let mut last = None;
    for route in routes.values().filter(listed) {
        let mut path = route.path.as_str();
        // Pages of a directory mostly follow each other.
        let dir = path.rsplit_once('/').map(|(dir, _)| dir);
        if std::mem::replace(&mut last, dir) == dir {
            continue;
        }
        while let Some((dir, _)) = path.rsplit_once('/').filter(|(dir, _)| !dir.is_empty()) {
            if !routes.contains_key(dir) && !redirects.contains_key(dir) {
                redirects.insert(dir.to_owned(), route.path.clone());
            }
            path = dir;
        }
    }
    redirects
}
