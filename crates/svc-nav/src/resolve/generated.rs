//! Generated pages of operations and webhooks.

use indexmap::IndexMap;
use svc_config::ElementKind;
use svc_diagnostics::Diagnostic;
use svc_openapi::{OperationKind, UNTAGGED_GROUP, file_name_form, operation_slug};
use svc_source::{FrontMatter, canonical_path, default_title, normalize};

use super::context::{Context, Origin, operation_pointer};
use super::elements::{bare, settle};
use super::operations::Hit;
use super::pages::describe;
use super::protection::asks;
use super::{Builder, MAX_NODES};
use crate::codes::{DUPLICATE_ROUTE, EMPTY_DOCUMENT};
use crate::{NavNode, NodeKind, Route, RouteBody};

/// Folder, document, method (empty for webhooks) and path.
pub(super) type Key<'a> = (&'a str, usize, &'a str, &'a str);

/// The folder of generated pages that name no other.
const FOLDER: &str = "api-reference";

/// The operations of one tag, and the tags below it.
#[derive(Debug, Default)]
struct TagGroup<'a> {
    hits: Vec<Hit<'a>>,
    /// By label, in the order of first appearance.
    inside: IndexMap<String, Self>,
}

impl TagGroup<'_> {
    /// The group below this one, made when it is new.
    fn below(&mut self, label: &str) -> &mut Self {
        self.inside.entry(label.to_owned()).or_default()
    }

    /// How many nodes it becomes; tags stand inside each other a few levels deep only.
    fn size(&self) -> usize {
        let inside = self.inside.values().map(|group| 1 + group.size());
        self.hits.len() + inside.sum::<usize>()
    }
}

impl<'a> Builder<'a> {
    /// The groups of all operations of the inherited documents, by tag, in the order of the
    /// documents. Inside a group that is not split further the pages stand directly.
    pub(super) fn whole_documents(&mut self, cx: &Context<'a>, in_group: bool) -> Vec<NavNode> {
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
                if operation.hidden {
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
                            group = group.below(document.label_of(name));
                        }
                    }
                    None => group = group.below(UNTAGGED_GROUP),
                }
                group.hits.push(hit);
            }
        }
        if self.next_id + groups.size() > MAX_NODES {
            self.next_id = MAX_NODES;
            self.is_full(&sources.location, || format!("{}/openapi", cx.pointer));
            return Vec::new();
        }
        let groups = groups.inside;
        if known && groups.is_empty() {
            let problem = Diagnostic::new(&EMPTY_DOCUMENT, "no operation to show in this section")
                .at(sources.location.clone())
                .pointer(format!("{}/openapi", cx.pointer))
                .hint("all operations are hidden, or the document has none");
            self.report(problem);
        }
        if in_group && groups.len() == 1 && groups.contains_key(UNTAGGED_GROUP) {
            let hits = groups.into_values().flat_map(|group| group.hits);
            return hits
                .map(|hit| self.operation(hit, cx, Origin::Operation(hit.operation)))
                .collect();
        }
        groups
            .into_iter()
            .map(|(label, group)| self.tag_group(&label, group, cx))
            .collect()
    }

    /// The group of a tag: its pages, then the groups of the tags below it.
    fn tag_group(&mut self, label: &str, group: TagGroup<'a>, cx: &Context<'a>) -> NavNode {
        let id = self.id();
        let inside = cx.named(ElementKind::Group, label, id);
        let kind = NodeKind::Element(ElementKind::Group);
        let mut node = bare(id, kind, label, cx.hidden);
        for hit in group.hits {
            let page = self.operation(hit, &inside, Origin::Operation(hit.operation));
            node.children.push(page);
        }
        for (label, group) in group.inside {
            let below = self.tag_group(&label, group, &inside);
            node.children.push(below);
        }
        node.end = self.next_id;
        settle(&mut node);
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
                read.value
            }
            _ => FrontMatter::default(),
        };
        // Everything may be overridden but what the page documents.
        metadata.openapi = None;
        if !operation.groups.is_empty() {
            metadata.groups = Some(operation.groups.clone());
        }
        let summary = operation
            .summary
            .as_ref()
            .filter(|_| operation.kind == OperationKind::Path);
        let title = metadata.title.clone().or_else(|| summary.cloned());
        let path = canonical_path(&slug);
        let mut route = Route::blank(
            path,
            &slug,
            RouteBody::Generated,
            title.unwrap_or_else(|| default_title(&slug)),
        );
        route.operation = Some(hit.reference());
        let method = match operation.kind {
            OperationKind::Path => operation.method.as_str(),
            OperationKind::Webhook => "webhook",
        };
        let spec = match document {
            Some(document) if document.is_hosted() => document.path.clone(),
            Some(document) => format!("/{}", document.path.trim_start_matches('/')),
            None => "/".to_owned(),
        };
        route.openapi = Some(format!("{spec} {method} {}", operation.path));
        describe(&mut route, &metadata, Some(operation));
        self.place(&mut route, &metadata, Some(cx));
        route.protected |= operation.protected;
        // A page file at the same address is what the author wants to be shown there.
        if let Some(file) = self.pages.get_exact(&slug) {
            route.body = RouteBody::Page {
                slug: file.slug.clone(),
            };
            route.protected |= asks(&file.front_matter, Some(cx), self.config.is_protected());
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
            .unwrap_or(FOLDER);
        let method = match operation.kind {
            OperationKind::Path => operation.method.as_str(),
            OperationKind::Webhook => "",
        };
        let key: Key<'a> = (folder, hit.document, method, operation.path.as_str());
        if let Some(known) = self.generated.get(&key) {
            return known.clone();
        }
        let wanted = match &operation.href {
            Some(href) => normalize(href).trim_end_matches('/').to_owned(),
            None => {
                let tag = document.and_then(|document| document.tag_of(operation));
                let tag = tag.map(file_name_form).unwrap_or_default();
                normalize(&format!("{folder}/{tag}/{}", operation_slug(operation))).to_lowercase()
            }
        };
        let wanted = if wanted.is_empty() {
            "index".to_owned()
        } else {
            wanted
        };
        let slug = self.free(wanted);
        self.generated.insert(key, slug.clone());
        slug
    }

    /// The slug with `-1`, `-2` … behind it while another generated page has it.
    fn free(&mut self, wanted: String) -> String {
        let taken = |builder: &Self, slug: &str| {
            let route = builder.routes.get(&canonical_path(slug));
            route.is_some_and(|route| !matches!(route.body, RouteBody::Page { .. }))
        };
        if !taken(self, &wanted) {
            return wanted;
        }
        let mut number = self.suffixes.get(&wanted).copied().unwrap_or(1);
        loop {
            let slug = format!("{wanted}-{number}");
            number += 1;
            if !taken(self, &slug) {
                self.suffixes.insert(wanted, number);
                return slug;
            }
        }
    }
}
