//! What elements hand down to what is inside them.

use std::sync::Arc;

use svc_config::{Directory, Element, ElementKind, OpenApiRef};

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
    pub(super) ids: Vec<usize>,
    /// Their printed form.
    pub(super) words: Vec<Arc<str>>,
    /// The innermost division.
    pub(super) division: Option<usize>,
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
            ids: Vec::new(),
            words: Vec::new(),
            division: None,
        }
    }
}

impl<'a> Context<'a> {
    /// The context inside an element.
    pub(super) fn inside(&self, element: &'a Element, id: usize) -> Self {
        let mut cx = self.named(element.kind, &element.name, id);
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
    pub(super) fn named(&self, kind: ElementKind, name: &str, id: usize) -> Self {
        let mut cx = self.clone();
        cx.ids.push(id);
        cx.words.push(format!("{}:{name}", kind.word()).into());
        if kind != ElementKind::Group {
            cx.division = Some(id);
        }
        cx
    }
}
