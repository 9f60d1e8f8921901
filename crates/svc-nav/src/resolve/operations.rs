//! Lookup of operations in constant time, because navigations contain thousands of them.

use std::borrow::Cow;
use std::collections::HashMap;

use svc_config::{OpenApiRef, remote_url};
use svc_diagnostics::Diagnostic;
use svc_openapi::{ApiCatalog, EntryRef, Operation, OperationKind};
use svc_source::{Mounts, normalize};

use crate::OperationRef;
use crate::codes::{DOCUMENT_NAME, MISSING_DOCUMENT, OPERATION_PATH, SEVERAL_OPERATIONS};

/// An operation and the index of its document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit<'a> {
    pub(super) document: usize,
    pub(super) operation: &'a Operation,
}

impl Hit<'_> {
    pub(super) fn reference(&self) -> OperationRef {
        match self.operation.kind {
            OperationKind::Path => OperationRef::Operation {
                document: self.document,
                method: self.operation.method.clone(),
                path: self.operation.path.clone(),
            },
            OperationKind::Webhook => OperationRef::Webhook {
                document: self.document,
                name: self.operation.path.clone(),
            },
        }
    }
}

/// Method (empty for a webhook) and path or name.
type OperationKey<'a> = (&'a str, &'a str);

#[derive(Debug, Default)]
struct OperationTable<'a> {
    exact: HashMap<OperationKey<'a>, &'a Operation>,
    /// Operations by paths without trailing slash.
    normalized: HashMap<OperationKey<'a>, &'a Operation>,
}

/// Result of the lookup of an operation.
#[derive(Debug, Default)]
pub(super) struct OperationLookup<'a> {
    pub(super) hit: Option<Hit<'a>>,
    /// Remarks on how the operation was resolved, without location.
    pub(super) remarks: Vec<Diagnostic>,
    /// Whether the remarks explain why there is no hit.
    pub(super) explained: bool,
}

/// Maximum number of documents that a message lists.
const MAX_LISTED_DOCUMENTS: usize = 3;

pub(super) struct Operations<'a> {
    catalog: &'a ApiCatalog,
    /// Entries of a version with files of its own refer to its documents.
    mounts: &'a Mounts,
    tables: Vec<OperationTable<'a>>,
    /// Index of a document by every name that was looked up.
    documents: HashMap<String, Option<usize>>,
    /// Indexes of the documents that have an operation.
    owners: HashMap<OperationKey<'a>, Vec<usize>>,
    normalized_owners: HashMap<OperationKey<'a>, Vec<usize>>,
    /// Built for the first suggestion.
    names: Option<Vec<String>>,
}

fn trim_slash(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() { path } else { trimmed }
}

fn key<'k>(kind: OperationKind, method: &'k str, path: &'k str) -> OperationKey<'k> {
    match kind {
        OperationKind::Path => (method, path),
        OperationKind::Webhook => ("", path),
    }
}

/// Returns the name of an operation as in the navigation.
fn name(method: &str, path: &str) -> String {
    match method {
        "" | "webhook" => format!("webhook {path}"),
        method => format!("{} {path}", method.to_ascii_uppercase()),
    }
}

