//! What elements hand down to what is inside them.

use std::sync::Arc;

use svc_config::{Directory, Element, ElementKind, OpenApiRef, PageRef};
use svc_data::escape_pointer;
use svc_diagnostics::Diagnostic;
use svc_openapi::{Operation, OperationKind};

/// Inherited settings and the way down to here.
#[derive(Debug, Clone)]
pub(super) struct Context<'a> {
    /// OpenAPI documents.
    pub(super) sources: Option<&'a OpenApiRef>,
    /// Listing style.
    pub(super) listing: Directory,
    /// Version label.
    pub(super) version: Option<&'a str>,
    /// Language code.
    pub(super) language: Option<&'a str>,
    /// Whether something around is hidden.
    pub(super) hidden: bool,
    /// The nearest `searchable`.
    pub(super) searchable: Option<bool>,
    /// The nearest `public`.
    pub(super) public: Option<bool>,
    /// The nearest `boost`.
    pub(super) boost: Option<f64>,
    /// Ids of the elements around.
    pub(super) ids: Arc<[usize]>,
    /// Their printed form.
    pub(super) trail: Arc<[Arc<str>]>,
    /// The innermost division.
    pub(super) division: Option<usize>,
    /// Whether the innermost element is a group.
    pub(super) in_group: bool,
    /// JSON pointer of the innermost element that is written.
    pub(super) pointer: String,
}

/// What made an entry of the navigation, for its problems.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin<'a> {
    /// An entry of `pages`.
    Entry(&'a PageRef),
    /// The root page of a group.
    Root(&'a PageRef),
    /// An operation of a document that is shown as a whole.
    Operation(&'a Operation),
}

impl Origin<'_> {
    /// The problem with its place; `cx` is the context around the entry.
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
        }
    }
}

/// Where an operation stands in its document.
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
            listing: Directory::None,
            version: None,
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
    /// The pointer of an element that stands in an array `key`.
    pub(super) fn pointer_to(&self, key: &str, element: &Element) -> String {
        format!("{}/{key}/{}", self.pointer, element.index)
    }

    /// The context inside an element that stands in an array `key`.
    pub(super) fn enter(&self, element: &'a Element, key: &str, id: usize) -> Self {
        let mut cx = self.enter_named(element.kind, &element.name, id);
        cx.pointer = self.pointer_to(key, element);
        cx.sources = element.openapi.as_ref().or(self.sources);
        cx.listing = element.directory.unwrap_or(self.listing);
        cx.version = element.version.as_deref().or(self.version);
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

    /// The context inside something that only has a name.
    pub(super) fn enter_named(&self, kind: ElementKind, name: &str, id: usize) -> Self {
        let mut cx = self.clone();
        let word: Arc<str> = format!("{}:{name}", kind.as_str()).into();
        cx.ids = self.ids.iter().copied().chain([id]).collect();
        cx.trail = self.trail.iter().cloned().chain([word]).collect();
        cx.in_group = kind == ElementKind::Group;
        if !cx.in_group {
            cx.division = Some(id);
        }
        cx
    }
}
