//! Files that web servers send as they lie there, compressed.

use std::io::{self, Write as _};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContentEncoding {
    /// gzip, `.gz`.
    Gzip,
    /// Brotli, `.br`.
    Brotli,
}

impl ContentEncoding {
    /// What files of it end with.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Brotli => "br",
        }
    }
}

/// Files that get smaller; pictures, fonts and archives are compressed already.
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

/// The bytes, compressed: the same ones for the same file, whenever they are made.
pub(super) fn compress(bytes: &[u8], coding: ContentEncoding) -> io::Result<Vec<u8>> {
    match coding {
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
