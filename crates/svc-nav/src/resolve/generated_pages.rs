//! Generated pages of operations and webhooks.

use indexmap::IndexMap;
use svc_config::ElementKind;
use svc_diagnostics::Diagnostic;
use svc_openapi::{
    ApiDocument, MAX_SEGMENT_BYTES, Operation, OperationKind, numbered_path, title_from_slug,
};
use svc_source::{FrontMatter, canonical_path, normalize};

use super::context::{Context, Origin, operation_pointer};
use super::elements::{finalize, new_node};
use super::operations::Hit;
use super::pages::describe;
use super::protection::is_protected;
use super::untagged_group::untagged_group;
use super::{Builder, MAX_NODES};
use crate::codes::{DUPLICATE_ROUTE, EMPTY_DOCUMENT, GENERATED_PATH, METADATA_OPENAPI};
use crate::{NavNode, NodeKind, OperationRef, Route, RouteBody};

/// Folder, document, method (empty for webhooks) and path.
pub(super) type PageKey<'a> = (&'a str, usize, &'a str, &'a str);

/// The folder of generated pages that name no other.
const DEFAULT_DIR: &str = "api-reference";

/// The operations of one tag, and the tags below it.
#[derive(Debug, Default)]
struct TagGroup<'a> {
    hits: Vec<Hit<'a>>,
    /// By label, in the order of first appearance.
    children: IndexMap<String, Self>,
}

impl TagGroup<'_> {
    /// The group below this one, made when it is new.
    fn child(&mut self, label: &str) -> &mut Self {
        self.children.entry(label.to_owned()).or_default()
    }

    /// How many nodes it becomes; tags stand inside each other a few levels deep only.
    fn size(&self) -> usize {
        let inside = self.children.values().map(|group| 1 + group.size());
        self.hits.len() + inside.sum::<usize>()
    }
}

/// Whether a webhook stands under `x-webhooks` only.
fn is_extension(document: &ApiDocument, operation: &Operation) -> bool {
    let standard = || document.root.get("webhooks")?.get(&operation.path);
    operation.kind == OperationKind::Webhook && standard().is_none()
}

