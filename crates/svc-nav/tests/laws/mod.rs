//! Invariants of the map of any repository, however malformed. The fuzz target checks the same
//! ones.

use std::collections::HashSet;

use svc_config::{ElementKind, SiteConfig};
use svc_diagnostics::{Checked, Severity};
use svc_nav::{Audience, NavNode, NodeKind, OperationRef, Route, RouteBody, SiteMap, resolve_for};
use svc_openapi::ApiCatalog;
use svc_source::{Contents, PageIndex, SourceTree, canonical_path};

/// Returns the inputs of the map; `None` without a readable `docs.json`.
pub(crate) fn parts(tree: &SourceTree) -> Option<(SiteConfig, PageIndex, ApiCatalog)> {
    let file = tree.text("docs.json")?;
    let config = svc_config::parse(file, &|path| tree.text(path).cloned()).value?;
    let documents = tree.iter().filter_map(|(path, contents)| match contents {
        Contents::Text(file)
            if [".json", ".yaml", ".yml"]
                .iter()
                .any(|end| path.ends_with(end))
                && svc_openapi::looks_like_openapi(file.text()) =>
        {
            svc_openapi::parse(file).value
        }
        _ => None,
    });
    let catalog = ApiCatalog::new(documents.collect());
    Some((config, svc_source::pages(tree).value, catalog))
}

/// Resolves a repository for both audiences and checks all invariants.
pub(crate) fn check(tree: &SourceTree) -> Option<Checked<SiteMap>> {
    let (config, index, catalog) = parts(tree)?;
    let resolve_and_check = |audience: Audience| {
        let resolved = resolve_for(audience.clone(), &config, &index, &catalog);
        let repeated = resolve_for(audience, &config, &index, &catalog);
        assert!(
            resolved == repeated,
            "the same input produces a different map"
        );
        let map = &resolved.value;
        nodes(map);
        routes(map, &index, &catalog);
        pages(map, &index);
        neighbors(map);
        divisions(map);
        redirects(map, &config);
        problems(&resolved, tree);
        resolved
    };
    let resolved = resolve_and_check(Audience::Everyone);
    protection(&resolved.value, &resolve_and_check(Audience::Trusted).value);
    Some(resolved)
}

fn all<'m>(nodes: &'m [NavNode], into: &mut Vec<&'m NavNode>) {
    for node in nodes {
        into.push(node);
        all(&node.children, into);
    }
}

