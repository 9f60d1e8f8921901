//! Rendered pages and their compressed forms.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use svc_render::FragmentLink;

use crate::dependencies::DependencySet;
use crate::digest;

/// Bytes with their gzip and Brotli forms, which are produced on first use.
#[derive(Debug)]
pub struct CompressedBytes {
    /// The uncompressed bytes.
    pub bytes: Arc<[u8]>,
    /// Entity tag without quotes; servers append a suffix for the compressed forms.
    pub etag: Arc<str>,
    gzip: OnceLock<Arc<[u8]>>,
    brotli: OnceLock<Arc<[u8]>>,
}

impl CompressedBytes {
    /// Wraps `bytes` and computes their entity tag.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let etag = digest::tag(&bytes).into();
        Self {
            bytes,
            etag,
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
        }
    }

    /// The gzip form. `None` unless it was produced before.
    pub fn cached_gzip(&self) -> Option<&Arc<[u8]>> {
        self.gzip.get()
    }

    /// The Brotli form. `None` unless it was produced before.
    pub fn cached_brotli(&self) -> Option<&Arc<[u8]>> {
        self.brotli.get()
    }

    /// The gzip form, produced on the first call.
    pub fn gzip(&self) -> &Arc<[u8]> {
        self.gzip.get_or_init(|| {
            let level = flate2::Compression::new(6);
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            // Writing to a Vec cannot fail.
            let bytes = encoder
                .write_all(&self.bytes)
                .and_then(|()| encoder.finish());
            bytes.unwrap_or_default().into()
        })
    }

    /// The Brotli form, produced on the first call.
    pub fn brotli(&self) -> &Arc<[u8]> {
        self.brotli.get_or_init(|| {
            let mut out = Vec::new();
            let parameters = brotli::enc::BrotliEncoderParams {
                quality: 5,
                lgwin: 20,
                ..Default::default()
            };
            // Writing to a Vec cannot fail.
            let _ = brotli::BrotliCompress(&mut &*self.bytes, &mut out, &parameters);
            out.into()
        })
    }

    /// Whether the bytes are long enough for compression to pay off (512 bytes).
    pub fn is_compressible(&self) -> bool {
        self.bytes.len() >= 512
    }
}

/// A rendered page.
#[derive(Debug)]
pub struct PageOutput {
    /// The HTML document.
    pub html: CompressedBytes,
    /// Whether rendering panicked: the page then only reports the error.
    pub broken: bool,
    /// CSP digest sources (`'sha256-…'`) of the page's inline scripts; empty where the page loads
    /// its scripts by tags.
    pub digests: Vec<String>,
    /// URL paths of the modules of its components, with the base path.
    pub modules: Vec<String>,
    /// URL paths of the schema fragments that it links to.
    pub fragments: Vec<String>,
    /// Dependencies of the parts of the page outside of its article.
    pub(crate) dependencies: DependencySet,
}

/// A rendered schema fragment.
#[derive(Debug)]
pub struct SchemaFragmentOutput {
    /// The HTML document.
    pub html: CompressedBytes,
    /// Links to nested fragments.
    pub(crate) fragments: Vec<FragmentLink>,
    /// Element ids in the fragment.
    pub(crate) ids: Vec<String>,
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn compressed_forms_unpack_to_the_same_bytes() {
        let text = "a page with words and words and words. ".repeat(100);
        let packed = CompressedBytes::new(text.as_bytes());
        assert!(packed.cached_gzip().is_none());
        let mut plain = String::new();
        flate2::read::GzDecoder::new(&packed.gzip()[..])
            .read_to_string(&mut plain)
            .unwrap();
        assert_eq!(plain, text);
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &packed.brotli()[..], &mut plain).unwrap();
        assert_eq!(plain, text.as_bytes());
        assert!(packed.brotli().len() < text.len() / 4);
    }
}
