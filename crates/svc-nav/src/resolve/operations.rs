//! Finding operations in constant time: navigations name thousands of them.

use std::collections::HashMap;

use svc_config::OpenApiRef;
use svc_openapi::{ApiCatalog, EntryRef, Operation, OperationKind, parse_entry};

use crate::OperationRef;

/// An operation and its document.
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
type Key<'a> = (&'a str, &'a str);

#[derive(Debug, Default)]
struct Table<'a> {
    exact: HashMap<Key<'a>, &'a Operation>,
    /// The same with paths without slash at the end.
    loose: HashMap<Key<'a>, &'a Operation>,
}

pub(super) struct Operations<'a> {
    catalog: &'a ApiCatalog,
    tables: Vec<Table<'a>>,
    /// Where a document lies, by every name that was asked for.
    documents: HashMap<String, Option<usize>>,
    /// First document that has an operation.
    anywhere: HashMap<Key<'a>, usize>,
    anywhere_loose: HashMap<Key<'a>, usize>,
    /// Made for the first suggestion.
    names: Option<Vec<String>>,
}

fn loose(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() { path } else { trimmed }
}

fn key<'k>(kind: OperationKind, method: &'k str, path: &'k str) -> Key<'k> {
    match kind {
        OperationKind::Path => (method, path),
        OperationKind::Webhook => ("", path),
    }
}

impl<'a> Operations<'a> {
    pub(super) fn new(catalog: &'a ApiCatalog) -> Self {
        let mut all = Self {
            catalog,
            tables: Vec::new(),
            documents: HashMap::new(),
            anywhere: HashMap::new(),
            anywhere_loose: HashMap::new(),
            names: None,
        };
        for (at, document) in catalog.documents.iter().enumerate() {
            let mut table = Table::default();
            for operation in document.operations.iter().chain(&document.webhooks) {
                let exact = key(operation.kind, &operation.method, &operation.path);
                let loose = (exact.0, loose(exact.1));
                table.exact.entry(exact).or_insert(operation);
                table.loose.entry(loose).or_insert(operation);
                all.anywhere.entry(exact).or_insert(at);
                all.anywhere_loose.entry(loose).or_insert(at);
            }
            all.tables.push(table);
        }
        all
    }

    /// The position of a document by any of its names.
    pub(super) fn document(&mut self, spec: &str) -> Option<usize> {
        if let Some(known) = self.documents.get(spec) {
            return *known;
        }
        let found = self.catalog.position(spec);
        self.documents.insert(spec.to_owned(), found);
        found
    }

    fn within(&self, document: usize, entry: &EntryRef) -> Option<Hit<'a>> {
        let table = self.tables.get(document)?;
        let (method, path) = key(entry.kind, &entry.method, &entry.path);
        let operation = table
            .exact
            .get(&(method, path))
            .or_else(|| table.loose.get(&(method, loose(path))))?;
        Some(Hit {
            document,
            operation,
        })
    }

    /// The operation of an entry: in the document it names, else in those of the element, else in
    /// the first one that has it.
    pub(super) fn find(
        &mut self,
        entry: &EntryRef,
        sources: Option<&OpenApiRef>,
    ) -> Option<Hit<'a>> {
        if let Some(spec) = &entry.spec {
            let document = self.document(spec)?;
            return self.within(document, entry);
        }
        for source in sources.map_or(&[][..], |sources| &sources.sources) {
            let document = self.document(source);
            if let Some(hit) = document.and_then(|document| self.within(document, entry)) {
                return Some(hit);
            }
        }
        let (method, path) = key(entry.kind, &entry.method, &entry.path);
        let first = self
            .anywhere
            .get(&(method, path))
            .or_else(|| self.anywhere_loose.get(&(method, loose(path))))?;
        self.within(*first, entry)
    }

    /// What the `openapi` field of a page names.
    pub(super) fn of_page(&mut self, text: &str, sources: Option<&OpenApiRef>) -> Option<Hit<'a>> {
        self.find(&parse_entry(text)?, sources)
    }

    /// What the `openapi-schema` field of a page names: `Name` or `spec Name`.
    pub(super) fn schema_of_page(
        &mut self,
        text: &str,
        sources: Option<&OpenApiRef>,
    ) -> Option<OperationRef> {
        let mut words = text.split_whitespace();
        let (spec, name) = match (words.next()?, words.next()) {
            (name, None) => (None, name),
            (spec, Some(name)) => (Some(spec), name),
        };
        let mut candidates = Vec::new();
        match (spec, sources) {
            (Some(spec), _) => candidates.extend(self.document(spec)),
            (None, sources) => {
                for source in sources.map_or(&[][..], |sources| &sources.sources) {
                    candidates.extend(self.document(source));
                }
                candidates.extend(0..self.catalog.documents.len());
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

    /// Operations as entries name them, for suggestions: a bounded number.
    pub(super) fn names(&mut self) -> impl Iterator<Item = &str> {
        let catalog = self.catalog;
        let names = self.names.get_or_insert_with(|| {
            let operations = catalog.documents.iter().flat_map(|one| &one.operations);
            operations
                .filter(|operation| !operation.hidden)
                .take(2000)
                .map(|one| format!("{} {}", one.method.to_ascii_uppercase(), one.path))
                .collect()
        });
        names.iter().map(String::as_str)
    }
}
