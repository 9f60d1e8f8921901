//! Errors of an object store.

/// Why an operation on an object failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// The object does not exist.
    #[error("the object `{0}` does not exist")]
    NotFound(String),
    /// The content is not what the database names, or it is malformed.
    #[error("the object `{name}` is invalid: {reason}")]
    Invalid {
        /// Name of the object.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The store cannot be reached, or it refuses the operation; a retry may succeed.
    #[error("the object store is not available: {0}")]
    Unavailable(String),
    /// A local file cannot be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ObjectError {
    /// The error of an operation on an object.
    pub(crate) fn of(name: &str, error: &object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound(name.to_owned()),
            other => {
                // The first line; a store can respond with a whole document.
                let text = other.to_string();
                let line = text.lines().next().unwrap_or_default();
                let cut: String = line.chars().take(300).collect();
                Self::Unavailable(cut)
            }
        }
    }

    pub(crate) fn invalid(name: &str, reason: impl Into<String>) -> Self {
        Self::Invalid {
            name: name.to_owned(),
            reason: reason.into(),
        }
    }

    /// Whether a retry may succeed without a change of the object.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Io(_))
    }
}
