//! Error of a diagram.

/// Error of a diagram that is shown as source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiagramError {
    /// Message without a full stop.
    pub(crate) reason: String,
    /// Line of the diagram, 1-based; `None` if unknown.
    pub(crate) line: Option<u32>,
}

impl DiagramError {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            line: None,
        }
    }
}
