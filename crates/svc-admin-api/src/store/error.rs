//! Errors of a store.

/// Error of a store. The texts are for operators and must not be sent to clients.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store is temporarily unavailable; a retry may succeed.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The store contains invalid data.
    #[error("the store is corrupt: {0}")]
    Corrupt(String),
}
