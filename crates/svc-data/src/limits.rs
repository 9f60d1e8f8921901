//! How much is read.

/// Safety limits of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Nesting of arrays and objects.
    pub depth: usize,
    /// Nodes of the tree, aliases expanded.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 32 << 20,
            depth: 128,
            nodes: 2_000_000,
        }
    }
}
