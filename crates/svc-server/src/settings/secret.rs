//! A text that must not be seen.

use std::fmt;
use std::sync::Arc;

/// A password, a token or a key. It is never printed: `Debug` writes `…`, and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// A secret with this text.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed_with_what_holds_it() {
        let secret = Some(Secret::new("hunter2"));
        assert!(!format!("{secret:?} {secret:#?}").contains("hunter2"));
        assert_eq!(
            secret.map(|secret| secret.expose().len()),
            Some("hunter2".len())
        );
    }
}
