//! Streaming decompression within a limit.
//!
//! Not by `async-compression`, which would add crates: `deflate` without a zlib header, which some
//! servers send, would have to be detected here anyway.

use std::io::{self, Write};

use brotli::DecompressorWriter;
use flate2::write::MultiGzDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use hyper::body::Bytes;

/// Why a body cannot be decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// The decompressed body exceeds the limit.
    TooLarge,
    /// The data is invalid or truncated.
    Malformed,
}

/// Decompresses a body chunk by chunk.
pub(crate) enum Decoder {
    /// No data has been received yet.
    Pending(ContentEncoding),
    Gzip(Box<MultiGzDecoder<Sink>>),
    Deflate(Box<Inflate>),
    Brotli(Box<DecompressorWriter<Sink>>),
}

/// A supported content encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentEncoding {
    Gzip,
    Deflate,
    Brotli,
}

impl ContentEncoding {
    /// Value of `Accept-Encoding`.
    pub(crate) const ACCEPT_ENCODING: &'static str = "gzip, deflate, br";

    /// Parses `Content-Encoding`. Returns `None` for a plain body and an error for an unknown
    /// encoding.
    pub(crate) fn parse(text: &str) -> Option<Result<Self, ()>> {
        match text.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => None,
            "gzip" | "x-gzip" => Some(Ok(Self::Gzip)),
            "deflate" => Some(Ok(Self::Deflate)),
            "br" => Some(Ok(Self::Brotli)),
            _ => Some(Err(())),
        }
    }
}

