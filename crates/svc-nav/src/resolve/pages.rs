//! Conversion of page entries to nodes and routes.

use std::collections::HashMap;

use indexmap::map::Entry;
use svc_config::{Icon, OpenApiRef, PageRef, remote_url_of_entry};
use svc_diagnostics::{Diagnostic, Fix, Span, did_you_mean, is_shortened_path, is_typing_error};
use svc_openapi::{Operation, parse_entry};
use svc_source::{FrontMatter, Page, canonical_path, default_title};

use super::Builder;
use super::context::{Context, Origin};
use super::elements::DocumentLookup;
use super::nodes::{link, new_node};
use super::protection::is_protected;
use super::visibility::visibility;
use crate::codes::{
    DUPLICATE_ROUTE, MISSING_OPERATION, MISSING_PAGE, PAGE_OPERATION, REPEATED_PAGE,
};
use crate::{NavEntry, NavNode, NodeKind, Route, RouteBody};

impl<'a> Builder<'a> {
    /// Returns the node of an entry of `pages`.
    pub(super) fn entry(&mut self, page: &'a PageRef, cx: &Context<'a>) -> Option<NavNode> {
        let origin = Origin::Entry(page);
        if self.is_full(&page.location, || format!("{}/pages", cx.pointer)) {
            return None;
        }
        let has_space = page.path.contains(char::is_whitespace);
        if let Some(entry) = has_space.then(|| parse_entry(&page.path)).flatten() {
            let lookup = self.operations.find(&entry, cx.sources, None, cx.root);
            for remark in lookup.remarks {
                self.report(origin.locate(cx, remark));
            }
            let Some(hit) = lookup.hit else {
                let problem = match self.lookup_document(entry.spec.as_deref()) {
                    DocumentLookup::Missing(problem) => problem,
                    DocumentLookup::Reported => return None,
                    DocumentLookup::Present
                        if entry.spec.is_none() && self.lacks_document(cx.sources) =>
                    {
                        return None;
                    }
                    DocumentLookup::Present => self.missing_operation(&page.path, origin),
                };
                self.report(origin.locate(cx, problem));
                return None;
            };
            if hit.operation.hidden {
                return None;
            }
            return Some(self.operation(hit, cx, origin));
        }
        if let Some((document, tool)) = self.find_tool(&page.path, cx) {
            return Some(self.tool(document, tool, cx, origin));
        }
        let Some(file) = self.pages.get(&page.path) else {
            match self.missing_tool(&page.path, cx) {
                Some(problem) => self.report(origin.locate(cx, problem)),
                None => self.missing_page(page, origin, cx),
            }
            return None;
        };
        let slug = written_slug(&page.path);
        let route = self.page_route(file, slug, Some(cx));
        Some(self.list(route, Some(&file.front_matter), origin, cx))
    }

    /// Adds the root page of a group and returns its path, if the page exists.
    pub(super) fn root_page(
        &mut self,
        page: &'a PageRef,
        cx: &Context<'a>,
        group: usize,
    ) -> Option<String> {
        let origin = Origin::Root(page);
        let Some(file) = self.pages.get(&page.path) else {
            self.missing_page(page, origin, cx);
            return None;
        };
        let mut route = self.page_route(file, written_slug(&page.path), Some(cx));
        route.root_of = Some(group);
        route.directory = cx.listing;
        self.print(&route, cx, true);
        let path = route.path.clone();
        self.add(route, group, origin, cx);
        Some(path)
    }

    /// Adds the pages that are not in the navigation, except for files for contributors.
    pub(super) fn hidden_pages(&mut self) {
        for page in self
            .pages
            .iter()
            .filter(|page| !is_for_contributors(&page.path))
        {
            let path = canonical_path(&page.slug);
            match self.routes.get(&path).map(|route| &route.body) {
                None => {
                    let route = self.page_route(page, &page.slug, None);
                    self.routes.insert(path, route);
                }
                Some(RouteBody::Page { slug }) if *slug == page.slug => {}
                Some(other) => {
                    let other = match other {
                        RouteBody::Page { slug } => self.pages.get_exact(slug),
                        RouteBody::Generated => None,
                    };
                    let other = other.map_or_else(
                        || "a generated page".to_owned(),
                        |other| format!("`{}`", other.path),
                    );
                    let message = format!(
                        "`{}` is not shown: {other} has the same path `{path}`",
                        page.path
                    );
                    let problem = Diagnostic::new(&DUPLICATE_ROUTE, message)
                        .at(page.file.location(Span::default()))
                        .hint("rename one of them");
                    self.report(problem);
                }
            }
        }
    }