impl<'a> Operations<'a> {
    pub(super) fn new(catalog: &'a ApiCatalog, mounts: &'a Mounts) -> Self {
        let mut all = Self {
            catalog,
            mounts,
            tables: Vec::new(),
            documents: HashMap::new(),
            owners: HashMap::new(),
            normalized_owners: HashMap::new(),
            names: None,
        };
        let add = |map: &mut HashMap<OperationKey<'a>, Vec<usize>>, key, at| {
            let indexes: &mut Vec<usize> = map.entry(key).or_default();
            if indexes.last() != Some(&at) {
                indexes.push(at);
            }
        };
        for (at, document) in catalog.documents.iter().enumerate() {
            let mut table = OperationTable::default();
            for operation in document.operations.iter().chain(&document.webhooks) {
                let exact = key(operation.kind, &operation.method, &operation.path);
                let loose = (exact.0, trim_slash(exact.1));
                table.exact.entry(exact).or_insert(operation);
                table.normalized.entry(loose).or_insert(operation);
                add(&mut all.owners, exact, at);
                add(&mut all.normalized_owners, loose, at);
            }
            all.tables.push(table);
        }
        all
    }

    /// Returns the index of a document by any of its names.
    pub(super) fn document(&mut self, spec: &str) -> Option<usize> {
        if let Some(index) = self.documents.get(spec) {
            return *index;
        }
        let path = spec.trim_start_matches("./").trim_start_matches('/');
        let root = self.mounts.root_of(path);
        let relative = match root {
            "" => spec,
            _ => self.mounts.relative(path),
        };
        let mounts = self.mounts;
        let name = |path| (mounts.root_of(path) == root).then(|| mounts.relative(path));
        let index = self.catalog.position_among(relative, name);
        self.documents.insert(spec.to_owned(), index);
        index
    }

    /// Returns the name of a document that is written in a version with files below `root`.
    pub(super) fn below_root<'s>(&self, spec: &'s str, root: &str) -> Cow<'s, str> {
        let path = spec.trim_start_matches("./").trim_start_matches('/');
        let is_below = root.is_empty() || self.mounts.root_of(path) == root;
        match is_below || remote_url(spec).is_some() {
            true => Cow::Borrowed(spec),
            false => Cow::Owned(format!("/{root}/{path}")),
        }
    }

    /// Whether a version with files below `root` shows the document.
    fn is_in(&self, document: usize, root: &str) -> bool {
        let path = self.path_of(document);
        self.mounts.root_of(path) == root || remote_url(path).is_some()
    }

    /// Returns the index of the document at this path.
    fn at_path(&mut self, path: &str) -> Option<usize> {
        let index = self.document(path)?;
        let document = self.catalog.documents.get(index)?;
        (document.path.trim_start_matches('/') == path.trim_start_matches('/')).then_some(index)
    }

    fn in_document(&self, document: usize, entry: &EntryRef) -> Option<Hit<'a>> {
        let table = self.tables.get(document)?;
        let (method, path) = key(entry.kind, &entry.method, &entry.path);
        let operation = table
            .exact
            .get(&(method, path))
            .or_else(|| table.normalized.get(&(method, trim_slash(path))))?;
        Some(Hit {
            document,
            operation,
        })
    }

    /// Returns the indexes of all documents below `root` that have the operation of an entry, in
    /// order.
    fn documents_with(&self, entry: &EntryRef, root: &str) -> Vec<usize> {
        let (method, path) = key(entry.kind, &entry.method, &entry.path);
        let exact = self.owners.get(&(method, path));
        let all = exact.or_else(|| self.normalized_owners.get(&(method, trim_slash(path))));
        let all = all.map_or(&[][..], Vec::as_slice).iter().copied();
        all.filter(|document| self.is_in(*document, root)).collect()
    }

    fn path_of(&self, document: usize) -> &'a str {
        let document = self.catalog.documents.get(document);
        document.map_or("", |document| document.path.trim_start_matches('/'))
    }

    fn join_paths(&self, documents: &[usize]) -> String {
        let names = documents.iter().take(MAX_LISTED_DOCUMENTS);
        let names: Vec<String> = names.map(|at| format!("`{}`", self.path_of(*at))).collect();
        match documents.len().saturating_sub(MAX_LISTED_DOCUMENTS) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// Finds the operation of an entry: in the document it names, otherwise in those of the
    /// element, otherwise in the only document that has it. `dir` is the directory of the page
    /// with the entry, and `root` that of the version.
    pub(super) fn find(
        &mut self,
        entry: &EntryRef,
        sources: Option<&OpenApiRef>,
        dir: Option<&str>,
        root: &str,
    ) -> OperationLookup<'a> {
        let mut lookup = match &entry.spec {
            Some(spec) => self.in_named(spec, entry, dir, root),
            None => self.in_sources(entry, sources, root),
        };
        if let Some(hit) = lookup.hit
            && hit.operation.path != entry.path
        {
            let (written, exact) = (
                name(&entry.method, &entry.path),
                name(&entry.method, &hit.operation.path),
            );
            let message = format!(
                "`{written}` is `{exact}` in `{}`",
                self.path_of(hit.document)
            );
            let remark = Diagnostic::new(&OPERATION_PATH, message);
            lookup
                .remarks
                .push(remark.hint(format!("did you mean `{exact}`?")));
        }
        lookup
    }

    fn in_named(
        &mut self,
        written: &str,
        entry: &EntryRef,
        dir: Option<&str>,
        root: &str,
    ) -> OperationLookup<'a> {
        let spec = &*self.below_root(written, root);
        // A remote document has only one name.
        let exact = match remote_url(spec) {
            Some(url) => self.document(url).or_else(|| self.document(spec)),
            None => self.at_path(spec.trim_start_matches("./")),
        };
        if let Some(document) = exact {
            return OperationLookup {
                hit: self.in_document(document, entry),
                ..OperationLookup::default()
            };
        }
        if remote_url(spec).is_some() {
            return OperationLookup::default();
        }
        let relative = dir.filter(|_| !written.starts_with('/'));
        let relative = relative.map(|dir| normalize(&format!("{dir}/{written}")));
        let from_root = normalize(spec);
        let near = relative.and_then(|path| self.at_path(&path));
        let near = near
            .or_else(|| self.at_path(&from_root))
            .or_else(|| self.document(spec));
        let hit = near.and_then(|document| self.in_document(document, entry));
        let all = self.documents_with(entry, root);
        let hit = match (hit, all.as_slice()) {
            (None, [only]) => self.in_document(*only, entry),
            (hit, _) => hit,
        };
        let Some(hit) = hit else {
            // The missing document of a navigation entry is reported separately.
            if all.len() < 2 || dir.is_none() {
                return OperationLookup::default();
            }
            let subject = name(&entry.method, &entry.path);
            let message = format!("no document is named `{spec}`, and several contain `{subject}`");
            let hint = format!("name one of {}", self.join_paths(&all));
            return OperationLookup {
                hit: None,
                remarks: vec![Diagnostic::new(&MISSING_DOCUMENT, message).hint(hint)],
                explained: true,
            };
        };
        let path = self.path_of(hit.document);
        let message = format!("`{spec}` is resolved to the document `{path}`");
        let remark = Diagnostic::new(&DOCUMENT_NAME, message).hint(format!("write `/{path}`"));
        OperationLookup {
            hit: Some(hit),
            remarks: vec![remark],
            explained: false,
        }
    }

    fn in_sources(
        &mut self,
        entry: &EntryRef,
        sources: Option<&OpenApiRef>,
        root: &str,
    ) -> OperationLookup<'a> {
        let mut having = Vec::new();
        for source in sources.map_or(&[][..], |sources| &sources.sources) {
            let document = self.document(source);
            let has = |document: &usize| self.in_document(*document, entry).is_some();
            having.extend(document.filter(has));
        }
        if having.is_empty() {
            having = self.documents_with(entry, root);
        }
        having.dedup();
        let hit = having
            .first()
            .and_then(|first| self.in_document(*first, entry));
        let mut remarks = Vec::new();
        if let [first, _, ..] = having.as_slice() {
            let subject = name(&entry.method, &entry.path);
            let message = format!("`{subject}` is in {}", self.join_paths(&having));
            let path = self.path_of(*first);
            let remark = Diagnostic::new(&SEVERAL_OPERATIONS, message);
            remarks.push(remark.hint(format!(
                "name the document: until then `/{path} {subject}` is shown"
            )));
        }
        OperationLookup {
            hit,
            remarks,
            explained: false,
        }
    }

    /// Returns the schema that the `openapi-schema` field of a page names: `Name` or `spec Name`.
    pub(super) fn schema_of_page(
        &mut self,
        text: &str,
        sources: Option<&OpenApiRef>,
        root: &str,
    ) -> Option<OperationRef> {
        let mut tokens = text.split_whitespace();
        let (spec, name) = match (tokens.next()?, tokens.next()) {
            (name, None) => (None, name),
            (spec, Some(name)) => (Some(spec), name),
        };
        let mut candidates = Vec::new();
        match (spec, sources) {
            (Some(spec), _) => {
                let spec = self.below_root(spec, root);
                candidates.extend(self.document(&spec));
            }
            (None, sources) => {
                for source in sources.map_or(&[][..], |sources| &sources.sources) {
                    candidates.extend(self.document(source));
                }
                let all = 0..self.catalog.documents.len();
                candidates.extend(all.filter(|document| self.is_in(*document, root)));
            }
        }
        let document = candidates.into_iter().find(|at| {
            let document = self.catalog.documents.get(*at);
            document.is_some_and(|document| document.schema_node(name).is_some())
        })?;
        Some(OperationRef::Schema {
            document,
            name: name.to_owned(),
        })
    }

    /// Returns a bounded number of operations as entries name them, for suggestions.
    pub(super) fn names(&mut self) -> impl Iterator<Item = &str> {
        let catalog = self.catalog;
        let names = self.names.get_or_insert_with(|| {
            let operations = catalog.documents.iter().flat_map(|item| &item.operations);
            operations
                .filter(|operation| !operation.hidden)
                .take(2000)
                .map(|item| format!("{} {}", item.method.to_ascii_uppercase(), item.path))
                .collect()
        });
        names.iter().map(String::as_str)
    }
}
