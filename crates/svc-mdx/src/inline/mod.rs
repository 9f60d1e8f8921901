//! Second pass: the content of paragraphs, headings and cells.

mod autolink;
mod bracket;
mod emphasis;
mod fill;
mod runs;
mod scan;

use std::collections::BTreeSet;

use crate::{Node, Options, Problem, jsx::Tag, source::Source};

pub(crate) use fill::fill;

/// What the whole page knows.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) options: &'a Options,
    pub(crate) definitions: BTreeSet<String>,
    pub(crate) footnotes: BTreeSet<String>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) too_deep: bool,
}

/// A piece of inline content that is not yet in its place.
#[derive(Debug)]
enum Item {
    /// Plain text; offsets in the source.
    Text {
        value: String,
        start: usize,
        end: usize,
    },
    /// A finished node, and how deep its content is.
    Node { node: Node, depth: usize },
    /// A run of `*`, `_` or `~`.
    Marks(Marks),
    /// `[` or `![` that waits for its `]`.
    Bracket { start: usize, end: usize },
    /// A tag that waits for its partner.
    Tag(Tag),
}

#[derive(Debug, Clone, Copy)]
struct Marks {
    mark: u8,
    start: usize,
    count: usize,
    opens: bool,
    closes: bool,
}

/// A `[` that waits for its `]`.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    /// Where its item is.
    item: usize,
    image: bool,
    start: usize,
    /// First byte of what it holds.
    content: usize,
    /// Another bracket began inside, so it cannot be a label.
    holds_bracket: bool,
    /// Depth of what it holds so far.
    deepest: usize,
}

/// Reads inline content.
pub(crate) fn inline(source: &Source, cell: bool, page: &mut Page<'_>) -> Vec<Node> {
    let mut scanner = scan::Scanner::new(source, cell, page);
    scanner.run();
    let items = std::mem::take(&mut scanner.items);
    emphasis::build(items, source, false, page).0
}