    /// Looks up the document whose absence explains that the target of a page does not exist.
    fn document_of_page(
        &mut self,
        key: &str,
        text: &str,
        sources: Option<&OpenApiRef>,
    ) -> DocumentLookup {
        if let Some(url) = remote_url_of_entry(text) {
            return self.lookup_document(Some(url));
        }
        let spec = match key {
            "openapi" => parse_entry(text).and_then(|entry| entry.spec),
            _ => text
                .trim()
                .split_once(char::is_whitespace)
                .map(|(spec, _)| spec.to_owned()),
        };
        match spec {
            Some(spec) => self.lookup_document(Some(&spec)),
            None if self.lacks_document(sources) => DocumentLookup::Reported,
            None => DocumentLookup::Present,
        }
    }

    /// Creates the route of a page file.
    fn page_route(&mut self, page: &'a Page, slug: &str, context: Option<&Context<'a>>) -> Route {
        let fields = &page.front_matter;
        let root = self.pages.mounts().root_of(&page.path);
        let of_site = || self.config.api.openapi.as_ref().filter(|_| root.is_empty());
        let sources = context.map_or_else(of_site, |cx| cx.sources);
        let mut operation = None;
        let mut summary = None;
        let mut problem = None;
        let mut similar = None;
        // A page with several entries is reported once.
        let names_operation = fields.openapi.is_some() || fields.openapi_schema.is_some();
        let is_known = names_operation && self.routes.contains_key(&canonical_path(slug));
        if let Some(text) = &fields.openapi {
            let dir = page.path.rsplit_once('/').map_or("", |(dir, _)| dir);
            let lookup = parse_entry(text)
                .map(|entry| self.operations.find(&entry, sources, Some(dir), root))
                .unwrap_or_default();
            let span = fields.span_of("openapi").unwrap_or_default();
            for remark in lookup.remarks.into_iter().filter(|_| !is_known) {
                let remark = remark.at(page.file.location(span)).pointer("/openapi");
                self.report(remark);
            }
            match lookup.hit {
                Some(hit) => {
                    operation = Some(hit.reference());
                    summary = Some(hit.operation);
                }
                None if lookup.explained => {}
                None => {
                    let near = self.similar_operation(text);
                    problem = Some(("openapi", text, operation_hint(near.as_deref())));
                    similar = near.map(|near| (operation_part(text), near));
                }
            }
        } else if let Some(text) = &fields.openapi_schema {
            operation = self.operations.schema_of_page(text, sources, root);
            if operation.is_none() {
                let hint = "use a name of `components.schemas`".to_owned();
                problem = Some(("openapi-schema", text, hint));
            }
        }
        if let Some((key, text, hint)) = problem
            && !is_known
        {
            let problem = match self.document_of_page(key, text, sources) {
                DocumentLookup::Missing(problem) => Some(problem),
                DocumentLookup::Reported => None,
                DocumentLookup::Present => {
                    let message = format!("`{key}: {text}` is not in any OpenAPI document");
                    let similar = similar.filter(|(old, near)| is_same_operation(old, near));
                    let fix = similar.and_then(|(old, near)| {
                        let span = fields.span_of(key)?;
                        Fix::replace(&page.file, span, old, &near)
                    });
                    Some(
                        Diagnostic::new(&PAGE_OPERATION, message)
                            .hint(hint)
                            .fix(fix),
                    )
                }
            };
            if let Some(problem) = problem {
                let span = fields.span_of(key).unwrap_or_default();
                let problem = problem
                    .at(page.file.location(span))
                    .pointer(format!("/{key}"));
                self.report(problem);
            }
        }
        let title = fields.title.clone().or_else(|| match summary {
            Some(operation) => operation.summary.clone(),
            // The operation does not exist, so only the names of the page are used.
            None if fields.openapi.is_some() => fields.sidebar_title.clone(),
            None => None,
        });
        let mut route = Route::blank(
            canonical_path(slug),
            slug,
            RouteBody::Page {
                slug: page.slug.clone(),
            },
            title.unwrap_or_else(|| default_title(slug)),
        );
        route.operation = operation;
        route.openapi.clone_from(&fields.openapi);
        describe(&mut route, fields, summary);
        if let Some(icon) = route.icon.as_mut().filter(|_| !root.is_empty()) {
            icon.move_below(root);
        }
        if route.method.is_none() && !fields.hide_api_marker {
            route.method = fields.api.as_deref().and_then(api_method);
        }
        self.apply_context(&mut route, fields, context);
        if let Some(operation) = summary {
            route.protected |= operation.protected;
            let groups = &operation.groups;
            route
                .required_groups
                .extend((!groups.is_empty()).then(|| groups.clone()));
        }
        route
    }

