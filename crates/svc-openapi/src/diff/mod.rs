//! Changes between two versions of a document, and whether they break clients.
//!
//! [`diff`] matches operations by method and path (ignoring the names of path parameters) and
//! compares what is sent over the wire: parameters, bodies, responses, security, servers. Schemas
//! are compared by the values that they allow: fewer values in a request, or more values in a
//! response, break clients. Texts, examples and tags are not compared. A shared schema is visited
//! once per direction, so a change in it is reported once, at the first operation that reaches it.

mod flat_schema;
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

use self::flat_schema::Seed;
use crate::line_index::LineIndex;
use crate::{ApiDocument, Operation, OperationKind};

/// Effect of a change on clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Existing clients keep working.
    Compatible,
    /// The effect depends on how the API is used.
    Unknown,
    /// Existing clients may fail.
    Breaking,
}

impl Effect {
    /// The effect as it is printed.
    ///
    /// # Example
    ///
    /// ```
    /// use svc_openapi::Effect;
    /// assert_eq!(Effect::Breaking.as_str(), "breaking");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "not breaking",
            Self::Unknown => "unknown",
            Self::Breaking => "breaking",
        }
    }
}

/// A location in one of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLocation {
    /// JSON pointer (RFC 6901).
    pub pointer: String,
    /// File, line and column.
    pub location: Location,
}

/// A difference between two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Kind of change, for example `property-required`.
    pub rule: &'static str,
    /// Effect on clients.
    pub effect: Effect,
    /// The operation that changed: `POST /pets`; empty for the whole document.
    pub operation: String,
    /// One phrase in lower case, without full stop, names in backticks.
    pub message: String,
    /// Location in the older document; None for an addition.
    pub old: Option<DiffLocation>,
    /// Location in the newer document; None for a removal.
    pub new: Option<DiffLocation>,
}

/// Maximum number of steps of a comparison. A step is a schema object, a property or a value.
const MAX_STEPS: usize = 4_000_000;

/// Maximum number of changes.
const MAX_CHANGES: usize = 20_000;

/// The changes from an older document to a newer one, in the order of the older document; new
/// operations are last.
///
/// # Example
///
/// ```
/// use svc_openapi::{Effect, SourceFile, diff, parse};
/// let document = |paths: &str| {
///     let head = r#""openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}"#;
///     let text = format!("{{{head}, \"paths\": {paths}}}");
///     parse(&SourceFile::new("pets.json", text)).value.expect("it is an object")
/// };
/// let changes = diff(&document(r#"{"/pets": {"get": {}}}"#), &document("{}"));
/// assert_eq!((changes[0].effect, &*changes[0].operation), (Effect::Breaking, "GET /pets"));
/// ```
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
            message: "the comparison is incomplete, because the documents are too large or differ too much"
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
        let line_index = LineIndex::new(&document.file);
        Self {
            document,
            line_index,
        }
    }

    fn locate(&self, pointer: &str, span: Span) -> DiffLocation {
        DiffLocation {
            pointer: pointer.to_owned(),
            location: self.line_index.location(span),
        }
    }

    /// The location of the node at a pointer, or of its nearest existing ancestor.
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

/// Direction of a payload, from the view of the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PayloadDirection {
    /// The client sends it.
    Sent,
    /// The client receives it.
    Received,
}

impl PayloadDirection {
    const fn reversed(self) -> Self {
        match self {
            Self::Sent => Self::Received,
            Self::Received => Self::Sent,
        }
    }

    /// Effect of allowing fewer values.
    const fn narrowing_effect(self) -> Effect {
        match self {
            Self::Sent => Effect::Breaking,
            Self::Received => Effect::Compatible,
        }
    }

    /// Effect of allowing more values.
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

/// Two schemas that are queued for comparison.
struct Pair<'a> {
    old: Vec<Seed<'a>>,
    new: Vec<Seed<'a>>,
    context: ChangeContext,
    /// Path from the subject to this schema: `owner.tags[]`.
    path: String,
}

impl Pair<'_> {
    /// The subject, for messages: `owner.name` of the request body of …
    fn subject(&self) -> String {
        if self.path.is_empty() {
            self.context.subject.to_string()
        } else {
            format!("`{}` of {}", self.path, self.context.subject)
        }
    }
}

/// State of a comparison.
struct Comparer<'a> {
    old: Side<'a>,
    new: Side<'a>,
    changes: Vec<Change>,
    /// Pairs of schemas that are not compared yet.
    queue: VecDeque<Pair<'a>>,
    /// Pairs that are already compared: direction and the nodes of both sides.
    visited: HashSet<(PayloadDirection, Vec<usize>, Vec<usize>)>,
    steps: usize,
}

/// Identity of an operation in both documents.
type Key = (OperationKind, String, String);

/// The path without the names of its parameters.
fn key(operation: &Operation) -> Key {
    let shape = match operation.kind {
        OperationKind::Path => crate::parse::shape(&operation.path),
        OperationKind::Webhook => operation.path.clone(),
    };
    (operation.kind, operation.method.clone(), shape)
}

/// Display name: `POST /pets`, `webhook paid`.
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
            // Paths that differ only in the names of their parameters are numbered.
            let mut indexed: IndexMap<(Key, usize), &'a Operation> = IndexMap::new();
            for operation in all {
                let (key, mut number) = (key(operation), 0);
                while number < 16 && indexed.contains_key(&(key.clone(), number)) {
                    number += 1;
                }
                indexed.entry((key, number)).or_insert(operation);
            }
            indexed
        };
        let (before, after) = (all(old), all(new));
        for (key, old) in &before {
            if let Some(new) = after.get(key) {
                self.operation(old, new);
                self.schemas();
                continue;
            }
            let name = named(old);
            let subject = if old.deprecated {
                "the deprecated"
            } else {
                "the"
            };
            let location = self.old.locate(old.source.pointer(), old.location.span);
            self.report(
                ("operation-removed", Effect::Breaking),
                &name,
                format!("{subject} {} `{name}` was removed", noun(old)),
                (Some(location), None),
            );
        }
        for (key, new) in &after {
            if !before.contains_key(key) {
                let name = named(new);
                let location = self.new.locate(new.source.pointer(), new.location.span);
                self.report(
                    ("operation-added", Effect::Compatible),
                    &name,
                    format!("the {} `{name}` was added", noun(new)),
                    (None, Some(location)),
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

    /// Consumes steps; false if none are left.
    const fn step(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Whether two values are equal, regardless of their locations.
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

/// The subject of changes: the operation and its part.
#[derive(Debug, Clone)]
struct ChangeContext {
    operation: Arc<str>,
    /// The part: `the request body of …`, `the parameter …`.
    subject: Arc<str>,
    direction: PayloadDirection,
}