/// Collects decompressed bytes up to a limit.
#[derive(Debug)]
pub(crate) struct Sink {
    out: Vec<u8>,
    remaining: u64,
    full: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len() as u64;
        if length > self.remaining {
            self.full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.remaining -= length;
        self.out.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Decoder for `deflate`, with or without the zlib header. flate2's writer does not report whether
/// the end of the stream was reached.
pub(crate) struct Inflate {
    state: Decompress,
    finished: bool,
    sink: Sink,
}

impl Inflate {
    fn push(&mut self, mut piece: &[u8]) -> io::Result<()> {
        let mut buffer = [0; 8 << 10];
        while !self.finished {
            let (read, written) = (self.state.total_in(), self.state.total_out());
            let flush = FlushDecompress::None;
            let status = self.state.decompress(piece, &mut buffer, flush)?;
            let read = usize::try_from(self.state.total_in() - read).unwrap_or(usize::MAX);
            let written = usize::try_from(self.state.total_out() - written).unwrap_or(0);
            piece = piece.get(read..).unwrap_or_default();
            self.sink
                .write_all(buffer.get(..written).unwrap_or_default())?;
            self.finished = status == Status::StreamEnd;
            if piece.is_empty() && written < buffer.len() {
                break;
            }
        }
        Ok(())
    }
}

impl Decoder {
    pub(crate) const fn new(coding: ContentEncoding) -> Self {
        Self::Pending(coding)
    }

    /// Decompresses the next chunk. At most `left` bytes of the body may still be produced.
    pub(crate) fn push(&mut self, piece: &[u8], left: u64) -> Result<Bytes, DecodeError> {
        let Some(first) = piece.first() else {
            return Ok(Bytes::new());
        };
        if let Self::Pending(coding) = *self {
            *self = Self::begin(coding, *first, left);
        }
        let result = match self {
            Self::Pending(_) => Ok(()),
            Self::Gzip(decoder) => write_and_flush(decoder.as_mut(), piece),
            Self::Deflate(decoder) => decoder.push(piece),
            Self::Brotli(decoder) => write_and_flush(decoder.as_mut(), piece),
        };
        self.take_output(result)
    }

    /// Returns the remaining bytes at the end of the body.
    pub(crate) fn finish(&mut self) -> Result<Bytes, DecodeError> {
        let done = match self {
            Self::Pending(_) => Ok(()),
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Deflate(decoder) if !decoder.finished => Err(io::ErrorKind::UnexpectedEof.into()),
            Self::Deflate(_) => Ok(()),
            Self::Brotli(decoder) => decoder.close(),
        };
        self.take_output(done)
    }

    fn begin(coding: ContentEncoding, first: u8, left: u64) -> Self {
        let sink = Sink {
            out: Vec::new(),
            remaining: left,
            full: false,
        };
        match coding {
            ContentEncoding::Gzip => Self::Gzip(Box::new(MultiGzDecoder::new(sink))),
            ContentEncoding::Brotli => {
                Self::Brotli(Box::new(DecompressorWriter::new(sink, 16 << 10)))
            }
            // `deflate` means the zlib format (RFC 9110, 8.4.1.2), but some servers omit its
            // header.
            ContentEncoding::Deflate => Self::Deflate(Box::new(Inflate {
                state: Decompress::new(first & 0x0f == 8 && first >> 4 <= 7),
                finished: false,
                sink,
            })),
        }
    }

    fn take_output(&mut self, done: io::Result<()>) -> Result<Bytes, DecodeError> {
        let sink = match self {
            Self::Pending(_) => return Ok(Bytes::new()),
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Deflate(decoder) => &mut decoder.sink,
            Self::Brotli(decoder) => decoder.get_mut(),
        };
        match done {
            Ok(()) => Ok(Bytes::from(std::mem::take(&mut sink.out))),
            Err(_) if sink.full => Err(DecodeError::TooLarge),
            Err(_) => Err(DecodeError::Malformed),
        }
    }
}

/// Writes a chunk to a decoder and flushes it, so that a stream is not delayed.
fn write_and_flush(decoder: &mut impl Write, piece: &[u8]) -> io::Result<()> {
    decoder.write_all(piece)?;
    decoder.flush()
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    fn packed(coding: ContentEncoding, raw: bool, plain: &[u8]) -> Vec<u8> {
        let level = Compression::new(6);
        let done = match (coding, raw) {
            (ContentEncoding::Gzip, _) => {
                let mut encoder = GzEncoder::new(Vec::new(), level);
                encoder.write_all(plain).and_then(|()| encoder.finish())
            }
            (ContentEncoding::Deflate, false) => {
                let mut encoder = ZlibEncoder::new(Vec::new(), level);
                encoder.write_all(plain).and_then(|()| encoder.finish())
            }
            (ContentEncoding::Deflate, true) => {
                let mut encoder = DeflateEncoder::new(Vec::new(), level);
                encoder.write_all(plain).and_then(|()| encoder.finish())
            }
            (ContentEncoding::Brotli, _) => {
                let mut out = Vec::new();
                let parameters = brotli::enc::BrotliEncoderParams::default();
                brotli::BrotliCompress(&mut &*plain, &mut out, &parameters).map(|_| out)
            }
        };
        done.expect("compresses")
    }

    const ALL: [(ContentEncoding, bool); 4] = [
        (ContentEncoding::Gzip, false),
        (ContentEncoding::Deflate, false),
        (ContentEncoding::Deflate, true),
        (ContentEncoding::Brotli, false),
    ];

    fn unpacked(
        coding: ContentEncoding,
        bytes: &[u8],
        step: usize,
        left: u64,
    ) -> Result<Vec<u8>, DecodeError> {
        let mut decoder = Decoder::new(coding);
        let mut out = Vec::new();
        for piece in bytes.chunks(step) {
            out.extend(decoder.push(piece, left)?);
        }
        out.extend(decoder.finish()?);
        Ok(out)
    }

    #[test]
    fn every_encoding_is_decoded_from_chunks_of_any_size() {
        let plain = "words and words and other words. ".repeat(300).into_bytes();
        for (coding, raw) in ALL {
            let bytes = packed(coding, raw, &plain);
            for step in [1, 7, 1000, 1 << 20] {
                let result = unpacked(coding, &bytes, step, 1 << 20);
                assert_eq!(result.as_ref(), Ok(&plain), "{coding:?} {raw} {step}");
            }
        }
    }

    #[test]
    fn a_decompression_bomb_stops_at_the_limit() {
        let plain = vec![0; 32 << 20];
        for (coding, raw) in ALL {
            let bytes = packed(coding, raw, &plain);
            assert!(bytes.len() < 64 << 10, "{coding:?} is a bomb");
            let result = unpacked(coding, &bytes, 8 << 10, 1 << 20);
            assert_eq!(result, Err(DecodeError::TooLarge), "{coding:?} {raw}");
        }
    }

    #[test]
    fn invalid_or_truncated_data_is_an_error() {
        for (coding, raw) in ALL {
            let bytes = packed(coding, raw, &[b'a'; 5000]);
            let short = &bytes[..bytes.len() - 3];
            assert!(unpacked(coding, short, 100, 1 << 20).is_err(), "{coding:?}");
            let noise = unpacked(coding, &[0xff; 300], 100, 1 << 20);
            assert!(noise.is_err(), "{coding:?} {raw}");
        }
        assert_eq!(unpacked(ContentEncoding::Gzip, &[], 1, 10), Ok(Vec::new()));
    }
}