/// Checks that ids increase in reading order and that the route of every node exists.
fn nodes(map: &SiteMap) {
    let mut flat = Vec::new();
    all(&map.tree, &mut flat);
    let ids: Vec<usize> = flat.iter().map(|node| node.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    for node in flat {
        assert_eq!(map.node(node.id), Some(node));
        let last = node.children.last().map_or(node.id + 1, |child| child.end);
        assert!(node.end >= last, "a node ends before what is inside");
        for path in node.route.iter().chain(&node.first) {
            assert!(map.routes.contains_key(path), "{path} is not a route");
        }
        for inner in &node.children {
            assert!(!node.hidden || inner.hidden, "open inside hidden");
        }
        if node.kind == NodeKind::Page {
            assert!(node.route.is_some() && node.children.is_empty());
        }
        if node.is_division() && node.href.is_none() {
            let mut inside = Vec::new();
            all(&node.children, &mut inside);
            let any = inside.iter().any(|item| item.kind == NodeKind::Page);
            assert_eq!(node.route.is_some(), any || node.first.is_some());
        }
    }
}

/// Checks that every route is reachable from the tree of its division.
fn routes(map: &SiteMap, index: &PageIndex, catalog: &ApiCatalog) {
    for (path, route) in &map.routes {
        assert_eq!(*path, route.path);
        assert!(path.starts_with('/'));
        assert_eq!(map.route(path), Some(route));
        assert_eq!(route.hidden, !route.visibility.sidebar);
        match &route.body {
            RouteBody::Page { slug } => assert!(index.get_exact(slug).is_some()),
            RouteBody::Generated => assert!(route.operation.is_some()),
        }
        if let Some(
            OperationRef::Operation { document, .. }
            | OperationRef::Webhook { document, .. }
            | OperationRef::Schema { document, .. },
        ) = &route.operation
        {
            assert!(*document < catalog.documents.len());
        }
        let trail = map.nodes_on_trail(path);
        let sidebar: usize = map.sidebar(path).iter().map(NavNode::count).sum();
        if !route.in_navigation {
            assert!(trail.is_empty() && route.node.is_none() && route.nodes.is_empty());
            continue;
        }
        assert!(!route.nodes.is_empty() && route.nodes.is_sorted());
        assert_eq!(
            trail.len(),
            route.trail.len() + usize::from(route.node.is_some())
        );
        let last = trail.last().map(|node| node.id);
        assert_eq!(last.or(route.node), route.node.or(route.root_of));
        let innermost = route
            .node
            .or(route.root_of)
            .expect("a listed page has a node");
        let (scope, size) = match map.division(path) {
            Some(division) => (division.id..division.end, division.count() - 1),
            None => (0..usize::MAX, usize::MAX),
        };
        assert!(
            scope.contains(&innermost),
            "{path} is outside of its division"
        );
        assert!(
            sidebar <= size,
            "the sidebar of {path} is more than its division"
        );
        let mut sidebar_nodes = Vec::new();
        all(map.sidebar(path), &mut sidebar_nodes);
        let root_of_division = map.division(path).is_some_and(|node| node.id == innermost);
        let shown = sidebar_nodes.iter().any(|node| node.id == innermost);
        assert!(
            shown || root_of_division || map.sidebar(path).is_empty(),
            "{path} is not in its sidebar"
        );
    }
    assert_eq!(map.first_page().is_some(), !map.routes.is_empty());
}

/// Checks that every page has a route, except for protected pages, pages outside of the navigation
/// that are redirected, and files for contributors.
fn pages(map: &SiteMap, index: &PageIndex) {
    let named = map.entries.iter().filter_map(|entry| entry.href.as_deref());
    let named: HashSet<String> = named.map(canonical_path).collect();
    for page in index.iter() {
        let path = canonical_path(&page.slug);
        let protected = map.withheld.pages.contains(&path);
        if map.routes.contains_key(&path) {
            assert!(!protected, "{path} requires protection");
            continue;
        }
        let is_redirected = map.redirect(&path).is_some() && !named.contains(&path);
        assert!(
            protected || is_redirected || is_for_contributors(&page.path),
            "{path} has no route"
        );
    }
    for route in map.routes.values().filter(|route| route.url.is_some()) {
        let visibility = route.visibility;
        assert!(
            !visibility.sitemap && !visibility.llms,
            "{} is a redirect",
            route.path
        );
    }
    for (dir, first) in &map.dir_redirects {
        assert!(map.route(dir).is_none(), "{dir} is a page");
        let first = map.route(first).expect("a directory redirects to a page");
        assert!(first.in_navigation && !first.hidden && first.url.is_none());
        assert!(first.path.starts_with(&format!("{dir}/")));
    }
}

fn is_for_contributors(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let shouted = !stem.bytes().any(|byte| byte.is_ascii_lowercase());
    let names = "agents changelog claude code_of_conduct codeowners contributing gemini license \
        readme security todo";
    let is_known = names
        .split(' ')
        .any(|known| known == stem.to_ascii_lowercase());
    is_known && (shouted || extension == "md")
}

/// Checks that a map for everyone contains no protected pages, and that a map for trusted readers
/// withholds nothing.
fn protection(open: &SiteMap, all: &SiteMap) {
    assert!(all.withheld.pages.is_empty());
    let protected = all.routes.values().filter(|route| route.protected);
    for Route { path, .. } in protected {
        assert!(open.withheld.pages.contains(path), "{path} is open");
    }
    for path in &open.withheld.pages {
        assert!(!open.routes.contains_key(path) && open.redirect(path).is_none());
        let is_protected = all.route(path).map(|route| route.protected);
        let moved = || all.redirect(path).is_some();
        assert!(is_protected.unwrap_or_else(moved), "{path} is readable");
    }
    assert!(open.routes.values().all(|route| !route.protected));
    let named = open
        .entries
        .iter()
        .filter_map(|entry| entry.href.as_deref());
    for path in named.map(canonical_path) {
        assert!(!open.withheld.pages.contains(&path), "{path} is printed");
    }
}

/// Checks that previous and next are inverse, are in the same division and have no cycles.
fn neighbors(map: &SiteMap) {
    for (at, (path, route)) in map.routes.iter().enumerate() {
        if let Some(next) = route.next {
            let (next, other) = map.routes.get_index(next).expect("the next page exists");
            assert_eq!(other.previous, Some(at), "next of {path}");
            assert!(!other.hidden && !route.hidden && next != path);
            let division = |path: &str| map.division(path).map(|node| node.id);
            assert_eq!(division(path), division(next));
            let node_id = |route: &Route| route.node.or(route.root_of);
            assert!(
                node_id(route) < node_id(other),
                "{next} is read before {path}"
            );
        }
        if let Some(previous) = route.previous {
            let (_, other) = map
                .routes
                .get_index(previous)
                .expect("the previous page exists");
            assert_eq!(other.next, Some(at), "previous of {path}");
        }
    }
}

/// Checks that every choice of a switcher leads to a page in it or is a link.
fn divisions(map: &SiteMap) {
    let listed = map.routes.values().filter(|route| route.in_navigation);
    for route in listed.take(60) {
        for level in map.divisions(&route.path) {
            let active = level.items.iter().filter(|item| item.active).count();
            assert_eq!(active, 1, "{} at {}", level.kind.as_str(), route.path);
            for item in &level.items {
                assert_eq!(item.node.element(), Some(level.kind));
                let Some(href) = item.href.as_deref() else {
                    assert!(item.node.route.is_none() && item.node.href.is_none());
                    continue;
                };
                if item.node.href.is_some() {
                    assert_eq!(item.node.href.as_deref(), Some(href));
                    continue;
                }
                let target = map.route(href).expect("a choice leads to a page");
                let inside = |id: &usize| (item.node.id..item.node.end).contains(id);
                assert!(target.nodes.iter().any(inside), "{href} is elsewhere");
            }
        }
        let crumbs = map.breadcrumbs(&route.path);
        assert!(crumbs.len() <= route.trail.len());
        map.global_links(&route.path);
        map.directory(&route.path);
    }
    let chain = map.default_chain();
    assert!(chain.iter().all(|node| node.is_division() && !node.hidden));
    for kind in [ElementKind::Version, ElementKind::Language] {
        let mut all_nodes = Vec::new();
        all(&map.tree, &mut all_nodes);
        for parent in std::iter::once(&map.tree).chain(all_nodes.iter().map(|node| &node.children))
        {
            let of_kind = parent.iter().filter(|node| node.element() == Some(kind));
            assert!(of_kind.filter(|node| node.default).count() <= 1);
        }
    }
}

/// Checks that following redirects terminates, and that no page is redirected.
fn redirects(map: &SiteMap, config: &SiteConfig) {
    let mut tried: Vec<String> = map.routes.keys().take(40).cloned().collect();
    for redirect in config.redirects.iter().take(40) {
        tried.push(redirect.source.replace(['*', ':'], ""));
        tried.push(redirect.source.clone());
        tried.push(redirect.destination.clone());
    }
    for start in tried {
        let mut path = decoded(&start);
        let mut hops = 0;
        while let Some((next, status)) = map.redirect(&path) {
            assert!(status == 307 || status == 308);
            assert!(map.route(&path).is_none(), "{path} is a page");
            hops += 1;
            assert!(hops <= 20, "{start} does not terminate");
            assert!(next.len() < 100_000);
            let end = next.find(['?', '#']).unwrap_or(next.len());
            path = decoded(&next[..end]);
        }
    }
}

/// Decodes a path as a server decodes that of a request.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let code = path.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let code = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Checks that every diagnostic has a location in a file of the repository, a hint and a known
/// code.
fn problems(resolved: &Checked<SiteMap>, tree: &SourceTree) {
    let mut codes = HashSet::new();
    for problem in &resolved.diagnostics {
        let at = problem.location.as_ref().expect("a problem has a location");
        let text = tree.text(&at.file).map(|file| file.text().len());
        let length = text.expect("the location is in a file of the repository");
        assert!(at.span.start <= at.span.end && at.span.end as usize <= length);
        assert!(problem.hint.is_some(), "{} has no hint", problem.code.id);
        codes.insert(problem.code.id);
    }
    let empty = resolved.value.routes.is_empty() && resolved.value.withheld.pages.is_empty();
    assert_eq!(resolved.has(Severity::Fatal), empty);
}
