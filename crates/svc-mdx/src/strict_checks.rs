//! Checks for [`Options::strict`](crate::Options): input that `@mdx-js/mdx` rejects and that is
//! otherwise accepted here.

use svc_diagnostics::Span;

use crate::{
    AttributeKind, AttributeValue, Document, Element, Kind, Node, ParseDiagnostic,
    diagnostic::{BAD_ATTRIBUTE, BAD_ESM, BAD_EXPRESSION},
    js::{Lexer, TokenKind, braces},
    walk,
};

/// Adds diagnostics for input that only `@mdx-js/mdx` rejects.
pub(crate) fn find(text: &str, document: &Document, problems: &mut Vec<ParseDiagnostic>) {
    walk(&document.children, |node, _| {
        match &node.kind {
            Kind::Paragraph(_) => problems.extend(prose(text, node)),
            Kind::Element(element) => attributes(element, problems),
            _ => {}
        }
        true
    });
}

/// Returns a diagnostic for a paragraph that begins like a module item.
fn prose(text: &str, node: &Node) -> Option<ParseDiagnostic> {
    let start = node.span.start as usize;
    let rest = text.get(start..)?;
    let line_start = text
        .get(..start)
        .is_some_and(|before| before.is_empty() || before.ends_with(['\n', '\r', '\u{feff}']));
    let keyword = ["import ", "export "]
        .into_iter()
        .find(|keyword| rest.starts_with(keyword))?;
    line_start.then(|| {
        ParseDiagnostic::new(
            &BAD_ESM,
            Span::from_range(start..start + keyword.len() - 1),
            format!(
                "`{}` at the start of a line begins code",
                keyword.trim_end()
            ),
            "begin the sentence with another word",
        )
    })
}

fn attributes(element: &Element, problems: &mut Vec<ParseDiagnostic>) {
    for attribute in &element.attributes {
        match &attribute.kind {
            AttributeKind::Named {
                name,
                value: AttributeValue::Expression { value, span },
            } if !is_valid(value) => problems.push(ParseDiagnostic::new(
                &BAD_EXPRESSION,
                *span,
                format!("the value of `{name}` is not JavaScript"),
                format!("write `{name}=\"value\"` or `{name}={{value}}`"),
            )),
            AttributeKind::Spread(value) if !is_valid(value) => {
                problems.push(ParseDiagnostic::new(
                    &BAD_ATTRIBUTE,
                    attribute.span,
                    "these attributes are not JavaScript",
                    "write one expression after the dots: `{...values}`",
                ));
            }
            AttributeKind::Named { .. } | AttributeKind::Spread(_) => {}
        }
    }
}

/// Returns true if the text is not empty, apart from comments, and has no lexical error.
fn is_valid(value: &str) -> bool {
    let blank = |kind| matches!(kind, TokenKind::Comment | TokenKind::Newline);
    let empty = Lexer::new(value, 0).all(|token| blank(token.kind));
    // The line ending ends a comment.
    !empty && braces(&format!("{{{value}\n}}"), 0).is_some_and(|braces| braces.clean)
}
