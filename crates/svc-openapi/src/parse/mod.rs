//! Parsing of documents.
//!
//! [`parse`] reads the tree twice: once for the data model ([`document`], [`operation`],
//! [`content`]), leaving out invalid parts, and once along the grammar ([`structure`]), reporting
//! what is invalid, including references ([`check`]). Schemas are not read here.

mod check;
mod content;
mod detect;
mod document;
mod example_checker;
mod examples;
mod fix;
mod operation;
mod server_url;
mod structure;
mod tags;
mod tools;

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexSet;
use svc_data::{Limits, Node};
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, SourceFile, Span, did_you_mean};

use crate::line_index::LineIndex;
use crate::{ApiDocument, codes, upgrade};

pub use detect::looks_like_openapi;
use example_checker::ExampleChecker;
pub(crate) use operation::{shape, template_names};
pub use tools::parse_tools;

/// Parses an OpenAPI document. Swagger 2.0 is read as version 3.1, with the locations of its own
/// text. The value is None if the root is not an object, if `openapi` is missing, or if the version
/// is older; all other problems are reported and the invalid parts left out.
///
/// Example: [crate documentation](crate).
pub fn parse(file: &SourceFile) -> Checked<Option<ApiDocument>> {
    let mut diagnostics = Vec::new();
    let mut root = svc_data::parse(file, &Limits::default()).drain_into(&mut diagnostics);
    if upgrade::is_swagger(&root) {
        let span = root
            .get("swagger")
            .map_or_else(Span::default, |node| node.span);
        let message = "version 2.0 (Swagger) is read as version 3.1";
        let hint = "run `svc openapi upgrade` to convert the file";
        let converted = Diagnostic::new(&codes::CONVERTED, message).at(file.location(span));
        diagnostics.push(converted.pointer("/swagger").hint(hint));
        root = upgrade::from_swagger(file, root).drain_into(&mut diagnostics);
    }
    let root = Arc::new(root);
    let mut reader = Reader::new(&root, file, diagnostics);
    let document = reader.document(&root);
    let diagnostics = match document {
        Some(_) => reader.finish(),
        None => reader.diagnostics,
    };
    Checked {
        value: document,
        diagnostics,
    }
}

/// State of reading a document.
struct Reader<'a> {
    root: &'a Node,
    file: &'a SourceFile,
    line_index: LineIndex<'a>,
    diagnostics: Vec<Diagnostic>,
    /// Whether the version is 3.0.
    old: bool,
    /// Whether the document is a list of MCP tools instead of an OpenAPI document.
    tool_list: bool,
    /// Whether the version is 3.2 or later.
    newer: bool,
    /// Span of the first status key without quotes, and their number.
    unquoted: Option<(Span, usize)>,
    /// Names of the declared security schemes.
    schemes: IndexSet<String>,
    /// Number of remaining suggestions; each one visits all candidates.
    suggestions: usize,
    /// A name and the similar one that the hint of the next diagnostic suggests.
    suggested: Option<(String, String)>,
    /// Number of remaining properties of `allOf` parts to compare.
    compared: usize,
    examples: ExampleChecker<'a>,
}

impl<'a> Reader<'a> {
    fn new(root: &'a Arc<Node>, file: &'a SourceFile, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            root,
            file,
            line_index: LineIndex::new(file),
            diagnostics,
            old: false,
            tool_list: false,
            newer: false,
            unquoted: None,
            schemes: IndexSet::new(),
            suggestions: 200,
            suggested: None,
            compared: 200_000,
            examples: ExampleChecker::new(root),
        }
    }

    /// The diagnostics in the order of the text, each one once.
    fn finish(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        // Diagnostics of references are in the order of the text, like the others.
        diagnostics.sort_by_key(|diagnostic| diagnostic.location.as_ref().map(|at| at.span.start));
        // Parts that several operations share are read with each of them.
        let mut known = HashSet::new();
        diagnostics.retain(|diagnostic| {
            let start = diagnostic.location.as_ref().map(|at| at.span.start);
            known.insert((diagnostic.code.id, start, diagnostic.message.clone()))
        });
        diagnostics
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        pointer: &str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let location = self.line_index.location(span);
        let diagnostic = Diagnostic::new(code, message)
            .at(location)
            .pointer(pointer)
            .hint(hint);
        self.diagnostics.push(diagnostic);
        if let Some((name, near)) = self.suggested.take() {
            self.fix_text(span, &name, &near);
        }
    }

    /// `did you mean …?`, or else the given hint. The next diagnostic gets the fix.
    fn suggest<'k>(
        &mut self,
        token: &str,
        candidates: impl IntoIterator<Item = &'k str>,
        otherwise: impl FnOnce() -> String,
    ) -> String {
        self.suggestions = self.suggestions.saturating_sub(1);
        let near = (self.suggestions > 0)
            .then(|| did_you_mean(token, candidates))
            .flatten();
        self.suggested = near.map(|near| (token.to_owned(), near.to_owned()));
        near.map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
    }

    /// Resolves references, whose problems [`check`] reports. Returns the node and its pointer.
    fn follow(&self, node: &'a Node, pointer: String) -> (&'a Node, String) {
        match crate::reference::follow(self.root, node) {
            Some((target, Some(target_pointer))) => (target, target_pointer.into_owned()),
            _ => (node, pointer),
        }
    }
}

/// A non-empty string, a number or a boolean under a key, as text.
fn text(node: &Node, key: &str) -> Option<String> {
    node.get(key)?.to_text().filter(|text| !text.is_empty())
}

/// Whether a key is `true`, also as a string.
fn flag(node: &Node, key: &str) -> bool {
    node.get(key)
        .is_some_and(|value| value.as_bool() == Some(true) || value.as_str() == Some("true"))
}

/// The first character of a node, to mark a problem of the whole node.
fn start_of(node: &Node) -> Span {
    Span::new(node.span.start, node.span.start + 1)
}

fn below(pointer: &str, key: &str) -> String {
    if key.contains(['~', '/']) {
        format!("{pointer}/{}", svc_data::escape_pointer(key))
    } else {
        [pointer, "/", key].concat()
    }
}
