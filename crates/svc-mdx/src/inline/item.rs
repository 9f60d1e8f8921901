//! Pieces of inline content that are not yet in the tree.

/// A piece of inline content that is not yet in the tree. Offsets are in the source. There can be
/// one for each byte of the text, so it is small; large parts are in the
/// [`Arena`](super::arena::Arena).
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
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

/// A run of `*`, `_` or `~`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    pub(super) start: u32,
    pub(super) count: u32,
    pub(super) mark: u8,
    pub(super) opens: bool,
    pub(super) closes: bool,
}

/// A `[` without its `]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bracket {
    pub(super) start: u32,
    pub(super) image: bool,
    /// Another bracket began inside, so this one cannot be a label.
    pub(super) holds_bracket: bool,
    /// Depth of the content so far.
    pub(super) deepest: u8,
}

impl Bracket {
    /// Returns the offset of the content.
    pub(super) fn content(self) -> usize {
        self.start as usize + if self.image { 2 } else { 1 }
    }

    pub(super) fn holds(&mut self, depth: usize) {
        self.deepest = self.deepest.max(u8::try_from(depth).unwrap_or(u8::MAX));
    }
}

/// A delimiter run that may open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opener {
    pub(super) item: u32,
    /// Depth of the content between this run and the next one.
    pub(super) deepest: u32,
}