    /// Sets the fields that depend on the position in the navigation.
    pub(super) fn apply_context(
        &self,
        route: &mut Route,
        fields: &FrontMatter,
        context: Option<&Context<'a>>,
    ) {
        route.visibility = visibility(fields, context, self.config.seo.indexing_all);
        route.url = fields
            .url
            .as_deref()
            .and_then(|url| redirect_url(self.link_of(&route.slug, url), &route.path));
        if route.url.is_some() {
            route.visibility.sitemap = false;
            route.visibility.llms = false;
        }
        route.hidden = !route.visibility.sidebar;
        route.noindex = !route.visibility.engines;
        route.groups.clone_from(&fields.groups);
        route.required_groups = fields.groups.iter().cloned().collect();
        route.protected = is_protected(fields, context, self.config.is_protected());
        route.boost = fields.boost.or_else(|| context?.boost);
        route.public = fields
            .public
            .or_else(|| context?.public)
            .or(self.config.public);
        let inherited = context.and_then(|cx| cx.version).map(str::to_owned);
        route.version = fields.version.clone().or(inherited);
        if let Some(cx) = context {
            route.in_navigation = true;
            route.trail.clone_from(&cx.ids);
            route.language = cx.language.map(str::to_owned);
        }
    }

    /// The target of a link of a page. A path in a version with a `ref` is one of the version, like
    /// those of links in its text; a page that only the site has stays.
    fn link_of(&self, slug: &str, url: &str) -> String {
        let target = link(url);
        let root = self.pages.mounts().root_of(slug);
        if root.is_empty() || !target.starts_with('/') || target.starts_with("//") {
            return target;
        }
        let end = target.find(['?', '#']).unwrap_or(target.len());
        let (path, rest) = target.split_at(end);
        let path = path.trim_end_matches('/');
        let moved = format!("{root}{path}");
        let is_page = |path: &str| self.pages.get(path.trim_start_matches('/')).is_some();
        if !is_page(&moved) && is_page(path) {
            return target;
        }
        format!("/{moved}{rest}")
    }

    /// Adds a route of the navigation with its node and its printed entry.
    pub(super) fn list(
        &mut self,
        mut route: Route,
        fields: Option<&FrontMatter>,
        origin: Origin<'_>,
        cx: &Context<'a>,
    ) -> NavNode {
        let id = self.id();
        route.node = Some(id);
        self.print(&route, cx, false);
        let url = fields.and_then(|fields| fields.url.as_deref());
        let url = url.map(|url| self.link_of(&route.slug, url));
        let kind = if url.is_some() {
            NodeKind::Link
        } else {
            NodeKind::Page
        };
        let mut node = new_node(id, kind, route.short_title(), route.hidden);
        node.key.clone_from(&route.slug);
        node.icon.clone_from(&route.icon);
        node.tag.clone_from(&route.tag);
        node.route = Some(route.path.clone());
        node.href = url;
        node.method.clone_from(&route.method);
        node.deprecated = route.deprecated;
        node.description.clone_from(&route.description);
        let dir_len = route.slug.rfind('/').map_or(0, |at| at + 1);
        route.slug[..dir_len].clone_into(&mut node.dir);
        self.add(route, id, origin, cx);
        node
    }

    /// Adds the printed entry.
    fn print(&mut self, route: &Route, cx: &Context<'a>, root: bool) {
        self.entries.push(NavEntry {
            trail: cx.trail.clone(),
            href: Some(["/", &route.slug].concat()),
            title: Some(route.title.clone()),
            // A root page has the name of its group.
            sidebar_title: route.sidebar_title.clone().filter(|_| !root),
            openapi: route.openapi.clone(),
            root,
            link: None,
        });
    }

