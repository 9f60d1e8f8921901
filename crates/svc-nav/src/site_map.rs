//! The finished map and the questions about it.

use indexmap::IndexMap;
use svc_config::{Directory, ElementKind};

use crate::{Crumb, Division, DivisionLevel, GlobalLink, NavEntry, NavNode, Redirects, Route};

/// Every address of a site and the navigation over them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteMap {
    /// Routes by canonical path: those of the navigation in reading order, then the others.
    pub routes: IndexMap<String, Route>,
    /// The top level of the navigation.
    pub tree: Vec<NavNode>,
    /// The kind of the top level, if it is a division.
    pub root_kind: Option<ElementKind>,
    /// Links that all pages show.
    pub global: Vec<GlobalLink>,
    /// Moved addresses.
    pub redirects: Redirects,
    /// The navigation as `svc nav` prints it.
    pub entries: Vec<NavEntry>,
}

impl SiteMap {
    /// The route of a path; a slash at the end does no harm.
    pub fn route(&self, path: &str) -> Option<&Route> {
        let trimmed = path.trim_end_matches('/');
        self.routes
            .get(if trimmed.is_empty() { "/" } else { trimmed })
    }

    /// The node with an id.
    pub fn node(&self, id: usize) -> Option<&NavNode> {
        let mut level: &[NavNode] = &self.tree;
        loop {
            let at = level.partition_point(|node| node.id <= id).checked_sub(1)?;
            let node = level.get(at)?;
            if node.id == id {
                return Some(node);
            }
            level = &node.children;
        }
    }

    /// The nodes from the outermost element to the page itself; a root page ends at its group.
    pub fn nodes_on_trail(&self, path: &str) -> Vec<&NavNode> {
        let Some(route) = self.route(path) else {
            return Vec::new();
        };
        let mut nodes = Vec::with_capacity(route.trail.len() + 1);
        let mut level: &[NavNode] = &self.tree;
        for id in route.trail.iter().chain(&route.node) {
            let Ok(at) = level.binary_search_by_key(id, |node| node.id) else {
                break;
            };
            nodes.push(&level[at]);
            level = &level[at].children;
        }
        nodes
    }

    /// The elements around a page, without versions and languages.
    pub fn breadcrumbs(&self, path: &str) -> Vec<Crumb> {
        let skipped = |kind| matches!(kind, ElementKind::Version | ElementKind::Language);
        let own = self.route(path).map(|route| route.path.as_str());
        self.nodes_on_trail(path)
            .into_iter()
            .filter(|node| node.element().is_some_and(|kind| !skipped(kind)))
            .map(|node| Crumb {
                name: node.name.clone(),
                href: node
                    .target()
                    .filter(|target| Some(*target) != own)
                    .map(str::to_owned),
            })
            .collect()
    }

    /// The innermost division around a page.
    pub fn division(&self, path: &str) -> Option<&NavNode> {
        self.nodes_on_trail(path)
            .into_iter()
            .rev()
            .find(|node| node.is_division())
    }

    /// The groups and pages beside a page: what its innermost division holds. Pages outside the
    /// navigation get those of the site's first page.
    pub fn sidebar(&self, path: &str) -> &[NavNode] {
        let listed = self.route(path).is_some_and(|route| route.in_navigation);
        let path = if listed {
            path
        } else {
            self.first_page().unwrap_or(path)
        };
        match self.division(path) {
            Some(division) => &division.children,
            None if self.root_kind.is_none() => &self.tree,
            None => &[],
        }
    }

    /// The choices at every level around a page, outermost first, with their targets for a reader
    /// of this page.
    pub fn divisions(&self, path: &str) -> Vec<DivisionLevel<'_>> {
        let listed = self.route(path).is_some_and(|route| route.in_navigation);
        let around = if listed {
            path
        } else {
            self.first_page().unwrap_or(path)
        };
        let mut levels = Vec::new();
        let mut level: &[NavNode] = &self.tree;
        for active in self.nodes_on_trail(around) {
            let Some(kind) = active.element().filter(|_| active.is_division()) else {
                break;
            };
            let items = level
                .iter()
                .filter(|node| node.is_division() && (!node.hidden || node.id == active.id))
                .map(|node| Division {
                    node,
                    href: if node.id == active.id && !listed {
                        node.target().map(str::to_owned)
                    } else {
                        self.switch(path, active, node)
                    },
                    active: listed && node.id == active.id,
                })
                .collect();
            levels.push(DivisionLevel { kind, items });
            level = &active.children;
        }
        levels
    }

    /// Where a reader of `path`, which lies in `from`, lands in the sibling `to`.
    fn switch(&self, path: &str, from: &NavNode, to: &NavNode) -> Option<String> {
        let fallback = || to.target().map(str::to_owned);
        let follows = matches!(
            to.element(),
            Some(ElementKind::Version | ElementKind::Language | ElementKind::Dropdown)
        );
        let Some(route) = self.route(path).filter(|_| follows && from.id != to.id) else {
            return fallback();
        };
        self.counterpart(route, from, to).or_else(fallback)
    }

    /// The page of `to` that stands where `route` stands in `from`.
    fn counterpart(&self, route: &Route, from: &NavNode, to: &NavNode) -> Option<String> {
        let inside = |path: &str| {
            let places = &self.routes.get(path)?.places;
            let at = places.partition_point(|id| *id < to.id);
            places
                .get(at)
                .is_some_and(|id| *id < to.end)
                .then(|| path.to_owned())
        };
        // The same page may stand in both.
        if let Some(same) = inside(&route.path) {
            return Some(same);
        }
        let slug = route.path.trim_start_matches('/');
        let relative = slug
            .strip_prefix(&*from.folder)
            .or_else(|| (from.folder.trim_end_matches('/') == slug).then_some(""));
        let swapped = relative.and_then(|relative| {
            inside(format!("/{}{relative}", to.folder).trim_end_matches('/'))
                .or_else(|| inside(&format!("/{}{relative}", to.folder)))
        });
        swapped.or_else(|| inside(&with_segment(slug, &from.key, &to.key)))
    }

    /// The first page of the site that is not hidden: of the default language and version.
    pub fn first_page(&self) -> Option<&str> {
        let own = |node: &&NavNode| !node.hidden && node.href.is_none();
        let open = |path: &&str| self.routes.get(*path).is_some_and(|route| !route.hidden);
        self.tree
            .iter()
            .filter(own)
            .filter_map(|node| node.route.as_deref().or(node.first.as_deref()))
            .find(open)
            .or_else(|| self.routes.keys().next().map(String::as_str))
    }

    /// The pages that a root page lists, and how.
    pub fn directory(&self, path: &str) -> Option<(Directory, &[NavNode])> {
        let route = self.route(path)?;
        let group = self.node(route.root_of?)?;
        (route.directory != Directory::None).then_some((route.directory, &*group.children))
    }

    /// Routes that can be found in a way, in order.
    pub fn found(&self, by: impl Fn(&crate::Discovery) -> bool) -> impl Iterator<Item = &Route> {
        self.routes
            .values()
            .filter(move |route| by(&route.discovery))
    }
}

/// The path with the segment `from` replaced by `to`.
fn with_segment(slug: &str, from: &str, to: &str) -> String {
    let mut done = false;
    let swapped: Vec<&str> = slug
        .split('/')
        .map(|part| {
            let hit = !done && part.eq_ignore_ascii_case(from);
            done |= hit;
            if hit { to } else { part }
        })
        .collect();
    format!("/{}", swapped.join("/"))
}
