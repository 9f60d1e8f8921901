//! Limits for parsing.

/// Safety limits for one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the text in bytes.
    pub bytes: usize,
    /// Maximum nesting depth of arrays and objects.
    pub depth: usize,
    /// Maximum number of nodes of the tree, after aliases are expanded.
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
