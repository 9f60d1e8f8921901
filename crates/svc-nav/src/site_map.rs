//! The site map and its queries.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use svc_config::{Directory, ElementKind};

use crate::{Crumb, GlobalLink, NavEntry, NavNode, Redirects, Route, WithheldPages};

/// All routes of a site, and the navigation.
///
/// # Example
///
/// ```
/// # use svc_nav::{Audience, NodeKind, SourceFile, resolve_for};
/// # let docs = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#000000"}, "redirects": [{"source": "/old/*", "destination": "/v1/*"}],
/// #     "navigation": {"versions": [{"version": "v1", "groups": [{"group": "Start", "root": "v1/hello", "pages": ["v1/setup"]}]}]}}"##;
/// # let tree = svc_source::SourceTree::from_files([("v1/hello.mdx", ""), ("v1/setup.mdx", "---\ntitle: Set up\n---")]);
/// # let config = svc_config::parse(&SourceFile::new("docs.json", docs), &|_| None).value.expect("it is an object");
/// # let pages = svc_source::pages(&tree).value;
/// # let catalog = svc_openapi::ApiCatalog::default();
/// let map = resolve_for(Audience::Everyone, &config, &pages, &catalog).value;
/// assert!(!map.is_empty() && !map.is_withheld());
/// assert_eq!(map.first_page(), Some("/v1/hello"));
/// assert_eq!((map.default_version(), map.default_language()), (Some("v1"), None));
/// assert_eq!(map.default_chain()[0].key, "v1");
/// assert_eq!(map.language_of("/v1/setup"), None);
/// assert!(map.language_versions("/v1/setup").is_empty() && map.language_starts().is_empty());
/// assert!(map.chrome(&config, "/v1/setup").banner.is_none());
///
/// let setup = map.route("/v1/setup/").expect("it is listed");
/// assert_eq!(setup.short_title(), "Set up");
/// let trail = map.nodes_on_trail("/v1/setup");
/// assert_eq!(trail.last().map(|node| node.id), setup.node);
/// assert_eq!(map.node(trail[0].id), Some(trail[0]));
/// assert_eq!(map.division("/v1/setup"), Some(trail[0]));
/// assert_eq!(map.sidebar("/v1/setup"), trail[0].children);
/// assert_eq!(map.divisions("/v1/setup")[0].items.len(), 1);
/// assert_eq!(map.breadcrumbs("/v1/setup")[0].name, "Start");
/// assert!(map.global_links("/v1/setup").is_empty());
/// assert!(map.directory("/v1/hello").is_none());
/// assert_eq!(map.listed_routes(|visibility| visibility.sitemap).count(), 2);
///
/// assert_eq!(map.redirect("/old/setup"), Some(("/v1/setup".to_owned(), 308)));
/// assert_eq!(map.dir_redirect("/v1"), Some("/v1/hello"));
/// assert_eq!(map.to_json()[0]["href"], "/v1/hello");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteMap {
    /// Routes by canonical path: those of the navigation in reading order, followed by the others.
    pub routes: IndexMap<String, Route>,
    /// Top level of the navigation.
    pub tree: Vec<NavNode>,
    /// Kind of the top level; `None` if it is not a division.
    pub root_kind: Option<ElementKind>,
    /// Links that are shown on all pages.
    pub global: Vec<GlobalLink>,
    /// Whether a click on a group opens its first page; `None` if the theme decides.
    pub drilldown: Option<bool>,
    /// Redirects of the configuration and of index pages.
    pub redirects: Redirects,
    /// Paths without a page that are directories of pages in the navigation, with the first of
    /// these pages.
    pub dir_redirects: BTreeMap<String, String>,
    /// Pages that are removed because they require protection.
    pub withheld: WithheldPages,
    /// Indexes in the catalog of the OpenAPI documents of the site that readers may download
    /// completely, because no part of them requires protection.
    pub documents: BTreeSet<usize>,
    /// Entries of the navigation, as printed by `svc nav`.
    pub entries: Vec<NavEntry>,
}

