//! Secret of a key: `svc_`, 32 random characters, and a checksum of six characters.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::random::{Random, RandomError, base62, encode_base62};

const PREFIX: &str = "svc_";
const RANDOM_LEN: usize = 32;
const LOOKUP_LEN: usize = 8;
const PAYLOAD_LEN: usize = PREFIX.len() + RANDOM_LEN;
const SECRET_LEN: usize = PAYLOAD_LEN + 6;

/// Secret of a key. It is redacted in debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct KeySecret(String);

impl KeySecret {
    /// Generates a secret.
    ///
    /// # Errors
    /// When the random number generator fails.
    pub fn generate(random: &dyn Random) -> Result<Self, RandomError> {
        let mut text = format!("{PREFIX}{}", base62(random, RANDOM_LEN)?);
        text += &encode_base62(crc32fast::hash(text.as_bytes()));
        Ok(Self(text))
    }

    /// Parses a secret and verifies its checksum. Returns `None` for any other text, without access
    /// to the store.
    pub fn parse(text: &str) -> Option<Self> {
        let letters = text.strip_prefix(PREFIX)?.as_bytes();
        if text.len() != SECRET_LEN || !letters.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let (checked, sum) = text.split_at_checked(PAYLOAD_LEN)?;
        let right = encode_base62(crc32fast::hash(checked.as_bytes()));
        (sum == right).then(|| Self(text.to_owned()))
    }

    /// Lookup prefix.
    pub fn lookup(&self) -> &str {
        let end = PREFIX.len() + LOOKUP_LEN;
        self.0.get(PREFIX.len()..end).unwrap_or_default()
    }

    /// SHA-256 hash, which is stored.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The secret in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::world::TestRandom;

    #[test]
    fn a_generated_key_has_the_format_for_secret_scanners() {
        // spec: admin.auth.key accepts
        let secret = KeySecret::generate(&TestRandom::new(1)).unwrap();
        let text = secret.reveal();
        assert_eq!(text.len(), 42);
        assert!(text.starts_with("svc_"));
        assert!(text[4..].bytes().all(|b| b.is_ascii_alphanumeric()));
        assert_eq!(KeySecret::parse(text).as_ref(), Some(&secret));
        assert_eq!(secret.lookup(), &text[4..12]);
        assert!(!format!("{secret:?}").contains(&text[4..]));
    }

    #[test]
    fn the_checksum_is_the_crc_of_the_preceding_characters() {
        let text = "svc_000000000000000000000000000000000000000";
        assert!(KeySecret::parse(&text[..42]).is_none());
        // CRC32 of `svc_` and 32 zeros, in base62.
        let sum = encode_base62(crc32fast::hash(&text.as_bytes()[..36]));
        let token = format!("{}{sum}", &text[..36]);
        assert!(KeySecret::parse(&token).is_some());
    }

    #[test]
    fn every_changed_character_is_detected() {
        // spec: admin.auth.key refuses
        let text = KeySecret::generate(&TestRandom::new(2))
            .unwrap()
            .reveal()
            .to_owned();
        for at in 0..text.len() {
            for other in ["0", "a", "Z", "_", " ", "é"] {
                let mut changed = text.clone();
                changed.replace_range(at..=at, other);
                assert_eq!(
                    KeySecret::parse(&changed).is_some(),
                    changed == text,
                    "{changed}"
                );
            }
            assert!(KeySecret::parse(&text[..at]).is_none());
        }
        for invalid in [
            format!("{text}0"),
            format!(" {text}"),
            text.replace("svc_", "SVC_"),
        ] {
            assert!(KeySecret::parse(&invalid).is_none(), "{invalid}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "(svc_)?\\PC{0,60}") {
            let _ = KeySecret::parse(&text);
        }
    }
}
