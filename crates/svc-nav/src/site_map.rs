//! The finished map and the questions about it.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use svc_config::{Directory, ElementKind};

use crate::{Crumb, GlobalLink, NavEntry, NavNode, Redirects, Route, WithheldPages};

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
    /// Whether a click on a group opens its first page; nothing is the choice of the theme.
    pub drilldown: Option<bool>,
    /// Moved addresses.
    pub redirects: Redirects,
    /// Addresses without a page of their own below which pages in navigation lie, with the first of
    /// those.
    pub dir_redirects: BTreeMap<String, String>,
    /// What the site does not show, as it asks for protection.
    pub withheld: WithheldPages,
    /// Positions in the catalogue of the OpenAPI documents that the site names, without those that
    /// hold something that asks for protection: readers may load them whole.
    pub documents: BTreeSet<usize>,
    /// The navigation as `svc nav` prints it.
    pub entries: Vec<NavEntry>,
}

impl SiteMap {
    /// Whether the site has no page at all, not even one that asks for protection.
    pub fn is_empty(&self) -> bool {
        self.routes.is_empty() && self.withheld.pages.is_empty()
    }

    /// Whether the site has pages and every one of them asks for protection.
    pub fn is_withheld(&self) -> bool {
        self.routes.is_empty() && !self.withheld.pages.is_empty()
    }

    /// The route of a path; a slash at the end does no harm.
    pub fn route(&self, path: &str) -> Option<&Route> {
        let trimmed = path.trim_end_matches('/');
        self.routes
            .get(if trimmed.is_empty() { "/" } else { trimmed })
    }

    /// The language of a reader who asks for a path, whether there is a page or not: that of the
    /// pages in the same top directory, otherwise the default.
    pub fn language_of(&self, path: &str) -> Option<&str> {
        fn top(path: &str) -> &str {
            path.split('/').nth(1).unwrap_or("")
        }
        let beside = self
            .routes
            .values()
            .find(|route| top(&route.path) == top(path));
        beside
            .and_then(|route| route.language.as_deref())
            .or_else(|| self.default_language())
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

    /// The divisions that a reader meets who chooses nothing: the default version and language,
    /// else the first one that is not hidden, outermost first.
    pub fn default_chain(&self) -> Vec<&NavNode> {
        let mut chain = Vec::new();
        let mut level: &[NavNode] = &self.tree;
        let open = |node: &&NavNode| node.is_division() && !node.hidden && node.href.is_none();
        while let Some(node) = level.iter().find(open) {
            chain.push(node);
            level = &node.children;
        }
        chain
    }

    /// The name of the default version.
    pub fn default_version(&self) -> Option<&str> {
        self.default_key(ElementKind::Version)
    }

    /// The code of the default language.
    pub fn default_language(&self) -> Option<&str> {
        self.default_key(ElementKind::Language)
    }

    fn default_key(&self, kind: ElementKind) -> Option<&str> {
        let chain = self.default_chain().into_iter();
        chain
            .filter(|node| node.element() == Some(kind))
            .map(|node| node.key.as_str())
            .next()
    }

    /// The links that a page shows besides its own menus: the site's, then those of the elements
    /// around it, outermost first.
    pub fn global_links(&self, path: &str) -> Vec<&GlobalLink> {
        let around = self.nodes_on_trail(path);
        let own = around.into_iter().flat_map(|node| &node.global);
        self.global
            .iter()
            .chain(own)
            .filter(|link| !link.hidden)
            .collect()
    }

    /// Where a decoded path moved, and the status. A page is not moved, and a redirect that leads
    /// in a circle or to a page that asks for protection is none.
    pub fn redirect(&self, path: &str) -> Option<(String, u16)> {
        let is_page = |path: &str| self.route(path).is_some();
        if is_page(path) {
            return None;
        }
        if self.withheld.has_page(path) {
            return None;
        }
        let found = self.redirects.find(path)?;
        if self.withheld.has_page(&found.0) {
            return None;
        }
        self.redirects.resolves(&found.0, is_page).then_some(found)
    }

    /// The page that an address of a folder leads to.
    pub fn dir_redirect(&self, path: &str) -> Option<&str> {
        let first = self.dir_redirects.get(path.trim_end_matches('/'))?;
        Some(first)
    }

    /// The pages that a root page lists, and how.
    pub fn directory(&self, path: &str) -> Option<(Directory, &[NavNode])> {
        let route = self.route(path)?;
        let group = self.node(route.root_of?)?;
        (route.directory != Directory::None).then_some((route.directory, &*group.children))
    }

    /// Routes that can be found in a way, in order.
    pub fn listed_routes(
        &self,
        by: impl Fn(&crate::Visibility) -> bool,
    ) -> impl Iterator<Item = &Route> {
        self.routes
            .values()
            .filter(move |route| by(&route.visibility))
    }
}
