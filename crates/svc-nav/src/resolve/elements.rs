//! Conversion of elements to nodes.

use svc_config::{Children, Element, ElementKind, OpenApiRef, PageEntry, remote_url};
use svc_diagnostics::{Diagnostic, Location, did_you_mean, is_typing_error};
use svc_source::normalize;

use super::context::Context;
use super::nodes::{finalize, node_of};
use super::{Builder, MAX_DEPTH};
use crate::codes::{GENERATED_PATH, MISSING_DOCUMENT, TOO_DEEP};
use crate::fix::replace_string;
use crate::{NavEntry, NavNode};

/// Result of the lookup of a document that an entry or a page refers to.
pub(super) enum DocumentLookup {
    /// The document exists, or no document is named.
    Present,
    /// The document does not exist, and the reason is reported elsewhere.
    Reported,
    /// The document does not exist, which the caller reports.
    Missing(Diagnostic),
}

impl<'a> Builder<'a> {
    /// Returns the nodes of the children of an element, in reading order.
    pub(super) fn children(&mut self, children: &'a Children, cx: &Context<'a>) -> Vec<NavNode> {
        match children {
            Children::None => Vec::new(),
            Children::Pages(entries) => entries
                .iter()
                .filter_map(|entry| match entry {
                    PageEntry::Page(page) => self.entry(page, cx),
                    PageEntry::Group(group) => self.element(group, "pages", cx, false),
                })
                .collect(),
            Children::Elements(kind, elements) => {
                // The default version or language comes first, as its pages do.
                let ordered = matches!(kind, ElementKind::Version | ElementKind::Language);
                let default = elements
                    .iter()
                    .position(|item| ordered && item.default)
                    .unwrap_or(0);
                let order = elements.get(default).into_iter().chain(
                    elements
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| *at != default)
                        .map(|(_, e)| e),
                );
                order
                    .enumerate()
                    .filter_map(|(at, element)| {
                        self.element(element, kind.array_key(), cx, ordered && at == 0)
                    })
                    .collect()
            }
        }
    }

    /// Reports a directory that generated pages cannot have.
    pub(super) fn check_directory(&mut self, dir: Option<&str>, location: &Location) {
        if let Some(dir) = dir
            && let valid_dir = svc_openapi::page_path(dir).to_lowercase()
            && valid_dir != normalize(dir).trim_end_matches('/').to_lowercase()
        {
            let message = format!("pages cannot be in `{dir}`; they are in `/{valid_dir}`");
            let problem = Diagnostic::new(&GENERATED_PATH, message)
                .at(location.clone())
                .hint("use letters, digits, `-`, `.`, `_` and `~` in `directory`");
            self.report(problem);
        }
    }

    /// Reports the documents of an element that do not exist.
    pub(super) fn check_documents(&mut self, openapi: &OpenApiRef) {
        self.check_directory(openapi.directory.as_deref(), &openapi.location);
        for (source, (location, pointer)) in openapi.sources.iter().zip(&openapi.locations) {
            // Missing remote documents are reported when they are fetched, and unreadable files
            // when they are read.
            if self.operations.document(source).is_none()
                && remote_url(source).is_none()
                && !self.catalog.is_unread(source)
            {
                self.missing.insert(source.clone());
                let near = self.similar_document(source);
                let near = near.filter(|near| is_typing_error(source, near));
                let fix = near.and_then(|near| replace_string(location, source, near));
                let problem = self
                    .missing_document(source)
                    .fix(fix)
                    .at(location.clone())
                    .pointer(pointer.clone());
                self.report(problem);
            }
        }
    }

    /// Returns true if one of these documents does not exist, so that its operations are unknown.
    /// The reason is reported once, where the document is named or in the file itself.
    pub(super) fn lacks_document(&mut self, openapi: Option<&OpenApiRef>) -> bool {
        match openapi {
            Some(openapi) => {
                let mut sources = openapi.sources.iter();
                sources.any(|source| self.operations.document(source).is_none())
            }
            // Without `openapi` all documents are searched.
            None => !self.catalog.unread.is_empty(),
        }
    }

    /// Looks up the document that an entry or a page names.
    pub(super) fn lookup_document(&mut self, spec: Option<&str>) -> DocumentLookup {
        let Some(spec) = spec.filter(|spec| self.operations.document(spec).is_none()) else {
            return DocumentLookup::Present;
        };
        let is_reported = remote_url(spec).is_some()
            || self.catalog.is_unread(spec)
            || !self.missing.insert(spec.to_owned());
        match is_reported {
            true => DocumentLookup::Reported,
            false => DocumentLookup::Missing(self.missing_document(spec)),
        }
    }

    /// Returns the diagnostic for a document that does not exist, without its location.
    pub(super) fn missing_document(&self, source: &str) -> Diagnostic {
        let hint = self.similar_document(source).map_or_else(
            || "write the path of a document relative to the root of the repository".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Diagnostic::new(&MISSING_DOCUMENT, format!("no OpenAPI document `{source}`")).hint(hint)
    }

    fn similar_document(&self, source: &str) -> Option<&'a str> {
        let paths = self.catalog.documents.iter().map(|entry| &*entry.path);
        let relative = source.trim_start_matches(['.', '/']);
        did_you_mean(relative, paths.take(200))
    }

    fn element(
        &mut self,
        element: &'a Element,
        key: &str,
        cx: &Context<'a>,
        default: bool,
    ) -> Option<NavNode> {
        if self.is_full(&element.location, || cx.pointer_to(key, element)) {
            return None;
        }
        if cx.ids.len() >= MAX_DEPTH {
            let message = format!(
                "`{}` is nested more than {MAX_DEPTH} levels deep",
                element.name
            );
            let problem = Diagnostic::new(&TOO_DEEP, message)
                .at(element.location.clone())
                .pointer(cx.pointer_to(key, element))
                .hint("use fewer levels");
            self.report(problem);
            return None;
        }
        let id = self.id();
        let inside = cx.enter(element, key, id);
        if let Some(openapi) = &element.openapi {
            self.check_documents(openapi);
        }
        if let Some(mcp) = &element.mcp {
            self.check_tools(mcp, &inside);
        }
        let mut node = node_of(element, id, &inside);
        let sources = inside.sources.map_or(&[][..], |openapi| &openapi.sources);
        node.documents.extend(
            sources
                .iter()
                .filter_map(|source| self.operations.document(source)),
        );
        node.default = default;
        // Top-level groups cannot be collapsed.
        node.expanded |= element.kind == ElementKind::Group && !cx.in_group;
        if let Some(href) = &node.href {
            self.entries.push(NavEntry {
                trail: inside.trail,
                href: None,
                title: None,
                sidebar_title: None,
                openapi: None,
                root: false,
                link: Some(href.clone()),
            });
            node.end = self.next_id;
            return Some(node);
        }
        if let Some(root) = &element.root {
            node.route = self.root_page(root, &inside, id);
        }
        let inherits = element.kind != ElementKind::Group && element.root.is_none();
        let own = element.openapi.is_some() || element.mcp.is_some();
        node.children = match &element.children {
            Children::None if own || inherits => {
                let mut children = self.whole_documents(&inside);
                children.extend(self.whole_tool_list(&inside));
                children
            }
            children => self.children(children, &inside),
        };
        node.end = self.next_id;
        finalize(&mut node);
        Some(node)
    }
}
