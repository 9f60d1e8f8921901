//! Generated pages of operations and webhooks.

use indexmap::IndexMap;
use svc_config::ElementKind;
use svc_diagnostics::Diagnostic;
use svc_openapi::{
    ApiDocument, MAX_SEGMENT_BYTES, Operation, OperationKind, numbered_path, title_from_slug,
};
use svc_source::{FrontMatter, canonical_path, normalize};

use super::context::{Context, Origin, operation_pointer};
use super::nodes::{finalize, new_node};
use super::operations::Hit;
use super::pages::describe;
use super::protection::is_protected;
use super::untagged_group::untagged_group;
use super::{Builder, MAX_NODES, PageKey};
use crate::codes::{DUPLICATE_ROUTE, EMPTY_DOCUMENT, GENERATED_PATH, METADATA_OPENAPI};
use crate::{NavNode, NodeKind, OperationRef, Route, RouteBody};

/// Default directory of generated pages.
const DEFAULT_DIR: &str = "api-reference";

/// The operations of a tag, and its child tags.
#[derive(Debug, Default)]
struct TagGroup<'a> {
    hits: Vec<Hit<'a>>,
    /// Child groups by label, in the order of first appearance.
    children: IndexMap<String, Self>,
}

impl TagGroup<'_> {
    /// Returns the child group of this label, and creates it if necessary.
    fn child(&mut self, label: &str) -> &mut Self {
        self.children.entry(label.to_owned()).or_default()
    }

    /// Returns the number of nodes. The recursion is shallow, because tags nest only a few levels
    /// deep.
    fn size(&self) -> usize {
        let inside = self.children.values().map(|group| 1 + group.size());
        self.hits.len() + inside.sum::<usize>()
    }
}

/// Returns true if a webhook is only in `x-webhooks`.
fn is_extension(document: &ApiDocument, operation: &Operation) -> bool {
    let standard = || document.root.get("webhooks")?.get(&operation.path);
    operation.kind == OperationKind::Webhook && standard().is_none()
}

impl<'a> Builder<'a> {
    /// Returns the groups of all operations of the inherited documents, by tag, in the order of the
    /// documents. Webhooks that only an extension declares get a page only if the navigation names
    /// them.
    pub(super) fn whole_documents(&mut self, cx: &Context<'a>) -> Vec<NavNode> {
        let Some(sources) = cx.sources else {
            return Vec::new();
        };
        let mut groups = TagGroup::default();
        let mut has_document = false;
        for source in &sources.sources {
            let Some(at) = self.operations.document(source) else {
                continue;
            };
            let Some(document) = self.catalog.documents.get(at) else {
                continue;
            };
            has_document = true;
            for operation in document.operations.iter().chain(&document.webhooks) {
                if operation.hidden || is_extension(document, operation) {
                    continue;
                }
                let hit = Hit {
                    document: at,
                    operation,
                };
                let mut group = &mut groups;
                match document.tag_of(operation) {
                    Some(tag) => {
                        for name in document.tag_chain(tag) {
                            group = group.child(document.label_of(name));
                        }
                    }
                    None => group = group.child(untagged_group(cx.language)),
                }
                group.hits.push(hit);
            }
        }
        if self.next_id + groups.size() > MAX_NODES {
            self.next_id = MAX_NODES;
            self.is_full(&sources.location, || format!("{}/openapi", cx.pointer));
            return Vec::new();
        }
        let groups = groups.children;
        if has_document && groups.is_empty() {
            let problem =
                Diagnostic::new(&EMPTY_DOCUMENT, "this section has no visible operations")
                    .at(sources.location.clone())
                    .pointer(format!("{}/openapi", cx.pointer))
                    .hint("add an operation to the document, or remove `x-hidden` from one");
            self.report(problem);
        }
        groups
            .into_iter()
            .map(|(label, group)| self.tag_group(&label, group, cx))
            .collect()
    }

