//! Second pass: the content of paragraphs, headings and cells.

mod arena;
mod autolink;
mod bracket;
mod emphasis;
mod fill;
mod runs;
mod scan;

use std::collections::BTreeSet;

use crate::{Node, Options, ParseDiagnostic, source::MappedText};

pub(crate) use fill::fill;

/// Data of the page that inline parsing requires.
#[derive(Debug)]
pub(crate) struct PageContext<'a> {
    pub(crate) options: &'a Options,
    pub(crate) definitions: BTreeSet<String>,
    pub(crate) footnotes: BTreeSet<String>,
    pub(crate) problems: Vec<ParseDiagnostic>,
    pub(crate) too_deep: bool,
    scratch: Scratch,
}

/// Buffers that are reused for each piece of content.
#[derive(Debug, Default)]
struct Scratch {
    items: Vec<Item>,
    brackets: Vec<u32>,
    arena: arena::Arena,
    ticks: runs::Runs,
    dollars: runs::Runs,
    /// Buffers of `emphasis`.
    paired: Vec<Item>,
    open: Vec<emphasis::Opener>,
}

impl Scratch {
    /// Clears the buffers for the next piece of content.
    fn clear(&mut self) {
        self.arena.clear();
        self.ticks.clear();
        self.dollars.clear();
    }
}

impl<'a> PageContext<'a> {
    /// Creates the context from the results of the first pass.
    pub(crate) fn new(
        options: &'a Options,
        definitions: BTreeSet<String>,
        footnotes: BTreeSet<String>,
        problems: Vec<ParseDiagnostic>,
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

/// A piece of inline content that is not yet in the tree. Offsets are in the source. There can be
/// one for each byte of the text, so it is small; large parts are in the [`Arena`](arena::Arena).
#[derive(Debug, Clone, Copy)]
enum Item {
    /// Source text.
    Text { start: u32, end: u32 },
    /// Text that replaces source text; an index into the arena.
    Replacement(u32),
    /// A finished node, as an index into the arena, and the depth of its content.
    Node { index: u32, depth: u32 },
    /// A run of `*`, `_` or `~`.
    Marks(Marks),
    /// `[` or `![` without its `]`.
    Bracket(Bracket),
    /// A tag without its partner; an index into the arena.
    Tag(u32),
}

#[derive(Debug, Clone, Copy)]
struct Marks {
    start: u32,
    count: u32,
    mark: u8,
    opens: bool,
    closes: bool,
}

/// A `[` without its `]`.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    start: u32,
    image: bool,
    /// Another bracket began inside, so this one cannot be a label.
    holds_bracket: bool,
    /// Depth of the content so far.
    deepest: u8,
}

impl Bracket {
    /// Returns the offset of the content.
    fn content(self) -> usize {
        self.start as usize + if self.image { 2 } else { 1 }
    }

    fn holds(&mut self, depth: usize) {
        self.deepest = self.deepest.max(u8::try_from(depth).unwrap_or(u8::MAX));
    }
}

/// Converts an offset or index to 32 bits, as in spans.
fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Parses inline content.
pub(crate) fn inline(source: &MappedText<'_>, cell: bool, page: &mut PageContext<'_>) -> Vec<Node> {
    let mut scanner = scan::Scanner::new(source, cell, page);
    scanner.run();
    let mut items = scanner.end();
    let nodes = emphasis::build(&mut items, 0, source, !page.options.autolinks, page).0;
    page.scratch.items = items;
    page.scratch.clear();
    nodes
}

/// Returns true if the text alone is an autolink to `url`.
pub(crate) fn is_autolink(text: &str, url: &str) -> bool {
    let mail = autolink::mail_starts(text).last() == Some(&0);
    autolink::literal(text, 0, mail)
        .is_some_and(|link| link.end == text.len() && url.strip_prefix(link.prefix) == Some(text))
}
