//! What holds for the map of every repository, however broken. The fuzz target checks the same.

use std::collections::HashSet;

use svc_config::{ElementKind, SiteConfig};
use svc_diagnostics::{Checked, Severity};
use svc_nav::{Audience, NavNode, NodeKind, OperationRef, Route, RouteBody, SiteMap, resolve_for};
use svc_openapi::ApiCatalog;
use svc_source::{Contents, PageIndex, SourceTree, canonical_path};

/// The parts of a repository that the map is made of; nothing without a readable `docs.json`.
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

/// Resolves a repository for all readers and checks every law.
pub(crate) fn check(tree: &SourceTree) -> Option<Checked<SiteMap>> {
    let (config, index, catalog) = parts(tree)?;
    let made = |audience| {
        let found = resolve_for(audience, &config, &index, &catalog);
        let again = resolve_for(audience, &config, &index, &catalog);
        assert!(found == again, "the same input gives another map");
        let map = &found.value;
        nodes(map);
        routes(map, &index, &catalog);
        pages(map, &index);
        neighbours(map);
        divisions(map);
        redirects(map, &config);
        problems(&found, tree);
        found
    };
    let found = made(Audience::Everyone);
    protection(&found.value, &made(Audience::Trusted).value);
    Some(found)
}

fn all<'m>(nodes: &'m [NavNode], into: &mut Vec<&'m NavNode>) {
    for node in nodes {
        into.push(node);
        all(&node.children, into);
    }
}

/// Ids count up in reading order and every address of a node exists.
fn nodes(map: &SiteMap) {
    let mut seen = Vec::new();
    all(&map.tree, &mut seen);
    let ids: Vec<usize> = seen.iter().map(|node| node.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    for node in seen {
        assert_eq!(map.node(node.id), Some(node));
        let last = node.children.last().map_or(node.id + 1, |child| child.end);
        assert!(node.end >= last, "a node ends before what is inside");
        for path in node.route.iter().chain(&node.first) {
            assert!(map.routes.contains_key(path), "{path} is no route");
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
            let any = inside.iter().any(|one| one.kind == NodeKind::Page);
            assert_eq!(node.route.is_some(), any || node.first.is_some());
        }
    }
}

/// Every route is reachable from the tree of its division.
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
        let own = route
            .node
            .or(route.root_of)
            .expect("a listed page has a place");
        let (scope, size) = match map.division(path) {
            Some(division) => (division.id..division.end, division.count() - 1),
            None => (0..usize::MAX, usize::MAX),
        };
        assert!(scope.contains(&own), "{path} is outside of its division");
        assert!(
            sidebar <= size,
            "the sidebar of {path} is more than its division"
        );
        let mut beside = Vec::new();
        all(map.sidebar(path), &mut beside);
        let root_of_division = map.division(path).is_some_and(|node| node.id == own);
        let shown = beside.iter().any(|node| node.id == own);
        assert!(
            shown || root_of_division || map.sidebar(path).is_empty(),
            "{path} is not in its sidebar"
        );
    }
    assert_eq!(map.first_page().is_some(), !map.routes.is_empty());
}

/// Every page has a route, but for those that ask for protection, those that the navigation does not
/// name and a redirect leads away from, and files for those who work in the repository.
fn pages(map: &SiteMap, index: &PageIndex) {
    let named = map.entries.iter().filter_map(|entry| entry.href.as_deref());
    let named: HashSet<String> = named.map(canonical_path).collect();
    for page in index.iter() {
        let path = canonical_path(&page.slug);
        let protected = map.withheld.pages.contains(&path);
        if map.routes.contains_key(&path) {
            assert!(!protected, "{path} asks for protection");
            continue;
        }
        let gives_way = map.redirect(&path).is_some() && !named.contains(&path);
        assert!(
            protected || gives_way || is_for_contributors(&page.path),
            "{path} has no route"
        );
    }
    for route in map.routes.values().filter(|route| route.url.is_some()) {
        let found = route.visibility;
        assert!(!found.sitemap && !found.llms, "{} leads away", route.path);
    }
    for (folder, first) in &map.dir_redirects {
        assert!(map.route(folder).is_none(), "{folder} is a page");
        let first = map.route(first).expect("a folder leads to a page");
        assert!(first.in_navigation && !first.hidden && first.url.is_none());
        assert!(first.path.starts_with(&format!("{folder}/")));
    }
}

fn is_for_contributors(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let shouted = !stem.bytes().any(|byte| byte.is_ascii_lowercase());
    let names = "agents changelog claude code_of_conduct codeowners contributing gemini license \
        readme security todo";
    let known = names
        .split(' ')
        .any(|known| known == stem.to_ascii_lowercase());
    known && (shouted || ending == "md")
}

/// A map for everyone has what asks for protection in no part; one for all pages withholds nothing.
fn protection(open: &SiteMap, all: &SiteMap) {
    assert!(all.withheld.pages.is_empty());
    let asking = all.routes.values().filter(|route| route.protected);
    for Route { path, .. } in asking {
        assert!(open.withheld.pages.contains(path), "{path} is open");
    }
    for path in &open.withheld.pages {
        assert!(!open.routes.contains_key(path) && open.redirect(path).is_none());
        let asks = all.route(path).map(|route| route.protected);
        let moved = || all.redirect(path).is_some();
        assert!(asks.unwrap_or_else(moved), "{path} may be read");
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

/// Previous and next are each other's inverse, stay in their division and come to an end.
fn neighbours(map: &SiteMap) {
    for (path, route) in &map.routes {
        if let Some(next) = &route.next {
            let other = map.route(next).expect("the next page exists");
            assert_eq!(other.previous.as_ref(), Some(path), "next of {path}");
            assert!(!other.hidden && !route.hidden && next != path);
            let division = |path: &str| map.division(path).map(|node| node.id);
            assert_eq!(division(path), division(next));
            let place = |route: &Route| route.node.or(route.root_of);
            assert!(place(route) < place(other), "{next} is read before {path}");
        }
        if let Some(previous) = &route.previous {
            let other = map.route(previous).expect("the previous page exists");
            assert_eq!(other.next.as_ref(), Some(path), "previous of {path}");
        }
    }
}

/// Every choice of a switcher leads to a page in it, or is a link.
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

/// Whoever follows redirects arrives, and a page is never moved.
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
            assert!(hops <= 20, "{start} never arrives");
            assert!(next.len() < 100_000);
            let end = next.find(['?', '#']).unwrap_or(next.len());
            path = decoded(&next[..end]);
        }
    }
}

/// As a server reads the path of a request.
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

/// Every problem has a place inside a file of the repository, a hint and a known code.
fn problems(found: &Checked<SiteMap>, tree: &SourceTree) {
    let mut seen = HashSet::new();
    for problem in &found.diagnostics {
        let at = problem.location.as_ref().expect("a problem has a place");
        let text = tree.text(&at.file).map(|file| file.text().len());
        let length = text.expect("the place is in a file of the repository");
        assert!(at.span.start <= at.span.end && at.span.end as usize <= length);
        assert!(problem.hint.is_some(), "{} has no hint", problem.code.id);
        seen.insert(problem.code.id);
    }
    let empty = found.value.routes.is_empty() && found.value.withheld.pages.is_empty();
    assert_eq!(found.has(Severity::Fatal), empty);
}