    /// Creates the group of a tag: its pages, followed by the groups of its child tags.
    fn tag_group(&mut self, label: &str, group: TagGroup<'a>, cx: &Context<'a>) -> NavNode {
        let id = self.id();
        let inside = cx.enter_named(ElementKind::Group, label, id);
        let kind = NodeKind::Element(ElementKind::Group);
        let mut node = new_node(id, kind, label, cx.hidden);
        for hit in group.hits {
            let page = self.operation(hit, &inside, Origin::Operation(hit.operation));
            node.children.push(page);
        }
        for (label, group) in group.children {
            let below = self.tag_group(&label, group, &inside);
            node.children.push(below);
        }
        node.end = self.next_id;
        finalize(&mut node);
        node
    }

    /// Creates the node of a generated page.
    pub(super) fn operation(
        &mut self,
        hit: Hit<'a>,
        cx: &Context<'a>,
        origin: Origin<'_>,
    ) -> NavNode {
        let operation = hit.operation;
        let slug = self.slug(hit, cx);
        let document = self.catalog.documents.get(hit.document);
        let mut metadata = match (&operation.metadata, document) {
            (Some(node), Some(document)) => {
                let read = FrontMatter::from_node(&document.file, node.clone());
                for problem in read.diagnostics {
                    self.report(problem);
                }
                // Metadata can override everything except for the operation that the page
                // documents.
                let mut metadata = read.value;
                if metadata.openapi.take().is_some() {
                    let span = metadata.span_of("openapi").unwrap_or_default();
                    let message = "`openapi` in `x-svc.metadata` is ignored";
                    let problem = Diagnostic::new(&METADATA_OPENAPI, message)
                        .at(document.file.location(span))
                        .pointer(operation_pointer(operation))
                        .hint("remove it; the page documents the operation that contains it");
                    self.report(problem);
                }
                metadata
            }
            _ => FrontMatter::default(),
        };
        if !operation.groups.is_empty() {
            metadata.groups = Some(operation.groups.clone());
        }
        let title = metadata.title.clone();
        let path = canonical_path(&slug);
        let mut route = Route::blank(
            path,
            &slug,
            RouteBody::Generated,
            title.unwrap_or_else(|| operation.title()),
        );
        route.operation = Some(hit.reference());
        let method = match operation.kind {
            OperationKind::Path => operation.method.as_str(),
            OperationKind::Webhook => "webhook",
        };
        let spec = match document {
            Some(document) if document.is_remote() => document.path.clone(),
            Some(document) => format!("/{}", document.path.trim_start_matches('/')),
            None => "/".to_owned(),
        };
        route.openapi = Some(format!("{spec} {method} {}", operation.path));
        describe(&mut route, &metadata, Some(operation));
        // Mintlify derives menu names in the same way from an explicit path.
        let chosen = operation.href.is_some() && document.is_some_and(|item| !item.is_remote());
        if chosen && route.sidebar_title.is_none() && metadata.title.is_none() {
            route.sidebar_title = Some(title_from_slug(&slug));
        }
        self.apply_context(&mut route, &metadata, Some(cx));
        route.protected |= operation.protected;
        self.prefer_file(
            &mut route,
            cx,
            Origin::Operation(operation),
            "rename it, or set `x-svc.href` on the operation",
        );
        let link = metadata.clone();
        if operation.metadata.is_some() {
            route.metadata = Some(Box::new(metadata));
        }
        self.list(route, Some(&link), origin, cx)
    }

    /// Shows the page file at the path of a generated page instead of it, and reports the file at
    /// `origin`.
    pub(super) fn prefer_file(
        &mut self,
        route: &mut Route,
        cx: &Context<'_>,
        origin: Origin<'_>,
        hint: &str,
    ) {
        let Some(file) = self.pages.get_exact(&route.slug) else {
            return;
        };
        route.body = RouteBody::Page {
            slug: file.slug.clone(),
        };
        route.protected |= is_protected(&file.front_matter, Some(cx), self.config.is_protected());
        route
            .required_groups
            .extend(file.front_matter.groups.clone());
        // A page with several entries is reported once.
        if !self.routes.contains_key(&route.path) {
            let message = format!("`{}` has the same path as a generated page", file.path);
            let problem = Diagnostic::new(&DUPLICATE_ROUTE, message)
                .hint(format!("{hint}; until then the file is shown"));
            self.report(origin.locate(cx, problem));
        }
    }

