//! Error of a formula.

/// Error of a formula that is shown as source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormulaError {
    /// Message without a full stop.
    pub(crate) reason: String,
    /// Byte offset in the formula; `None` if unknown.
    pub(crate) offset: Option<usize>,
}

impl FormulaError {
    pub(super) fn new(reason: &str) -> Self {
        Self {
            reason: reason.to_owned(),
            offset: None,
        }
    }
}
