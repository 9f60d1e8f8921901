//! What changed between two versions of a document, and whether it breaks those who use it.
//!
//! [`diff`] matches operations by method and path (names of path parameters do not matter) and
//! compares what goes over the wire: parameters, bodies, responses, security, servers. Schemas are
//! compared as what they let through: in a request it breaks callers when less is let through, in
//! a response when more is. Texts, examples and tags are not compared. A shared schema is followed
//! once per direction, so a change in it is told once, at the first operation that reaches it.

mod limits;
mod members;
mod operation;
mod schema;
mod security;
#[cfg(test)]
mod tests;
mod variants;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use indexmap::IndexMap;
use svc_data::{Node, Value};
use svc_diagnostics::{Location, Span};

use crate::line_index::LineIndex;
use crate::{ApiDocument, Operation, OperationKind};

/// What a change means for those who use the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// What worked goes on working.
    Compatible,
    /// It depends on how the API is used.
    Unknown,
    /// What worked may fail.
    Breaking,
}

impl Effect {
    /// The word that is printed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "not breaking",
            Self::Unknown => "unknown",
            Self::Breaking => "breaking",
        }
    }
}

/// A place in one of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLocation {
    /// JSON pointer.
    pub pointer: String,
    /// File, line and column.
    pub location: Location,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which kind of change: `property-required`.
    pub rule: &'static str,
    /// What it means.
    pub effect: Effect,
    /// The operation that it was found at: `POST /pets`; empty for the whole document.
    pub operation: String,
    /// One plain phrase, lower case, no full stop, names in back-ticks.
    pub message: String,
    /// Where it stands in the older document; `None` for what is new.
    pub old: Option<DiffLocation>,
    /// Where it stands in the newer document; `None` for what is gone.
    pub new: Option<DiffLocation>,
}

/// Steps of one comparison; a step is a schema object, a property or a value that is looked at.
const MAX_STEPS: usize = 4_000_000;

/// Changes that are told.
const MAX_CHANGES: usize = 20_000;

/// The changes from an older document to a newer one, in the order of the older document, new
/// operations at the end.
pub fn diff(old: &ApiDocument, new: &ApiDocument) -> Vec<Change> {
    let mut comparer = Comparer {
        old: Side::new(old),
        new: Side::new(new),
        changes: Vec::new(),
        queue: VecDeque::new(),
        visited: HashSet::new(),
        steps: MAX_STEPS,
    };
    comparer.documents();
    if comparer.steps == 0 || comparer.changes.len() >= MAX_CHANGES {
        comparer.changes.push(Change {
            rule: "limit",
            effect: Effect::Unknown,
            operation: String::new(),
            message: "the documents differ too much or are too large to be compared completely"
                .to_owned(),
            old: None,
            new: None,
        });
    }
    comparer.changes
}

/// One of the two documents.
struct Side<'a> {
    document: &'a ApiDocument,
    line_index: LineIndex<'a>,
}

impl<'a> Side<'a> {
    fn new(document: &'a ApiDocument) -> Self {
        let places = LineIndex::new(&document.file);
        Self {
            document,
            line_index: places,
        }
    }

    fn locate(&self, pointer: &str, span: Span) -> DiffLocation {
        DiffLocation {
            pointer: pointer.to_owned(),
            location: self.line_index.location(span),
        }
    }

    /// The place of a node by its pointer; of the nearest one above it that is there.
    fn locate_pointer(&self, pointer: &str) -> DiffLocation {
        let mut shorter = pointer;
        loop {
            if let Some(node) = svc_data::at_pointer(&self.document.root, shorter) {
                return self.locate(pointer, node.span);
            }
            match shorter.rsplit_once('/') {
                Some((before, _)) => shorter = before,
                None => return self.locate(pointer, self.document.root.span),
            }
        }
    }
}

/// Which way something travels, as the user of the API sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PayloadDirection {
    /// The user sends it.
    Sent,
    /// The user gets it.
    Received,
}

impl PayloadDirection {
    const fn reversed(self) -> Self {
        match self {
            Self::Sent => Self::Received,
            Self::Received => Self::Sent,
        }
    }

    /// Fewer values are let through.
    const fn narrowing_effect(self) -> Effect {
        match self {
            Self::Sent => Effect::Breaking,
            Self::Received => Effect::Compatible,
        }
    }

    /// More values are let through.
    const fn widening_effect(self) -> Effect {
        self.reversed().narrowing_effect()
    }