    /// Adds a route unless its path is in use. The first node of a page determines its position.
    fn add(&mut self, mut route: Route, node: usize, origin: Origin<'_>, cx: &Context<'a>) {
        let mut entry = match self.routes.entry(route.path.clone()) {
            Entry::Vacant(entry) => {
                route.nodes = vec![node];
                entry.insert(route);
                self.divisions.push(cx.division);
                return;
            }
            Entry::Occupied(entry) => entry,
        };
        let (at, existing) = (entry.index(), entry.get_mut());
        let first = self.divisions.get(at) == Some(&cx.division);
        let repeated = first || !self.repeated_routes.insert((at, cx.division));
        existing.nodes.push(node);
        // A page that is protected at one entry is protected at all of them.
        existing.protected |= route.protected;
        let problem = if existing.body != route.body {
            let message = format!("two pages have the path `{}`", route.path);
            Diagnostic::new(&DUPLICATE_ROUTE, message).hint("rename one of them")
        } else if repeated && existing.root_of.is_none() && route.root_of.is_none() {
            let message = format!("`{}` is listed here more than once", route.slug);
            Diagnostic::new(&REPEATED_PAGE, message).hint("remove one of the entries")
        } else {
            if existing.root_of.is_none() && existing.trail == route.trail {
                existing.root_of = route.root_of;
                existing.directory = route.directory;
            }
            // A page that is hidden at one entry and visible at another is visible.
            if existing.hidden && !route.hidden {
                route.nodes = std::mem::take(&mut existing.nodes);
                route.protected = existing.protected;
                *existing = route;
            }
            return;
        };
        self.report(origin.locate(cx, problem));
    }

    /// Returns the diagnostic for an operation that does not exist, without its location.
    fn missing_operation(&mut self, entry: &str, origin: Origin<'_>) -> Diagnostic {
        let near = self.similar_operation(entry);
        let near = near.as_deref();
        let fix = near.and_then(|near| {
            let part = operation_part(entry);
            origin
                .replacement(part, near)
                .filter(|_| is_same_operation(part, near))
        });
        Diagnostic::new(
            &MISSING_OPERATION,
            format!("no OpenAPI document contains `{entry}`"),
        )
        .hint(operation_hint(near))
        .fix(fix)
    }

    /// Returns the operation with a name similar to that of an entry.
    fn similar_operation(&mut self, entry: &str) -> Option<String> {
        let mut tokens = entry.trim().rsplitn(3, char::is_whitespace);
        let (path, method) = (tokens.next().unwrap_or(""), tokens.next().unwrap_or(""));
        let name = format!("{} {path}", method.to_ascii_uppercase());
        if self.suggestions == 0 {
            return None;
        }
        self.suggestions -= 1;
        // An operation whose path has no slash cannot be named.
        let names = self.operations.names().filter(|name| name.contains(" /"));
        did_you_mean(&name, names).map(str::to_owned)
    }

    fn missing_page(&mut self, page: &PageRef, origin: Origin<'_>, cx: &Context<'a>) {
        let path = page.path.trim_matches('/');
        let snippet = [".mdx", ".md", ""]
            .iter()
            .any(|ending| self.pages.is_snippet(&format!("{path}{ending}")));
        let near = match snippet {
            true => None,
            false => self.suggestion(path),
        };
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if snippet => {
                "the file is a snippet: it is imported by another file or is in a snippet folder"
                    .to_owned()
            }
            None => format!("add `{path}.mdx` or remove the entry"),
        };
        let problem = Diagnostic::new(&MISSING_PAGE, format!("no page `{path}`"))
            .hint(hint)
            .fix(near.and_then(|near| {
                let bare = path.strip_suffix(".mdx").unwrap_or(path);
                let longer = || {
                    let pages = self.pages.iter();
                    pages
                        .filter(|page| is_shortened_path(path, &page.slug))
                        .count()
                };
                let is_same =
                    is_typing_error(bare, near) || is_shortened_path(path, near) && longer() == 1;
                origin.replacement(path, near).filter(|_| is_same)
            }));
        self.report(origin.locate(cx, problem));
    }

    /// Returns a page of the same name in another directory, or of a similar name in the same
    /// directory. Comparison is slow, so if many pages are missing only the first ones are
    /// compared.
    fn suggestion(&mut self, path: &str) -> Option<&'a str> {
        let pages = self.pages;
        let by_leaf = self.by_leaf.get_or_insert_with(|| {
            let mut map: HashMap<&str, Vec<&str>> = HashMap::new();
            for page in pages.iter() {
                let (dir, leaf) = page.slug.rsplit_once('/').unwrap_or(("", &page.slug));
                map.entry(leaf).or_default().push(&page.slug);
                // Directories have separate entries with a trailing slash, which no last segment
                // has.
                let dir_len = if dir.is_empty() { 0 } else { dir.len() + 1 };
                let siblings = map.entry(&page.slug[..dir_len]).or_default();
                if siblings.len() < 64 {
                    siblings.push(&page.slug);
                }
            }
            map
        });
        let (dir, leaf) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        let of = |name: &str| by_leaf.get(name).map_or(&[][..], |slugs| slugs.as_slice());
        let near = if self.suggestions > 0 {
            self.suggestions -= 1;
            did_you_mean(
                path,
                of(dir).iter().chain(of(leaf).iter().take(64)).copied(),
            )
        } else {
            None
        };
        let moved = || of(leaf).iter().find(|other| is_shortened_path(path, other));
        near.or_else(|| moved().copied())
    }
}

