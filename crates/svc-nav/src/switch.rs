//! Switching between divisions: the page of another division that corresponds to the current page.

use svc_config::ElementKind;

use crate::{Division, DivisionLevel, NavNode, Route, SiteMap};

impl SiteMap {
    /// Returns the choices at every level around a page, outermost first, with their targets for
    /// this page.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn divisions(&self, path: &str) -> Vec<DivisionLevel<'_>> {
        let listed = self.route(path).is_some_and(|route| route.in_navigation);
        let position = if listed {
            path
        } else {
            self.first_page().unwrap_or(path)
        };
        let mut levels = Vec::new();
        let mut level: &[NavNode] = &self.tree;
        for active in self.nodes_on_trail(position) {
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

    /// Returns the versions of a page in all languages, itself included, in the order of the
    /// languages: codes of languages and paths. Pages correspond to each other only if that holds
    /// in both directions. Empty if there is no version in another language.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn language_versions(&self, path: &str) -> Vec<(&str, &str)> {
        let (Some(route), trail) = (self.route(path), self.nodes_on_trail(path)) else {
            return Vec::new();
        };
        let is_language = |node: &NavNode| node.element() == Some(ElementKind::Language);
        let Some(at) = trail.iter().position(|node| is_language(node)) else {
            return Vec::new();
        };
        let from = trail[at];
        let siblings = match at.checked_sub(1) {
            Some(parent) => &trail[parent].children,
            None => &self.tree,
        };
        let mut versions = Vec::new();
        for to in siblings.iter().filter(|node| is_language(node)) {
            let same = to.id == from.id;
            if !same && (to.hidden || to.href.is_some()) {
                continue;
            }
            let other = match same {
                true => Some(route),
                false => self.counterpart(route, from, to).and_then(|other| {
                    let other = self.routes.get(&other)?;
                    let back = self.counterpart(other, to, from)?;
                    (back == route.path && other.path != route.path).then_some(other)
                }),
            };
            versions.extend(other.map(|other| (&*to.key, &*other.path)));
        }
        if versions.len() < 2 {
            versions.clear();
        }
        versions
    }

    /// Returns the start pages of the languages of the site: codes and paths. The first one is what
    /// readers without a preference get at `/`. Empty if the start page belongs to no language or
    /// has no version in another one.
    ///
    /// Example: [`SiteMap`](crate::SiteMap#example).
    pub fn language_starts(&self) -> Vec<(&str, String)> {
        let start = match self.routes.contains_key("/") {
            true => Some("/".to_owned()),
            false => self
                .redirect("/")
                .map(|(to, _)| to)
                .or_else(|| self.first_page().map(str::to_owned)),
        };
        let page = |path: &str| self.routes.get(path).filter(|route| route.url.is_none());
        let Some(start) = start.as_deref().and_then(page) else {
            return Vec::new();
        };
        let mut levels = self.divisions(&start.path).into_iter();
        let level = levels.find(|level| level.kind == ElementKind::Language);
        let default = self.default_language();
        let mut starts = Vec::new();
        for item in level.into_iter().flat_map(|level| level.items) {
            // A start page outside of the navigation is that of the default language.
            let (is_start, path) = match start.in_navigation {
                true => (item.active, item.href),
                false => (
                    default == Some(&*item.node.key),
                    Some(format!("/{}", item.node.key)),
                ),
            };
            let is_open = !item.node.hidden && item.node.href.is_none();
            if is_start {
                starts.insert(0, (&*item.node.key, start.path.clone()));
            } else if let Some(other) = path.as_deref().and_then(page).filter(|_| is_open) {
                starts.push((&*item.node.key, other.path.clone()));
            }
        }
        let has_choice = starts.len() > 1 && starts[0].1 == start.path;
        if has_choice { starts } else { Vec::new() }
    }

