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

/// What the whole page knows.
#[derive(Debug)]
pub(crate) struct PageContext<'a> {
    pub(crate) options: &'a Options,
    pub(crate) definitions: BTreeSet<String>,
    pub(crate) footnotes: BTreeSet<String>,
    pub(crate) problems: Vec<ParseDiagnostic>,
    pub(crate) too_deep: bool,
    scratch: Scratch,
}

/// Room that each piece of content uses after the one before.
#[derive(Debug, Default)]
struct Scratch {
    items: Vec<Item>,
    brackets: Vec<u32>,
    arena: arena::Arena,
    ticks: runs::Runs,
    dollars: runs::Runs,
    /// What `emphasis` works with.
    paired: Vec<Item>,
    open: Vec<emphasis::Opener>,
}

impl Scratch {
    /// Ready for the next piece of content.
    fn clear(&mut self) {
        self.arena.clear();
        self.ticks.clear();
        self.dollars.clear();
    }
}

impl<'a> PageContext<'a> {
    /// What is known after the first pass.
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

/// A piece of inline content that is not yet in its place; offsets count in the source. There is
/// up to one for each byte of the text, so it is small: what is large lies in the
/// [`Arena`](arena::Arena).
#[derive(Debug, Clone, Copy)]
enum Item {
    /// Plain text as it stands there.
    Text { start: u32, end: u32 },
    /// Plain text that is not what stands there; its place in the stock.
    Replacement(u32),
    /// A finished node: its place in the stock, and how deep its content is.
    Node { index: u32, depth: u32 },
    /// A run of `*`, `_` or `~`.
    Marks(Marks),
    /// `[` or `![` that waits for its `]`.
    Bracket(Bracket),
    /// A tag that waits for its partner; its place in the stock.
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

/// A `[` that waits for its `]`.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    start: u32,
    image: bool,
    /// Another bracket began inside, so it cannot be a label.
    holds_bracket: bool,
    /// Depth of what it holds so far.
    deepest: u8,
}

impl Bracket {
    /// First byte of what it holds.
    fn content(self) -> usize {
        self.start as usize + if self.image { 2 } else { 1 }
    }

    fn holds(&mut self, depth: usize) {
        self.deepest = self.deepest.max(u8::try_from(depth).unwrap_or(u8::MAX));
    }
}

/// An offset or a place in 32 bits, as spans have it.
fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Reads inline content.
pub(crate) fn inline(source: &MappedText<'_>, cell: bool, page: &mut PageContext<'_>) -> Vec<Node> {
    let mut scanner = scan::Scanner::new(source, cell, page);
    scanner.run();
    let mut items = scanner.end();
    let nodes = emphasis::build(&mut items, 0, source, !page.options.autolinks, page).0;
    page.scratch.items = items;
    page.scratch.clear();
    nodes
}

/// Whether this text alone becomes a link to `url` without any marks.
pub(crate) fn is_autolink(text: &str, url: &str) -> bool {
    let mail = autolink::mail_starts(text).last() == Some(&0);
    autolink::literal(text, 0, mail).is_some_and(|found| {
        found.end == text.len() && url.strip_prefix(found.prefix) == Some(text)
    })
}
