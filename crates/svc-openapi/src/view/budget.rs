//! Limits of the views of a page.

/// Budget of expansion that the views of a page share.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Remaining views.
    pub(super) nodes: usize,
    /// Remaining schema objects to visit.
    pub(super) steps: usize,
    /// Remaining bytes of texts and values to copy.
    pub(super) bytes: usize,
    /// Whether the budget was exceeded.
    pub(super) exceeded: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            nodes: 5_000,
            steps: 200_000,
            bytes: 8 << 20,
            exceeded: false,
        }
    }
}

impl Budget {
    /// Creates a budget of about this number of views.
    ///
    /// Example: [`SchemaView`](crate::SchemaView#example).
    pub fn new(nodes: usize) -> Self {
        Self {
            nodes,
            ..Self::default()
        }
    }

    /// Consumes one step; false if none is left.
    pub(super) const fn step(&mut self) -> bool {
        if self.steps == 0 {
            self.exceeded = true;
            return false;
        }
        self.steps -= 1;
        true
    }

    /// Consumes bytes; false if fewer are left.
    pub(super) const fn take(&mut self, bytes: usize) -> bool {
        if self.bytes < bytes {
            self.exceeded = true;
            return false;
        }
        self.bytes -= bytes;
        true
    }
}
