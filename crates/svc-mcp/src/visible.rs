//! Which pages a surface may show. Every tool and the resources decide here.
//!
//! The map of a site has no pages that require protection unless the operator serves them to
//! everybody. A page that a surface must not show looks like one that does not exist.

use std::borrow::Cow;

use svc_data::percent;
use svc_nav::Route;
use svc_site::{Resource, Site};

/// Maximum number of redirects that are followed to a page.
const MAX_REDIRECTS: usize = 5;

/// Where a page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    /// Results of the search.
    Search,
    /// Lists of pages, and searches through all of them.
    List,
    /// The text of a page whose path the client knows.
    Path,
}

/// Whether a surface may show a page.
pub(crate) const fn is_visible(route: &Route, surface: Surface) -> bool {
    match surface {
        Surface::Search => route.visibility.search,
        // A page with `url` is only a link.
        Surface::List => route.visibility.llms && route.url.is_none(),
        Surface::Path => true,
    }
}

/// The pages that lists may show, in the order of the navigation.
pub(crate) fn listed(site: &Site) -> impl Iterator<Item = &Route> {
    let routes = site.map.routes.values();
    routes.filter(|route| is_visible(route, Surface::List))
}

/// A path that a client names, and the section in its fragment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PagePath<'a> {
    /// Path without base path, percent-decoded.
    pub(crate) path: String,
    /// The fragment.
    pub(crate) fragment: Option<Cow<'a, str>>,
}

impl<'a> PagePath<'a> {
    /// Parses a path such as `guides/start.md#next`, with or without base path, or a URL.
    pub(crate) fn parse(site: &Site, text: &'a str) -> Self {
        let (text, fragment) = match text.split_once('#') {
            Some((text, fragment)) => (text, Some(fragment)),
            None => (text, None),
        };
        let text = text.split('?').next().unwrap_or_default();
        let path = match text.split_once("://") {
            // The host is not checked: models know a site by several.
            Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
            None => text,
        };
        let path = percent::decode(path);
        let base = site.base_path();
        let below = path.strip_prefix(base);
        let below = below.filter(|below| below.is_empty() || below.starts_with('/'));
        let path = below.unwrap_or(&path);
        let path = path.trim_matches('/');
        let path = ["mdx", "md"]
            .into_iter()
            .find_map(|extension| path.strip_suffix(extension)?.strip_suffix('.'))
            .unwrap_or(path);
        Self {
            path: format!("/{path}"),
            fragment: fragment
                .filter(|fragment| !fragment.is_empty())
                .map(percent::decode),
        }
    }
}

/// The page at a path, also behind redirects of the site.
pub(crate) fn page<'s>(site: &'s Site, path: &str) -> Option<&'s Route> {
    let mut path = Cow::Borrowed(path);
    for _ in 0..MAX_REDIRECTS {
        match site.find(&path) {
            Resource::Page(route) | Resource::Markdown(route) => {
                return Some(route).filter(|route| is_visible(route, Surface::Path));
            }
            Resource::Redirect { to, .. } if to.starts_with('/') && !to.starts_with("//") => {
                path = Cow::Owned(PagePath::parse(site, &to).path);
            }
            _ => return None,
        }
    }
    None
}

/// The address of a page for clients: its path with base path.
pub(crate) fn href(site: &Site, route: &Route) -> String {
    site.href(&route.path)
}

/// A sentence that names similar pages, for a path without a page.
pub(crate) fn similar(site: &Site, path: &str) -> String {
    let near = site.similar_routes(path);
    let near = near
        .into_iter()
        .filter(|route| is_visible(route, Surface::Search))
        .map(|route| format!("`{}`", href(site, route)));
    let near: Vec<String> = near.take(5).collect();
    match near.is_empty() {
        true => "Find pages with `search` or `list`.".to_owned(),
        false => format!("Did you mean {}?", near.join(", ")),
    }
}