fn operation_hint(near: Option<&str>) -> String {
    near.map_or_else(
        || "write `METHOD /path` as in the document".to_owned(),
        |near| format!("did you mean `{near}`?"),
    )
}

/// Whether two operations have the same method and paths that differ by a typing error.
fn is_same_operation(one: &str, other: &str) -> bool {
    let method = |name: &str| name.split_whitespace().next().map(str::to_ascii_uppercase);
    method(one) == method(other) && is_typing_error(one, other)
}

/// The method and path at the end of an entry, without its document.
fn operation_part(entry: &str) -> &str {
    let entry = entry.trim();
    let mut spaces = entry.rmatch_indices(char::is_whitespace);
    let start = spaces.nth(1).map_or(0, |(at, space)| at + space.len());
    entry.get(start..).unwrap_or(entry)
}

/// Names of files that describe to contributors and tools how to work in a repository.
const CONTRIBUTORS: [&str; 11] = [
    "agents",
    "changelog",
    "claude",
    "code_of_conduct",
    "codeowners",
    "contributing",
    "gemini",
    "license",
    "readme",
    "security",
    "todo",
];

/// Returns true for files for contributors. A page of such a name is in lower case with the
/// extension `.mdx`.
fn is_for_contributors(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let shouted = stem.bytes().all(|byte| !byte.is_ascii_lowercase());
    let is_known = CONTRIBUTORS.contains(&stem.to_ascii_lowercase().as_str());
    // A lower-case `changelog.md` or `security.md` is often a page.
    let plain =
        matches!(stem, "readme" | "Readme" | "agents" | "claude" | "gemini") && extension == "md";
    is_known && (shouted || plain)
}

/// Removes surrounding slashes and the extension from an entry.
fn written_slug(path: &str) -> &str {
    let path = path.trim_matches('/');
    let slug = path
        .strip_suffix(".mdx")
        .or_else(|| path.strip_suffix(".md"))
        .unwrap_or(path);
    if slug.is_empty() { "index" } else { slug }
}

/// Returns the target of `url`: a page or path of this site other than the page itself, or a URL.
fn redirect_url(url: String, page_path: &str) -> Option<String> {
    let scheme = url
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    let away = matches!(scheme.as_deref(), Some("http" | "https")) || url.starts_with('/');
    let path = url.split(['?', '#']).next().unwrap_or("");
    let itself = canonical_path(path) == page_path;
    let sound = !url.chars().any(|c| c.is_control() || c.is_whitespace());
    (away && sound && !itself).then_some(url)
}

/// Returns the method of an endpoint described by `api`: `POST /v1/x`.
fn api_method(text: &str) -> Option<String> {
    let (method, _) = text.trim().split_once(char::is_whitespace)?;
    method
        .bytes()
        .all(|b| b.is_ascii_alphabetic())
        .then(|| method.to_ascii_uppercase())
}

/// Sets the fields from the front matter, and otherwise from the operation.
pub(super) fn describe(route: &mut Route, fields: &FrontMatter, operation: Option<&Operation>) {
    route.sidebar_title.clone_from(&fields.sidebar_title);
    route.description = fields
        .description
        .clone()
        .or_else(|| operation?.description.clone());
    route.icon = fields.icon.as_ref().map(|name| Icon {
        name: name.clone(),
        style: fields.icon_type.clone(),
        library: fields.icon_library.clone(),
    });
    route.tag.clone_from(&fields.tag);
    let is_set = fields.raw.get("deprecated").is_some();
    route.deprecated = if is_set {
        fields.deprecated
    } else {
        operation.is_some_and(|item| item.deprecated)
    };
    if !fields.hide_api_marker {
        route.method = operation.map(|item| match item.kind {
            svc_openapi::OperationKind::Path => item.method.to_ascii_uppercase(),
            svc_openapi::OperationKind::Webhook => "WEBHOOK".to_owned(),
        });
    }
}
