//! Position of a block.

/// Position of a block in its container.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockContext {
    /// The next block is the first one of the page.
    pub(super) first: bool,
    /// The next block is the first one of a list item with this bullet (0 for a number).
    pub(super) item: Option<u8>,
    /// Task state of that item.
    pub(super) checked: Option<bool>,
    /// No blank lines between blocks: they are in a tight list item.
    pub(super) tight: bool,
    /// Blank lines inside of tags, because no other position in the list item can have one.
    pub(super) airy: bool,
    /// The previous block is a definition without a blank line after it.
    pub(super) after_definition: bool,
}

impl BlockContext {
    /// Returns the context of the page; `first` is true if no front matter precedes it.
    pub(super) fn page(first: bool) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }
}
