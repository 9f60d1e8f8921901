//! Ids of projects, jobs, keys, deployments, and tokens and sessions of readers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::random::{Random, RandomError, base62};

/// Maximum length of an id in characters.
const MAX_LEN: usize = 64;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $(starts $prefix:literal)?;)*) => {$(
        $(#[$doc])*
        ///
        /// One to 64 letters and digits of ASCII, `_` and `-`.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Parses an id. Returns `None` if the text is not a valid id.
            pub fn parse(text: &str) -> Option<Self> {
                is_id(text).then(|| Self(text.to_owned()))
            }

            $(
                /// Generates an unpredictable id.
                ///
                /// # Errors
                /// When the random number generator fails.
                pub fn generate(random: &dyn Random) -> Result<Self, RandomError> {
                    Ok(Self(format!(concat!($prefix, "{}"), base62(random, 22)?)))
                }
            )?

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = ParseIdError;

            fn try_from(text: String) -> Result<Self, ParseIdError> {
                if is_id(&text) { Ok(Self(text)) } else { Err(ParseIdError) }
            }
        }
    )*};
}

ids! {
    /// Id of a project.
    ProjectId;
    /// Id of an agent job.
    JobId starts "job_";
    /// Id of a key. It is not part of the secret.
    KeyId starts "key_";
    /// Id of a token of a program that reads. It is not part of the secret.
    ReaderTokenId starts "token_";
    /// Id of a session of a reader. It is not sufficient to read anything.
    ReaderSessionId starts "session_";
    /// Id of a deployment, assigned by the implementation of `Deployments`.
    StatusId;
}

/// The text is not a valid id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id must have 1 to 64 letters, digits, `_` and `-`")]
pub struct ParseIdError;

fn is_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_LEN).contains(&text.len()) && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_plain_texts() {
        for text in ["a", "job_1-B", &"x".repeat(64)] {
            assert!(JobId::parse(text).is_some(), "{text}");
        }
        // spec: admin.job.id refuses
        for text in ["", "a b", "a/b", "ä", "a\0", "..", &"x".repeat(65)] {
            assert!(JobId::parse(text).is_none(), "{text}");
            assert!(JobId::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