    const fn as_phrase(self) -> &'static str {
        match self {
            Self::Sent => "in requests",
            Self::Received => "in responses",
        }
    }
}

/// The state of one comparison.
struct Comparer<'a> {
    old: Side<'a>,
    new: Side<'a>,
    changes: Vec<Change>,
    /// Schemas that are still to be compared.
    queue: VecDeque<schema::Pair<'a>>,
    /// Schemas that have been: direction and the nodes of both sides.
    visited: HashSet<(PayloadDirection, Vec<usize>, Vec<usize>)>,
    steps: usize,
}

/// What identifies an operation in both documents.
type Key = (OperationKind, String, String);

/// The path with its parameters unnamed.
fn key(operation: &Operation) -> Key {
    let shape = match operation.kind {
        OperationKind::Path => crate::parse::shape(&operation.path),
        OperationKind::Webhook => operation.path.clone(),
    };
    (operation.kind, operation.method.clone(), shape)
}

/// `POST /pets`, `webhook paid`.
fn named(operation: &Operation) -> String {
    match operation.kind {
        OperationKind::Path => format!("{} {}", operation.method.to_uppercase(), operation.path),
        OperationKind::Webhook => format!("webhook {}", operation.path),
    }
}

impl<'a> Comparer<'a> {
    fn documents(&mut self) {
        let (old, new) = (self.old.document, self.new.document);
        self.servers(&old.servers, &new.servers, "", ("/servers", "/servers"));
        self.schemes();
        self.inherited_security();
        let all = |document: &'a ApiDocument| {
            let all = document.operations.iter().chain(&document.webhooks);
            // Of paths that differ in the names of their parameters only, each keeps its own.
            let mut found: IndexMap<(Key, usize), &'a Operation> = IndexMap::new();
            for operation in all {
                let (key, mut number) = (key(operation), 0);
                while number < 16 && found.contains_key(&(key.clone(), number)) {
                    number += 1;
                }
                found.entry((key, number)).or_insert(operation);
            }
            found
        };
        let (before, after) = (all(old), all(new));
        for (key, old) in &before {
            if let Some(new) = after.get(key) {
                self.operation(old, new);
                self.schemas();
                continue;
            }
            let name = named(old);
            let what = if old.deprecated {
                "the deprecated"
            } else {
                "the"
            };
            let place = self.old.locate(old.source.pointer(), old.location.span);
            self.report(
                ("operation-removed", Effect::Breaking),
                &name,
                format!("{what} {} `{name}` is gone", noun(old)),
                (Some(place), None),
            );
        }
        for (key, new) in &after {
            if !before.contains_key(key) {
                let name = named(new);
                let place = self.new.locate(new.source.pointer(), new.location.span);
                self.report(
                    ("operation-added", Effect::Compatible),
                    &name,
                    format!("the {} `{name}` is new", noun(new)),
                    (None, Some(place)),
                );
            }
        }
    }

    fn report(
        &mut self,
        (rule, effect): (&'static str, Effect),
        operation: &str,
        message: String,
        (old, new): (Option<DiffLocation>, Option<DiffLocation>),
    ) {
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(Change {
                rule,
                effect,
                operation: operation.to_owned(),
                message,
                old,
                new,
            });
        }
    }

    /// Takes steps; false when there are none left.
    const fn step(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Whether two values are equal wherever they stand.
    fn same(&mut self, old: &Node, new: &Node) -> bool {
        if !self.step(1) {
            return false;
        }
        match (&old.value, &new.value) {
            (Value::Array(old), Value::Array(new)) => {
                old.len() == new.len() && old.iter().zip(new).all(|(old, new)| self.same(old, new))
            }
            (Value::Object(old), Value::Object(new)) => {
                old.len() == new.len()
                    && old
                        .iter()
                        .all(|(key, old)| new.get(key).is_some_and(|new| self.same(old, new)))
            }
            (old, new) => old == new,
        }
    }
}

fn noun(operation: &Operation) -> &'static str {
    match operation.kind {
        OperationKind::Path => "operation",
        OperationKind::Webhook => "event",
    }
}

/// Where a change is seen: the operation, and what of it.
#[derive(Debug, Clone)]
struct ChangeContext {
    operation: Arc<str>,
    /// `the request body of …`, `the parameter …`.
    subject: Arc<str>,
    direction: PayloadDirection,
}
