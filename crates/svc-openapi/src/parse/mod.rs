//! From text to a document.
//!
//! [`parse`] reads the tree once for everything that is listed ([`document`], [`operation`],
//! [`content`]), which leaves out what it cannot use, and once along the grammar ([`structure`]),
//! which reports what is wrong with it, references included ([`check`]). Schemas are not read here.

mod check;
mod content;
mod detect;
mod document;
mod examples;
mod operation;
mod server_url;
mod structure;
mod tags;

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexSet;
use svc_data::{Limits, Node};
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, SourceFile, Span, did_you_mean};

use crate::ApiDocument;
use crate::line_index::LineIndex;

pub use detect::looks_like_openapi;
pub(crate) use operation::{shape, template_names};

/// Reads an OpenAPI document. There is none when the root is not an object, when `openapi` is
/// missing, and for version 2.0; everything else that is wrong is reported and left out.
pub fn parse(file: &SourceFile) -> Checked<Option<ApiDocument>> {
    let mut diagnostics = Vec::new();
    let root = Arc::new(svc_data::parse(file, &Limits::default()).drain_into(&mut diagnostics));
    let mut reader = Reader {
        root: &root,
        file,
        line_index: LineIndex::new(file),
        diagnostics,
        old: false,
        newer: false,
        unquoted: None,
        schemes: IndexSet::new(),
        suggestions: 200,
        compared: 200_000,
        examples: examples::ExampleChecker::new(&root),
    };
    let document = reader.document(&root);
    let mut diagnostics = reader.diagnostics;
    if document.is_some() {
        // Problems of references come in the order of the text, like the others before them.
        diagnostics.sort_by_key(|found| found.location.as_ref().map(|at| at.span.start));
        // What is shared by several operations is read with each of them.
        let mut known = HashSet::new();
        diagnostics.retain(|found| {
            let start = found.location.as_ref().map(|at| at.span.start);
            known.insert((found.code.id, start, found.message.clone()))
        });
    }
    Checked {
        value: document,
        diagnostics,
    }
}

/// What all parts of the reading share.
struct Reader<'a> {
    root: &'a Node,
    file: &'a SourceFile,
    line_index: LineIndex<'a>,
    diagnostics: Vec<Diagnostic>,
    /// Version 3.0.
    old: bool,
    /// Version 3.2 or later.
    newer: bool,
    /// First status key without quotes, and how many there are.
    unquoted: Option<(Span, usize)>,
    /// Names of the declared security schemes.
    schemes: IndexSet<String>,
    /// Suggestions that are still looked for; each costs a pass over the candidates.
    suggestions: usize,
    /// Properties of `allOf` parts that are still compared.
    compared: usize,
    /// Checks the examples of the author.
    examples: examples::ExampleChecker<'a>,
}

impl<'a> Reader<'a> {
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        pointer: &str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let location = self.line_index.location(span);
        let found = Diagnostic::new(code, message)
            .at(location)
            .pointer(pointer)
            .hint(hint);
        self.diagnostics.push(found);
    }

    /// `did you mean …?`, or the other hint.
    fn suggest<'k>(
        &mut self,
        word: &str,
        candidates: impl IntoIterator<Item = &'k str>,
        otherwise: impl FnOnce() -> String,
    ) -> String {
        self.suggestions = self.suggestions.saturating_sub(1);
        let near = (self.suggestions > 0)
            .then(|| did_you_mean(word, candidates))
            .flatten();
        near.map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
    }

    /// Follows references, whose problems [`check`] reports; gives the node and where it stands.
    fn follow(&self, node: &'a Node, pointer: String) -> (&'a Node, String) {
        match crate::reference::follow(self.root, node) {
            Some((found, Some(place))) => (found, place.into_owned()),
            _ => (node, pointer),
        }
    }
}

/// A non-empty string, number or boolean under a key, as text.
fn text(node: &Node, key: &str) -> Option<String> {
    node.get(key)?.to_text().filter(|text| !text.is_empty())
}

/// `true`, also written as a string.
fn flag(node: &Node, key: &str) -> bool {
    node.get(key)
        .is_some_and(|value| value.as_bool() == Some(true) || value.as_str() == Some("true"))
}

/// The first character of a node, where a problem of all of it is shown.
fn start_of(node: &Node) -> Span {
    Span::new(node.span.start, node.span.start + 1)
}

/// The pointer of a member.
fn below(pointer: &str, key: &str) -> String {
    if key.contains(['~', '/']) {
        format!("{pointer}/{}", svc_data::escape_pointer(key))
    } else {
        [pointer, "/", key].concat()
    }
}
