//! Which page is the source of which other page.

use svc_config::ElementKind;
use svc_nav::{NavNode, Route, RouteBody, SiteMap};
use svc_source::{Page, PageIndex};

/// A page of a default language, and its page in another language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    /// Code of the other language.
    pub(super) language: &'a str,
    /// Route of the source.
    pub(super) route: &'a Route,
    /// File of the source.
    pub(super) source: &'a Page,
    /// File of the page; `None` if it is missing.
    pub(super) translation: Option<&'a Page>,
}

/// The pages of the default languages that have a file and are in the navigation, with each other
/// language: by language, then in the order of the navigation. They belong together as the menu of
/// languages has it.
pub(super) fn pairs<'a>(map: &'a SiteMap, pages: &'a PageIndex) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for level in levels(&map.tree) {
        let mut languages = level
            .iter()
            .filter(|node| is_language(node) && node.href.is_none());
        // The default language is the first one.
        let Some(default) = languages.next() else {
            continue;
        };
        let sources: Vec<_> = map
            .routes
            .values()
            .filter(|route| route.trail.contains(&default.id) && route.url.is_none())
            .filter_map(|route| {
                let page = page_of(pages, route)?;
                Some((route, page, map.language_versions(&route.path)))
            })
            .collect();
        for language in languages.filter(|node| !node.hidden) {
            for (route, source, versions) in &sources {
                let version = versions.iter().find(|(code, _)| *code == language.key);
                let other = version.and_then(|(_, path)| map.routes.get(*path));
                pairs.push(Pair {
                    language: &language.key,
                    route,
                    source,
                    translation: other.and_then(|other| page_of(pages, other)),
                });
            }
        }
    }
    // A site can have several levels of languages, for example one for each version.
    pairs.sort_by_key(|pair| pair.language);
    pairs
}

fn is_language(node: &NavNode) -> bool {
    node.element() == Some(ElementKind::Language)
}

/// All lists of nodes in which there are languages.
fn levels(nodes: &[NavNode]) -> Vec<&[NavNode]> {
    let mut levels = Vec::new();
    let mut rest = vec![nodes];
    while let Some(level) = rest.pop() {
        if level.iter().any(is_language) {
            levels.push(level);
        }
        rest.extend(
            level
                .iter()
                .rev()
                .filter(|node| node.is_division())
                .map(|node| &*node.children),
        );
    }
    levels
}

fn page_of<'a>(pages: &'a PageIndex, route: &Route) -> Option<&'a Page> {
    match &route.body {
        RouteBody::Page { slug } => pages.get_exact(slug),
        RouteBody::Generated => None,
    }
}
