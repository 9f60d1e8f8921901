//! Settings that elements pass on to their children.

use std::sync::Arc;

use svc_config::{Directory, Element, ElementKind, McpRef, OpenApiRef, PageRef};
use svc_data::escape_pointer;
use svc_diagnostics::{Diagnostic, Fix};
use svc_openapi::{Operation, OperationKind, Tool};

use crate::fix::replace_string;

/// Inherited settings, and the path to the current element.
#[derive(Debug, Clone)]
pub(super) struct Context<'a> {
    /// Inherited OpenAPI documents.
    pub(super) sources: Option<&'a OpenApiRef>,
    /// Inherited tools of an MCP server.
    pub(super) mcp: Option<&'a McpRef>,
    /// Inherited listing style.
    pub(super) listing: Directory,
    /// Version label of the nearest version.
    pub(super) version: Option<&'a str>,
    /// Directory of the files of the nearest version with a `ref`; otherwise empty.
    pub(super) root: &'a str,
    /// Language code of the nearest language.
    pub(super) language: Option<&'a str>,
    /// Whether an ancestor is hidden.
    pub(super) hidden: bool,
    /// Nearest `searchable` setting.
    pub(super) searchable: Option<bool>,
    /// Nearest `public` setting.
    pub(super) public: Option<bool>,
    /// Nearest `boost` setting.
    pub(super) boost: Option<f64>,
    /// Ids of the ancestors.
    pub(super) ids: Arc<[usize]>,
    /// Printed form of the ancestors.
    pub(super) trail: Arc<[Arc<str>]>,
    /// Id of the innermost division.
    pub(super) division: Option<usize>,
    /// Whether the innermost element is a group.
    pub(super) in_group: bool,
    /// JSON pointer of the innermost element in the configuration.
    pub(super) pointer: String,
}

/// Origin of a navigation entry, for its diagnostics.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin<'a> {
    /// An entry of `pages`.
    Entry(&'a PageRef),
    /// The root page of a group.
    Root(&'a PageRef),
    /// An operation of a document that is listed as a whole.
    Operation(&'a Operation),
    /// A tool of a list that is listed as a whole.
    Tool(&'a Tool),
}

impl Origin<'_> {
    /// Returns the fix that replaces a part of an entry of the configuration.
    pub(super) fn replacement(self, old: &str, new: &str) -> Option<Fix> {
        let (Self::Entry(page) | Self::Root(page)) = self else {
            return None;
        };
        let replaced = page.path.replacen(old, new, 1);
        let is_part = !old.is_empty() && page.path.contains(old);
        replace_string(&page.location, &page.path, &replaced).filter(|_| is_part)
    }

    /// Adds the location to a diagnostic; `cx` is the context of the entry.
    pub(super) fn locate(self, cx: &Context<'_>, problem: Diagnostic) -> Diagnostic {
        match self {
            Self::Entry(page) => problem
                .at(page.location.clone())
                .pointer(format!("{}/pages/{}", cx.pointer, page.index)),
            Self::Root(page) => problem
                .at(page.location.clone())
                .pointer(format!("{}/root", cx.pointer)),
            Self::Operation(operation) => problem
                .at(operation.location.clone())
                .pointer(operation_pointer(operation)),
            Self::Tool(tool) => problem
                .at(tool.location.clone())
                .pointer(tool.source.pointer()),
        }
    }
}

/// Returns the JSON pointer of an operation in its document.
pub(super) fn operation_pointer(operation: &Operation) -> String {
    let part = match operation.kind {
        OperationKind::Path => "paths",
        OperationKind::Webhook => "webhooks",
    };
    let (path, method) = (escape_pointer(&operation.path), &operation.method);
    format!("/{part}/{path}/{method}")
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self {
            sources: None,
            mcp: None,
            listing: Directory::None,
            version: None,
            root: "",
            language: None,
            hidden: false,
            searchable: None,
            public: None,
            boost: None,
            ids: Arc::default(),
            trail: Arc::default(),
            division: None,
            in_group: false,
            pointer: "/navigation".to_owned(),
        }
    }
}

impl<'a> Context<'a> {
    /// Returns a path without the directory of the version.
    pub(super) fn relative<'p>(&self, path: &'p str) -> &'p str {
        let rest = path
            .strip_prefix(self.root)
            .filter(|_| !self.root.is_empty());
        rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }

    /// Returns a path below the directory of the version.
    pub(super) fn below_root(&self, path: String) -> String {
        match self.root {
            "" => path,
            root => format!("{root}/{path}"),
        }
    }

    /// Returns the pointer of an element in the array `key`.
    pub(super) fn pointer_to(&self, key: &str, element: &Element) -> String {
        format!("{}/{key}/{}", self.pointer, element.index)
    }

    /// Returns the context for the children of an element in the array `key`.
    pub(super) fn enter(&self, element: &'a Element, key: &str, id: usize) -> Self {
        let mut cx = self.enter_named(element.kind, &element.name, id);
        cx.pointer = self.pointer_to(key, element);
        // An element with documents or tools of its own inherits neither.
        // Neither does a version with files of its own.
        if element.openapi.is_some() || element.mcp.is_some() || element.mount.is_some() {
            cx.sources = element.openapi.as_ref();
            cx.mcp = element.mcp.as_ref();
        }
        cx.listing = element.directory.unwrap_or(self.listing);
        cx.version = element.version.as_deref().or(self.version);
        cx.root = element.mount.as_deref().unwrap_or(self.root);
        match element.kind {
            ElementKind::Version => cx.version = Some(&element.name),
            ElementKind::Language => cx.language = Some(&element.name),
            _ => {}
        }
        cx.hidden = self.hidden || element.hidden == Some(true);
        cx.searchable = element.searchable.or(self.searchable);
        cx.public = element.public.or(self.public);
        cx.boost = element.boost.or(self.boost);
        cx
    }

    /// Returns the context for the children of an element that has only a name.
    pub(super) fn enter_named(&self, kind: ElementKind, name: &str, id: usize) -> Self {
        let mut cx = self.clone();
        let label: Arc<str> = format!("{}:{name}", kind.as_str()).into();
        cx.ids = self.ids.iter().copied().chain([id]).collect();
        cx.trail = self.trail.iter().cloned().chain([label]).collect();
        cx.in_group = kind == ElementKind::Group;
        if !cx.in_group {
            cx.division = Some(id);
        }
        cx
    }
}
