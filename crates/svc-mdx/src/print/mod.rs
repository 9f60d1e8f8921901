//! Prints a tree as text in a normal form: `-` bullets, fences longer than runs inside of them, `*`
//! and `**`, and escapes only where they are required.
//!
//! The output is parsed as the same tree. Every paragraph, heading and table is parsed immediately;
//! if the result differs, a form with more escapes is used.

mod block;
mod context;
mod escape;
mod inline;
mod lines;
mod round_trip;
mod tag;

use std::collections::BTreeSet;

use crate::{Document, FrontMatterKind, Kind, Options, inline::PageContext, text::label_key, walk};

use context::BlockContext;
use lines::Lines;

/// Prints a document as text that [`crate::parse`] parses as the same tree, given the same options.
/// This is guaranteed for trees that were parsed without diagnostics; other trees are printed as
/// closely as possible.
///
/// # Example
///
/// ```
/// use svc_mdx::{Options, parse, print};
/// let page = parse("* a\n* __b__", &Options::default()).value;
/// assert_eq!(print(&page, &Options::default()), "- a\n- **b**\n");
/// ```
pub fn print(document: &Document, options: &Options) -> String {
    let mut definitions = BTreeSet::new();
    let mut footnotes = BTreeSet::new();
    walk(&document.children, |node, _| {
        match &node.kind {
            Kind::Definition { identifier, .. } => {
                definitions.insert(label_key(identifier));
            }
            Kind::FootnoteDefinition { identifier, .. } => {
                footnotes.insert(label_key(identifier));
            }
            _ => {}
        }
        true
    });
    let mut printer = Printer {
        lines: Lines::default(),
        page: PageContext::new(options, definitions, footnotes, Vec::new()),
    };
    if let Some(front) = &document.front_matter {
        let fence = match front.kind {
            FrontMatterKind::Yaml => "---",
            FrontMatterKind::Toml => "+++",
        };
        printer.lines.put(fence);
        if !front.text.is_empty() {
            printer.lines.put_verbatim(&front.text);
        }
        printer.lines.put(fence);
        if !document.children.is_empty() {
            printer.lines.blank();
        }
    }
    let context = BlockContext::page(document.front_matter.is_none());
    printer.blocks(&document.children, context);
    printer.lines.finish()
}

/// State of the printer.
struct Printer<'a> {
    lines: Lines,
    /// Context for parsing the output, which depends on the definitions.
    page: PageContext<'a>,
}
