//! The declarations of a utility.

/// The declarations of a utility.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Utility {
    /// Order in the cascade: later ones override earlier ones; shorthand properties come first.
    pub(super) order: u8,
    /// Declarations, separated by `;`.
    pub(super) body: String,
    /// Selector suffix, such as `>*+*`.
    pub(super) inside: &'static str,
}

impl Utility {
    pub(super) fn new(order: u8, body: impl Into<String>) -> Self {
        Self {
            order,
            body: body.into(),
            inside: "",
        }
    }
}
