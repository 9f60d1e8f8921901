//! What a page means: its tree without spans, its diagnostics, and the text that components show.

use svc_diagnostics::Span;

use crate::{
    AttributeKind, AttributeValue, Document, Kind, Node, Options, ParseDiagnostic, parse, walk,
};

/// The trees of a page and its diagnostics, without spans.
#[derive(Debug, PartialEq)]
pub(super) struct Meaning {
    /// The page is read with and without formulas, because sites can turn them off.
    documents: Vec<Document>,
    problems: Vec<(&'static str, String)>,
    /// Sources of the content of [`SOURCE_ELEMENTS`], without their indentation.
    sources: Vec<String>,
}

/// Components whose readers see or copy the source of the content.
const SOURCE_ELEMENTS: [&str; 2] = ["Latex", "Prompt"];

impl Meaning {
    /// Parses a text.
    pub(super) fn of(text: &str, options: &Options) -> Self {
        let mut meaning = Self {
            documents: Vec::new(),
            problems: Vec::new(),
            sources: Vec::new(),
        };
        let without_math = Options {
            math: !options.math,
            ..*options
        };
        let count = if text.contains('$') { 2 } else { 1 };
        for options in [options, &without_math].into_iter().take(count) {
            let parsed = parse(text, options);
            let problems = parsed.diagnostics.into_iter();
            meaning.problems.extend(
                problems.map(|ParseDiagnostic { code, message, .. }| (code.id, message.into())),
            );
            let mut document = parsed.value;
            if let Some(front) = &mut document.front_matter {
                (front.span, front.value) = (Span::default(), Span::default());
                // The rule for front matter knows where white space is content.
                front.text = super::front_matter::trimmed(front).into();
            }
            walk(&document.children, |node, _| {
                if let Kind::Element(element) = &node.kind
                    && let Some(name) = &element.name
                    && SOURCE_ELEMENTS.contains(&&**name)
                {
                    meaning.sources.push(source(text, &element.children));
                }
                true
            });
            clear_spans(&mut document.children);
            meaning.documents.push(document);
        }
        meaning
    }

    /// Compares this to the meaning of the same text with other line endings, which are also in
    /// texts and code. Browsers and JavaScript read both as one line feed.
    pub(super) fn eq_but_line_endings(&self, other: &Self) -> bool {
        format!("{self:?}").replace("\\r\\n", "\\n") == format!("{other:?}")
    }
}

/// The source of nodes, whose lines begin where the first one does.
fn source(text: &str, nodes: &[Node]) -> String {
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else {
        return String::new();
    };
    let start = first.span.range().start;
    let before = text.get(..start).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let indent = if line.trim().is_empty() {
        line.len()
    } else {
        0
    };
    let inside = text.get(start..last.span.range().end).unwrap_or("");
    let lines = inside.lines().enumerate().map(|(index, line)| {
        let blank = line.len() - line.trim_start().len();
        let removed = if index == 0 { 0 } else { blank.min(indent) };
        line.get(removed..).unwrap_or("").trim_end()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Clears the spans of nodes. The recursion is as deep as the tree, which the parser limits.
fn clear_spans(nodes: &mut [Node]) {
    for node in nodes {
        node.span = Span::default();
        if let Kind::Element(element) = &mut node.kind {
            element.name_span = Span::default();
            for attribute in &mut element.attributes {
                attribute.span = Span::default();
                if let AttributeKind::Named {
                    value: AttributeValue::Expression { span, .. },
                    ..
                } = &mut attribute.kind
                {
                    *span = Span::default();
                }
            }
        }
        if let Some(children) = node.children_mut() {
            clear_spans(children);
        }
    }
}
