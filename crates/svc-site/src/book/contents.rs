//! The table of contents of a book: the navigation of one language and version.

use std::collections::HashMap;

use svc_config::ElementKind;
use svc_nav::NavNode;

use super::BookOptions;
use crate::Site;

/// An entry of the table of contents.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    /// Index of the chapter; `None` for a group without a page.
    pub(super) chapter: Option<usize>,
    pub(super) children: Vec<Self>,
}

/// The entries, and the paths of the pages in reading order.
pub(super) fn contents(site: &Site, options: &BookOptions) -> (Vec<Entry>, Vec<String>) {
    let mut state = State {
        site,
        options,
        order: Vec::new(),
        known: HashMap::new(),
    };
    let entries = state.entries(&site.map.tree);
    (entries, state.order)
}

struct State<'a> {
    site: &'a Site,
    options: &'a BookOptions,
    order: Vec<String>,
    known: HashMap<String, usize>,
}

impl State<'_> {
    fn entries(&mut self, nodes: &[NavNode]) -> Vec<Entry> {
        let mut out = Vec::new();
        for node in nodes.iter().filter(|node| !node.hidden) {
            let wanted = match node.element() {
                Some(ElementKind::Language) => Some(&self.options.language),
                Some(ElementKind::Version) => Some(&self.options.version),
                _ => None,
            };
            if let Some(wanted) = wanted {
                if is_selected(node, nodes, wanted.as_deref()) {
                    out.extend(self.entries(&node.children));
                }
                continue;
            }
            if node.href.is_some() {
                continue;
            }
            // The first page of a division is an entry of its own.
            let route = node.route.as_deref().filter(|_| !node.is_division());
            let chapter = route.and_then(|path| self.chapter(path));
            let children = self.entries(&node.children);
            if chapter.is_some() || !children.is_empty() {
                out.push(Entry {
                    name: node.name.clone(),
                    chapter,
                    children,
                });
            }
        }
        out
    }

    fn chapter(&mut self, path: &str) -> Option<usize> {
        let route = self.site.map.route(path)?;
        if self.site.redirect_target(route).is_some() {
            return None;
        }
        let next = self.order.len();
        let at = *self.known.entry(route.path.clone()).or_insert(next);
        if at == next {
            self.order.push(route.path.clone());
        }
        Some(at)
    }
}

/// Whether a language or version is that of the book: the one that the options name, or the default.
fn is_selected(node: &NavNode, siblings: &[NavNode], wanted: Option<&str>) -> bool {
    if let Some(wanted) = wanted {
        return node.key == wanted;
    }
    let same = |other: &&NavNode| other.element() == node.element() && !other.hidden;
    let mut others = siblings.iter().filter(same);
    let default = others.clone().find(|other| other.default);
    default
        .or_else(|| others.next())
        .is_some_and(|other| other.id == node.id)
}
