//! Digests of contents.

use sha2::{Digest as _, Sha256};

/// SHA-256 of several parts; each is preceded by its length, so that their boundaries count.
#[derive(Debug, Default)]
pub(crate) struct Digester(Sha256);

impl Digester {
    pub(crate) fn add(&mut self, part: &[u8]) -> &mut Self {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    pub(crate) fn key(self) -> [u8; 16] {
        let full: [u8; 32] = self.0.finalize().into();
        let mut key = [0; 16];
        key.copy_from_slice(&full[..16]);
        key
    }
}

/// Digest of `bytes` as the opaque part of an entity tag, without quotes.
pub(crate) fn tag(bytes: &[u8]) -> String {
    let mut digester = Digester::default();
    digester.add(bytes);
    hex::encode(digester.key())
}