    /// Returns the path of a generated page without leading slash. It is the same for all entries
    /// of an operation.
    fn slug(&mut self, hit: Hit<'a>, cx: &Context<'a>) -> String {
        let operation = hit.operation;
        let document = self.catalog.documents.get(hit.document);
        let dir = cx
            .sources
            .and_then(|sources| sources.directory.as_deref())
            .unwrap_or(DEFAULT_DIR);
        let method = match operation.kind {
            OperationKind::Path => operation.method.as_str(),
            OperationKind::Webhook => "",
        };
        let key: PageKey<'a> = (cx.root, dir, hit.document, method, operation.path.as_str());
        if let Some(slug) = self.generated.get(&key) {
            return slug.clone();
        }
        let preferred = document
            .map(|document| document.page_slug(operation, dir))
            .unwrap_or_default();
        let preferred = if preferred.is_empty() {
            "index".to_owned()
        } else {
            preferred
        };
        let requested = preferred.clone();
        let preferred = cx.below_root(preferred);
        let reference = hit.reference();
        let existing = self
            .generated_route(&preferred)
            .and_then(|route| route.operation.as_ref());
        let slug = if operation.href.is_some() && existing == Some(&reference) {
            preferred
        } else {
            self.check_href(operation, &requested, &preferred);
            self.unique_slug(preferred)
        };
        self.generated.insert(key, slug.clone());
        slug
    }

    /// Reports a path that an operation requests and that cannot be used.
    fn check_href(&mut self, operation: &Operation, requested: &str, slug: &str) {
        let Some(href) = &operation.href else {
            return;
        };
        let report = |builder: &mut Self, problem: Diagnostic| {
            let problem = problem
                .at(operation.location.clone())
                .pointer(operation_pointer(operation));
            builder.report(problem);
        };
        if normalize(href).trim_end_matches('/') != requested && requested != "index" {
            let message = format!("`x-svc.href` cannot be `{href}`; the page is at `/{slug}`");
            let problem = Diagnostic::new(&GENERATED_PATH, message);
            let hint = format!(
                "use letters, digits, `-`, `.`, `_` and `~`, and at most {MAX_SEGMENT_BYTES} bytes between slashes"
            );
            report(self, problem.hint(hint));
        }
        let Some(other) = self
            .generated_route(slug)
            .and_then(|route| route.operation.clone())
        else {
            return;
        };
        let path = canonical_path(slug);
        let message = format!("`x-svc.href` of two operations is `{path}`");
        let mut problem = Diagnostic::new(&DUPLICATE_ROUTE, message)
            .hint("give one of them another path; until then the second has a number appended");
        let document = self.catalog.documents.get(other.document());
        let first = document.and_then(|document| match &other {
            OperationRef::Operation { method, path, .. } => document.operation(method, path),
            OperationRef::Webhook { name, .. } => document.webhook(name),
            OperationRef::Schema { .. } | OperationRef::Tool { .. } => None,
        });
        if let Some(first) = first {
            problem = problem.label(first.location.clone(), "the other operation");
        }
        report(self, problem);
    }

    /// Returns the generated page at a path.
    fn generated_route(&self, slug: &str) -> Option<&Route> {
        let route = self.routes.get(&canonical_path(slug))?;
        (!matches!(route.body, RouteBody::Page { .. })).then_some(route)
    }

    /// Appends `-1`, `-2` … to the slug until no other generated page has it.
    pub(super) fn unique_slug(&mut self, slug: String) -> String {
        if self.generated_route(&slug).is_none() {
            return slug;
        }
        let mut number = self.suffixes.get(&slug).copied().unwrap_or(1);
        loop {
            let numbered = numbered_path(&slug, number);
            number += 1;
            if self.generated_route(&numbered).is_none() {
                self.suffixes.insert(slug, number);
                return numbered;
            }
        }
    }
}
