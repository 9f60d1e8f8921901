//! The OpenAPI documents of a site.

use std::sync::Arc;

use crate::{ApiDocument, EntryRef, Operation, OperationKind, parse_entry};

/// The OpenAPI documents of a site, sorted by path.
///
/// # Example
///
/// ```
/// use svc_openapi::{ApiCatalog, SourceFile, parse};
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get": {}}}}"#;
/// let document = parse(&SourceFile::new("api/pets.json", text)).value.expect("it is an object");
/// let mut catalog = ApiCatalog::new(vec![document]);
/// assert_eq!(catalog.position("pets"), Some(0));
/// assert!(catalog.find("/api/pets.json").is_some() && !catalog.is_unread("pets"));
/// let entry = catalog.operation_ref("GET /pets").expect("it refers to an operation");
/// assert_eq!(catalog.lookup(&entry, None).map(|found| found.document), Some(0));
/// catalog.show_as_badges(&["x-scope".to_owned()]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ApiCatalog {
    /// The documents, sorted by path.
    pub documents: Vec<ApiDocument>,
    /// Paths of OpenAPI files that cannot be read. Their own diagnostics report the reason, so
    /// references to them are not reported.
    pub unread: Vec<String>,
}

/// An operation and the index of its document.
#[derive(Debug, Clone, Copy)]
pub struct LocatedOperation<'a> {
    /// Index in [`ApiCatalog::documents`].
    pub document: usize,
    /// The operation.
    pub operation: &'a Operation,
}

impl ApiCatalog {
    /// Creates a catalog and sorts the documents by path.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn new(mut documents: Vec<ApiDocument>) -> Self {
        documents.sort_by(|a, b| a.path.cmp(&b.path));
        Self {
            documents,
            unread: Vec::new(),
        }
    }

    /// Shows the values of these keys of schemas and parameters as badges in all documents
    /// (`api.params.post` of docs.json).
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn show_as_badges(&mut self, keys: &[String]) {
        let keys: Arc<[String]> = keys.into();
        for document in &mut self.documents {
            document.badge_keys = Arc::clone(&keys);
        }
    }

    /// Finds a document by path (with or without leading slash), URL, file name or file stem. None
    /// if there is none.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn find(&self, spec: &str) -> Option<&ApiDocument> {
        self.documents.get(self.position(spec)?)
    }

    /// The index of the document that [`Self::find`] returns.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn position(&self, spec: &str) -> Option<usize> {
        self.position_among(spec, Some)
    }

    /// Like [`Self::position`], among the documents for whose path `name` returns the name by which
    /// `spec` refers to them.
    ///
    /// ```
    /// use svc_openapi::ApiCatalog;
    /// let catalog = ApiCatalog::default();
    /// assert_eq!(catalog.position_among("pets", |path| path.strip_prefix("v1/")), None);
    /// ```
    pub fn position_among<'s>(
        &'s self,
        spec: &str,
        name: impl Fn(&'s str) -> Option<&'s str> + Clone,
    ) -> Option<usize> {
        // A list of tools has no path that a reference to an OpenAPI document could name.
        let paths = self.documents.iter().map(|document| {
            let name = name(&document.path).filter(|_| !document.is_tool_list());
            name.unwrap_or("\0")
        });
        position_of(spec, paths)
    }

    /// The index of the list of MCP tools at this path.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn tool_list(&self, path: &str) -> Option<usize> {
        let mut documents = self.documents.iter();
        documents.position(|document| document.is_tool_list() && document.path == path)
    }

    /// Whether `spec` refers to an OpenAPI file that cannot be read.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn is_unread(&self, spec: &str) -> bool {
        position_of(spec, self.unread.iter().map(String::as_str)).is_some()
    }

    /// Parses an entry, whether its operation exists or not. None if the entry is not a reference
    /// to an operation.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn operation_ref(&self, entry: &str) -> Option<EntryRef> {
        parse_entry(entry)
    }

    /// The operation of an entry: in its own document, or else in `default` (as written on the
    /// element), or else in the first document that has it.
    ///
    /// Example: [`ApiCatalog`](crate::ApiCatalog#example).
    pub fn lookup(&self, entry: &EntryRef, default: Option<&str>) -> Option<LocatedOperation<'_>> {
        let within = |at: usize| {
            let document = self.documents.get(at)?;
            let operation = match entry.kind {
                OperationKind::Path => document.operation(&entry.method, &entry.path),
                OperationKind::Webhook => document.webhook(&entry.path),
            };
            operation.map(|operation| LocatedOperation {
                document: at,
                operation,
            })
        };
        match (&entry.spec, default) {
            (Some(spec), _) => within(self.position(spec)?),
            (None, Some(spec)) => within(self.position(spec)?),
            (None, None) => (0..self.documents.len()).find_map(within),
        }
    }
}

/// The index of the path that `spec` refers to.
fn position_of<'p>(spec: &str, paths: impl Iterator<Item = &'p str> + Clone) -> Option<usize> {
    let spec = spec.trim();
    let wanted = spec.trim_start_matches("./").trim_start_matches('/');
    let by = |fits: &dyn Fn(&str) -> bool| paths.clone().position(fits);
    let name = |path: &str| path.rsplit('/').next().unwrap_or("").to_owned();
    let bare = |path: &str| without_extension(path).to_owned();
    by(&|path| path == spec || path.trim_start_matches('/') == wanted)
        .or_else(|| by(&|path| bare(path.trim_start_matches('/')) == wanted))
        .or_else(|| by(&|path| name(path) == wanted))
        .or_else(|| by(&|path| bare(&name(path)) == wanted))
}

fn without_extension(path: &str) -> &str {
    [".json", ".yaml", ".yml"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path)
}