impl SiteMap {
    /// Returns true if the site has no pages, not even protected ones.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn is_empty(&self) -> bool {
        self.routes.is_empty() && self.withheld.pages.is_empty()
    }

    /// Returns true if the site has pages and all of them require protection.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn is_withheld(&self) -> bool {
        self.routes.is_empty() && !self.withheld.pages.is_empty()
    }

    /// Returns the route of a path, ignoring a trailing slash; `None` if there is no page.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn route(&self, path: &str) -> Option<&Route> {
        let trimmed = path.trim_end_matches('/');
        self.routes
            .get(if trimmed.is_empty() { "/" } else { trimmed })
    }

    /// Returns the language for a requested path, whether there is a page or not: that of the pages
    /// in the same top-level directory, otherwise the default. `None` if the site has no languages.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn language_of(&self, path: &str) -> Option<&str> {
        fn top(path: &str) -> &str {
            path.split('/').nth(1).unwrap_or("")
        }
        let in_same_dir = self
            .routes
            .values()
            .find(|route| top(&route.path) == top(path));
        in_same_dir
            .and_then(|route| route.language.as_deref())
            .or_else(|| self.default_language())
    }

    /// Returns the node with an id.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
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

    /// Returns the nodes from the outermost element to the page itself; for a root page up to its
    /// group.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
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

    /// Returns the elements around a page, without versions and languages.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn breadcrumbs(&self, path: &str) -> Vec<Crumb> {
        let skipped = |kind| matches!(kind, ElementKind::Version | ElementKind::Language);
        let current = self.route(path).map(|route| route.path.as_str());
        self.nodes_on_trail(path)
            .into_iter()
            .filter(|node| node.element().is_some_and(|kind| !skipped(kind)))
            .map(|node| Crumb {
                name: node.name.clone(),
                href: node
                    .target()
                    .filter(|target| Some(*target) != current)
                    .map(str::to_owned),
            })
            .collect()
    }

    /// Returns the innermost division around a page; `None` if there is none.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn division(&self, path: &str) -> Option<&NavNode> {
        self.nodes_on_trail(path)
            .into_iter()
            .rev()
            .find(|node| node.is_division())
    }

    /// Returns the groups and pages of the sidebar: the children of the innermost division. Pages
    /// outside of the navigation have the sidebar of the site's first page.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
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

    /// Returns the first visible page of the site, in the default language and version.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn first_page(&self) -> Option<&str> {
        let is_visible = |node: &&NavNode| !node.hidden && node.href.is_none();
        let open = |path: &&str| self.routes.get(*path).is_some_and(|route| !route.hidden);
        self.tree
            .iter()
            .filter(is_visible)
            .filter_map(|node| node.route.as_deref().or(node.first.as_deref()))
            .find(open)
            .or_else(|| self.routes.keys().next().map(String::as_str))
    }

    /// Returns the divisions that are shown by default, outermost first: the default version and
    /// language, otherwise the first visible division.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
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

    /// Returns the name of the default version; `None` if the site has no versions.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn default_version(&self) -> Option<&str> {
        self.default_key(ElementKind::Version)
    }

    /// Returns the code of the default language; `None` if the site has no languages.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
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

    /// Returns the global links of a page: those of the site, followed by those of the elements
    /// around it, outermost first.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn global_links(&self, path: &str) -> Vec<&GlobalLink> {
        let ancestors = self.nodes_on_trail(path);
        let links = ancestors.into_iter().flat_map(|node| &node.global);
        self.global
            .iter()
            .chain(links)
            .filter(|link| !link.hidden)
            .collect()
    }

    /// Returns the target of a decoded path and the status. `None` if the path is a page, if no
    /// redirect matches, or if the redirect is part of a loop or leads to a protected page.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn redirect(&self, path: &str) -> Option<(String, u16)> {
        let is_page = |path: &str| self.route(path).is_some();
        if is_page(path) {
            return None;
        }
        let target = self.redirects.find(path)?;
        // A protected page takes as long as a path that does not exist: nothing returns early.
        let resolves = self.redirects.resolves(&target.0, is_page);
        let is_protected = self.withheld.has_page(path) | self.withheld.has_page(&target.0);
        (resolves && !is_protected).then_some(target)
    }

    /// Returns the page that the path of a directory redirects to.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn dir_redirect(&self, path: &str) -> Option<&str> {
        let first = self.dir_redirects.get(path.trim_end_matches('/'))?;
        Some(first)
    }

    /// Returns the listing style of a root page and the nodes that it lists; `None` for other
    /// pages.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn directory(&self, path: &str) -> Option<(Directory, &[NavNode])> {
        let route = self.route(path)?;
        let group = self.node(route.root_of?)?;
        (route.directory != Directory::None).then_some((route.directory, &*group.children))
    }

    /// Iterates over the routes whose visibility satisfies `by`, in order.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn listed_routes(
        &self,
        by: impl Fn(&crate::Visibility) -> bool,
    ) -> impl Iterator<Item = &Route> {
        self.routes
            .values()
            .filter(move |route| by(&route.visibility))
    }
}
