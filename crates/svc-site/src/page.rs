//! A finished page.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use crate::dependencies::DependencySet;
use crate::digest;

/// Bytes with their compressed forms, which are made when they are asked for first.
#[derive(Debug)]
pub struct CompressedBytes {
    /// The plain form.
    pub bytes: Arc<[u8]>,
    /// Entity tag without quotes; of the compressed forms it gets an ending.
    pub etag: Arc<str>,
    gzip: OnceLock<Arc<[u8]>>,
    brotli: OnceLock<Arc<[u8]>>,
}

impl CompressedBytes {
    /// Takes the bytes.
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

    /// The gzip form, if it was made before.
    pub fn cached_gzip(&self) -> Option<&Arc<[u8]>> {
        self.gzip.get()
    }

    /// The Brotli form, if it was made before.
    pub fn cached_brotli(&self) -> Option<&Arc<[u8]>> {
        self.brotli.get()
    }

    /// The gzip form.
    pub fn gzip(&self) -> &Arc<[u8]> {
        self.gzip.get_or_init(|| {
            let level = flate2::Compression::new(6);
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            // Writing to a Vec cannot fail.
            let written = encoder
                .write_all(&self.bytes)
                .and_then(|()| encoder.finish());
            written.unwrap_or_default().into()
        })
    }

    /// The Brotli form.
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

    /// Whether compressing is worth it.
    pub fn is_compressible(&self) -> bool {
        self.bytes.len() >= 512
    }
}

/// A page as it is sent.
#[derive(Debug)]
pub struct PageOutput {
    /// The HTML document.
    pub html: CompressedBytes,
    /// Whether rendering failed: the page only says so.
    pub broken: bool,
    /// Digests of the scripts that stand in it, as a policy names them; none where it loads its
    /// scripts by tags.
    pub digests: Vec<String>,
    /// Addresses of the modules of its components, with the base path.
    pub modules: Vec<String>,
    /// Paths of the parts of schemas that it leads to.
    pub fragments: Vec<String>,
    /// What stands around its article was made from.
    pub(crate) dependencies: DependencySet,
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
