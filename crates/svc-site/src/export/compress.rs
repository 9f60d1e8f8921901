//! Precompressed copies of exported files, which some web servers send directly.

use std::io::{self, Write as _};

/// Content encoding of a precompressed copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContentEncoding {
    /// gzip, `.gz`.
    Gzip,
    /// Brotli, `.br`.
    Brotli,
}

impl ContentEncoding {
    /// File extension of the copies, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Brotli => "br",
        }
    }
}

/// Extensions of files that are worth compressing; images, fonts and archives already are
/// compressed.
const TEXT_EXTENSIONS: &[&str] = &[
    "css",
    "csv",
    "html",
    "htm",
    "ico",
    "js",
    "json",
    "map",
    "md",
    "mjs",
    "otf",
    "svg",
    "ttf",
    "txt",
    "wasm",
    "webmanifest",
    "xml",
    "yaml",
    "yml",
];

pub(super) fn is_compressible(path: &str) -> bool {
    let ending = path
        .rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'));
    ending
        .is_some_and(|(_, ending)| TEXT_EXTENSIONS.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Compresses bytes. The result is reproducible.
pub(super) fn compress(bytes: &[u8], encoding: ContentEncoding) -> io::Result<Vec<u8>> {
    match encoding {
        ContentEncoding::Gzip => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(bytes)?;
            encoder.finish()
        }
        ContentEncoding::Brotli => {
            let mut out = Vec::new();
            let settings = brotli::enc::BrotliEncoderParams {
                quality: 9,
                lgwin: 22,
                size_hint: bytes.len(),
                ..Default::default()
            };
            brotli::BrotliCompress(&mut &*bytes, &mut out, &settings)?;
            Ok(out)
        }
    }
}