    /// Returns the target in the sibling `to` for the page `path`, which is in `from`.
    fn switch(&self, path: &str, from: &NavNode, to: &NavNode) -> Option<String> {
        let fallback = || to.target().map(str::to_owned);
        // Tabs, anchors and menus contain different subjects, so a click leads to their first page.
        let follows = matches!(
            to.element(),
            Some(
                ElementKind::Version
                    | ElementKind::Language
                    | ElementKind::Product
                    | ElementKind::Dropdown
            )
        );
        let Some(route) = self
            .route(path)
            .filter(|_| follows && from.id != to.id && to.href.is_none())
        else {
            return fallback();
        };
        self.counterpart(route, from, to)
            .or_else(|| matching_division(self.nodes_on_trail(path), from, to).map(str::to_owned))
            .or_else(fallback)
    }

    /// Returns the page of `to` that corresponds to `route` in `from`.
    fn counterpart(&self, route: &Route, from: &NavNode, to: &NavNode) -> Option<String> {
        let inside = |path: &str| {
            let (path, route) = self.routes.get_key_value(path)?;
            let at = route.nodes.partition_point(|id| *id < to.id);
            let fits = route.nodes.get(at).is_some_and(|id| *id < to.end);
            fits.then(|| path.clone())
        };
        // The same page may be in both divisions.
        if let Some(same) = inside(&route.path) {
            return Some(same);
        }
        let slug = route.path.trim_start_matches('/');
        let relative = |dir: &str| {
            slug.strip_prefix(dir)
                .or_else(|| (dir.trim_end_matches('/') == slug).then_some(""))
        };
        let joined = |dir: &str, rest: &str| {
            let path = format!("/{dir}{rest}");
            let trimmed = path.trim_end_matches('/');
            inside(if trimmed.is_empty() { "/" } else { trimmed })
        };
        // Pages in other directories, for example generated ones, leave a division without a common
        // directory; then the name of the division is used.
        let (from_dir, to_dir) = (format!("{}/", from.key), format!("{}/", to.key));
        relative(&from.dir)
            .and_then(|rest| joined(&to.dir, rest))
            .or_else(|| inside(&with_segment(slug, &from.key, &to.key)))
            .or_else(|| joined(&to_dir, slug))
            .or_else(|| joined("", relative(&from_dir)?))
            .or_else(|| {
                let (from_dir, to_dir) = dir_prefixes(from.target()?, to.target()?)?;
                joined(&to_dir, relative(&from_dir)?)
            })
    }
}

/// Returns the directories in which two divisions begin, if their first pages have the same name
/// there: an empty one and `v2/` for `/start/welcome` and `/v2/start/welcome`.
fn dir_prefixes(from: &str, to: &str) -> Option<(String, String)> {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.trim_matches('/').split('/');
        parts.map(str::to_owned).collect()
    };
    let (mut from, mut to) = (parts(from), parts(to));
    let mut same = false;
    while !from.is_empty() && from.last() == to.last() {
        from.pop();
        to.pop();
        same = true;
    }
    let to_dir = |parts: Vec<String>| match parts.join("/") {
        empty if empty.is_empty() => empty,
        path => path + "/",
    };
    same.then(|| (to_dir(from), to_dir(to)))
}

/// Returns the first page of the division in `to` that has the same name as the division around the
/// page in `from`, as deep as they agree: the same version in another language.
fn matching_division<'m>(trail: Vec<&NavNode>, from: &NavNode, to: &'m NavNode) -> Option<&'m str> {
    let mut here = to;
    let inner = trail.into_iter().skip_while(|node| node.id != from.id);
    for node in inner.skip(1).filter(|node| node.is_division()) {
        let same = |other: &&NavNode| {
            other.element() == node.element() && other.key == node.key && !other.hidden
        };
        match here.children.iter().find(same) {
            Some(next) if next.href.is_none() && next.target().is_some() => here = next,
            _ => break,
        }
    }
    (here.id != to.id).then_some(here)?.target()
}

/// Returns the path with the segment `from` replaced by `to`.
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
