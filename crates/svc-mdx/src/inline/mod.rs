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
    scratch: Scratch,
}

/// Room that each piece of content uses after the one before.
#[derive(Debug, Default)]
struct Scratch {
    items: Vec<Item>,
    brackets: Vec<Bracket>,
}

impl<'a> Page<'a> {
    /// What is known after the first pass.
    pub(crate) fn new(
        options: &'a Options,
        definitions: BTreeSet<String>,
        footnotes: BTreeSet<String>,
        problems: Vec<Problem>,
    ) -> Self {
        Self {
            options,
            definitions,
            footnotes,
            problems,
            too_deep: false,
            scratch: Scratch::default(),
        }
    }
}

/// A piece of inline content that is not yet in its place.
#[derive(Debug)]
enum Item {
    /// Plain text; offsets in the source. It is what stands there unless it is `changed`.
    Text {
        changed: Option<String>,
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
pub(crate) fn inline(source: &Source<'_>, cell: bool, page: &mut Page<'_>) -> Vec<Node> {
    let mut scanner = scan::Scanner::new(source, cell, page);
    scanner.run();
    let mut items = scanner.end();
    let nodes = emphasis::build(&mut items, 0, source, !page.options.autolinks, page).0;
    page.scratch.items = items;
    nodes
}

/// Whether this text alone becomes a link to `url` without any marks.
pub(crate) fn is_address(text: &str, url: &str) -> bool {
    let mail = autolink::mail_starts(text).last() == Some(&0);
    autolink::literal(text, 0, mail).is_some_and(|found| {
        found.end == text.len() && url.strip_prefix(found.prefix) == Some(text)
    })
}
