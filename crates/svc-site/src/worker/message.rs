//! Protocol between the program and a child.
//!
//! A frame is the kind (one byte), the length of the contents (four bytes, little-endian) and the
//! contents. Contents with several parts have a length (eight bytes, little-endian) before each
//! part.

use std::io::{self, Read, Write};

/// Maximum size of the contents of a frame in bytes.
pub(super) const MAX_FRAME_BYTES: usize = 128 << 20;

/// The only command line argument of a child.
pub(super) const ARGUMENT: &str = "--svc-worker-process";

/// Kind of a request to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// Reset the state of the previous page. There is no response.
    Session,
    /// Run a component: a request of `ComponentSession`.
    Component,
    /// Check that an image can be used.
    Check,
    /// A square PNG of an image: side, whether it is opaque, image.
    Png,
    /// An ICO file of an image.
    Ico,
    /// A preview image: shared inputs and texts.
    OgImage,
    /// A narrower copy of an image: width, image.
    Variant,
}

impl RequestKind {
    const ALL: [Self; 7] = [
        Self::Session,
        Self::Component,
        Self::Check,
        Self::Png,
        Self::Ico,
        Self::OgImage,
        Self::Variant,
    ];

    fn number(self) -> u8 {
        let at = Self::ALL.iter().position(|kind| *kind == self);
        at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
    }
}

/// Writes a request.
pub(super) fn write(to: &mut impl Write, kind: RequestKind, contents: &[u8]) -> io::Result<()> {
    write_frame(to, kind.number(), contents)
}

/// Writes a response.
pub(super) fn write_response(to: &mut impl Write, contents: &[u8]) -> io::Result<()> {
    write_frame(to, 0, contents)
}

fn write_frame(to: &mut impl Write, number: u8, contents: &[u8]) -> io::Result<()> {
    let too_large = || io::Error::other("the frame is too large");
    if contents.len() > MAX_FRAME_BYTES {
        return Err(too_large());
    }
    let length = u32::try_from(contents.len()).map_err(|_| too_large())?;
    let mut head = [number; 5];
    head[1..].copy_from_slice(&length.to_le_bytes());
    to.write_all(&head)?;
    to.write_all(contents)?;
    to.flush()
}

/// Reads a request. `None` at the end of the stream.
pub(super) fn read(from: &mut impl Read) -> io::Result<Option<(RequestKind, Vec<u8>)>> {
    let mut first = [0];
    if from.read(&mut first)? == 0 {
        return Ok(None);
    }
    let kind = RequestKind::ALL.get(usize::from(first[0]));
    let kind = *kind.ok_or_else(|| io::Error::other("the kind is unknown"))?;
    Ok(Some((kind, contents(from)?)))
}

/// Reads a response.
pub(super) fn read_response(from: &mut impl Read) -> io::Result<Vec<u8>> {
    from.read_exact(&mut [0])?;
    contents(from)
}

fn contents(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length as usize > MAX_FRAME_BYTES {
        return Err(io::Error::other("the frame is too large"));
    }
    // Memory grows with the bytes that arrive, not with the announced length.
    let mut contents = Vec::new();
    let read = from.take(length.into()).read_to_end(&mut contents)?;
    if read < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(contents)
}

/// Appends a part to contents with several parts.
pub(super) fn put(contents: &mut Vec<u8>, part: &[u8]) {
    contents.extend((part.len() as u64).to_le_bytes());
    contents.extend(part);
}

/// Splits the next part off. `None` when the contents are too short.
pub(super) fn take<'a>(contents: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = contents.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (part, rest) = rest.split_at_checked(length)?;
    *contents = rest;
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_parts_round_trip() {
        let mut parts = Vec::new();
        put(&mut parts, b"one");
        put(&mut parts, b"");
        let mut stream = Vec::new();
        for kind in RequestKind::ALL {
            write(&mut stream, kind, &parts).expect("it is small");
        }
        let mut from = &stream[..];
        for kind in RequestKind::ALL {
            let (read, contents) = read(&mut from).expect("whole").expect("there");
            assert_eq!(read, kind);
            let mut rest = &contents[..];
            assert_eq!(take(&mut rest), Some(&b"one"[..]));
            assert_eq!(take(&mut rest), Some(&b""[..]));
            assert_eq!(take(&mut rest), None);
        }
        assert_eq!(read(&mut from).expect("the end"), None);
    }

    #[test]
    fn invalid_frames_are_errors() {
        for invalid in [
            &[200, 0, 0, 0, 0][..],
            &[1, 255, 255, 255, 255, 1],
            &[1, 4, 0, 0, 0, 1],
            &[1, 4],
        ] {
            let mut from = invalid;
            assert!(read(&mut from).is_err(), "{invalid:?}");
        }
        let mut parts = &[255_u8; 12][..];
        assert_eq!(take(&mut parts), None);
    }
}
