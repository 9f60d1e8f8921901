//! A tree back to text, in one normal form: `-` bullets, fences longer than what they hold, `*`
//! and `**`, escapes only where they are needed.
//!
//! What is printed reads as the same tree again. Paragraphs, headings and tables are read back at
//! once; where the plain form would read as something else, a form with more escapes is taken.

mod block;
mod escape;
mod inline;
mod lines;
mod round_trip;
mod tag;

use std::collections::BTreeSet;

use crate::{Document, FrontMatterKind, Kind, Options, inline::PageContext, text::label_key, walk};

use block::BlockContext;
use lines::Lines;

/// Writes a document as text that [`crate::parse`] reads as the same tree, given the same options.
/// This holds for every tree that was read without problems; other trees are written as well as
/// their form allows.
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
    let place = BlockContext::page(document.front_matter.is_none());
    printer.blocks(&document.children, place);
    printer.lines.finish()
}

/// What is known while printing.
struct Printer<'a> {
    lines: Lines,
    /// For reading back what was printed: the definitions count.
    page: PageContext<'a>,
}