impl<'a> Builder<'a> {
    /// The groups of all operations of the inherited documents, by tag, in the order of the
    /// documents. Webhooks that only an extension declares have pages where navigation names them.
    pub(super) fn whole_documents(&mut self, cx: &Context<'a>) -> Vec<NavNode> {
        let Some(sources) = cx.sources else {
            return Vec::new();
        };
        let mut groups = TagGroup::default();
        let mut known = false;
        for source in &sources.sources {
            let Some(at) = self.operations.document(source) else {
                continue;
            };
            let Some(document) = self.catalog.documents.get(at) else {
                continue;
            };
            known = true;
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
        if known && groups.is_empty() {
            let problem = Diagnostic::new(&EMPTY_DOCUMENT, "no operation to show in this section")
                .at(sources.location.clone())
                .pointer(format!("{}/openapi", cx.pointer))
                .hint("all operations are hidden, or the document has none");
            self.report(problem);
        }
        groups
            .into_iter()
            .map(|(label, group)| self.tag_group(&label, group, cx))
            .collect()
    }

    /// The group of a tag: its pages, then the groups of the tags below it.
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

    /// The node of a generated page.
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
                // Everything may be overridden but what the page documents.
                let mut metadata = read.value;
                if metadata.openapi.take().is_some() {
                    let span = metadata.span_of("openapi").unwrap_or_default();
                    let message = "`openapi` in `x-svc.metadata` is left out";
                    let problem = Diagnostic::new(&METADATA_OPENAPI, message)
                        .at(document.file.location(span))
                        .pointer(operation_pointer(operation))
                        .hint("remove it: the page documents the operation that it stands in");
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
        // As the reference platform names pages in menus whose address is chosen.
        let chosen = operation.href.is_some() && document.is_some_and(|one| !one.is_remote());
        if chosen && route.sidebar_title.is_none() && metadata.title.is_none() {
            route.sidebar_title = Some(title_from_slug(&slug));
        }
        self.apply_context(&mut route, &metadata, Some(cx));
        route.protected |= operation.protected;
        // A page file at the same address is what the author wants to be shown there.
        if let Some(file) = self.pages.get_exact(&slug) {
            route.body = RouteBody::Page {
                slug: file.slug.clone(),
            };
            route.protected |=
                is_protected(&file.front_matter, Some(cx), self.config.is_protected());
            let message = format!("`{}` stands at the address of a generated page", file.path);
            let known = self.routes.contains_key(&route.path);
            if !known {
                let problem = Diagnostic::new(&DUPLICATE_ROUTE, message)
                    .at(operation.location.clone())
                    .pointer(operation_pointer(operation))
                    .hint("the file is shown; rename it, or set `x-svc.href` on the operation");
                self.report(problem);
            }
        }
        let link = metadata.clone();
        if operation.metadata.is_some() {
            route.metadata = Some(Box::new(metadata));
        }
        self.list(route, Some(&link), origin, cx)
    }

    /// The address of a generated page without leading slash; the same operation has the same one
    /// wherever it is listed.
    fn slug(&mut self, hit: Hit<'a>, cx: &Context<'a>) -> String {
        let operation = hit.operation;
        let document = self.catalog.documents.get(hit.document);
        let folder = cx
            .sources
            .and_then(|sources| sources.directory.as_deref())
            .unwrap_or(DEFAULT_DIR);
        let method = match operation.kind {
            OperationKind::Path => operation.method.as_str(),
            OperationKind::Webhook => "",
        };
        let key: PageKey<'a> = (folder, hit.document, method, operation.path.as_str());
        if let Some(known) = self.generated.get(&key) {
            return known.clone();
        }
        let wanted = document
            .map(|document| document.page_slug(operation, folder))
            .unwrap_or_default();
        let wanted = if wanted.is_empty() {
            "index".to_owned()
        } else {
            wanted
        };
        let own = hit.reference();
        let known = self
            .generated_route(&wanted)
            .and_then(|route| route.operation.as_ref());
        let slug = if operation.href.is_some() && known == Some(&own) {
            wanted
        } else {
            self.check_href(operation, &wanted);
            self.unique_slug(wanted)
        };
        self.generated.insert(key, slug.clone());
        slug
    }

    /// Reports an address that an operation asks for and cannot have.
    fn check_href(&mut self, operation: &Operation, slug: &str) {
        let Some(href) = &operation.href else {
            return;
        };
        let report = |builder: &mut Self, problem: Diagnostic| {
            let problem = problem
                .at(operation.location.clone())
                .pointer(operation_pointer(operation));
            builder.report(problem);
        };
        if normalize(href).trim_end_matches('/') != slug && slug != "index" {
            let message = format!("`x-svc.href` cannot be `{href}`; the page is at `/{slug}`");
            let problem = Diagnostic::new(&GENERATED_PATH, message);
            let hint = format!(
                "use letters, digits, `-`, `.`, `_` and `~`, and {MAX_SEGMENT_BYTES} bytes between slashes at most"
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
            .hint("give one of them another address; the second has a number behind it");
        let document = self.catalog.documents.get(other.document());
        let first = document.and_then(|document| match &other {
            OperationRef::Operation { method, path, .. } => document.operation(method, path),
            OperationRef::Webhook { name, .. } => document.webhook(name),
            OperationRef::Schema { .. } => None,
        });
        if let Some(first) = first {
            problem = problem.label(first.location.clone(), "the other one");
        }
        report(self, problem);
    }

    /// The generated page at an address.
    fn generated_route(&self, slug: &str) -> Option<&Route> {
        let route = self.routes.get(&canonical_path(slug))?;
        (!matches!(route.body, RouteBody::Page { .. })).then_some(route)
    }

    /// The slug with `-1`, `-2` … behind it while another generated page has it.
    fn unique_slug(&mut self, wanted: String) -> String {
        if self.generated_route(&wanted).is_none() {
            return wanted;
        }
        let mut number = self.suffixes.get(&wanted).copied().unwrap_or(1);
        loop {
            let slug = numbered_path(&wanted, number);
            number += 1;
            if self.generated_route(&slug).is_none() {
                self.suffixes.insert(wanted, number);
                return slug;
            }
        }
    }
}
