//! pkt-line framing of Git's protocol: four hexadecimal digits of length, followed by data.

use std::io::{self, Read};

use crate::GitError;

/// A pkt-line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Packet {
    /// Data.
    Data(Vec<u8>),
    /// `0000`, flush-pkt: the end of a message.
    Flush,
    /// `0001`, delim-pkt: separates the sections of a message.
    Delimiter,
    /// `0002`, response-end-pkt: the end of a response.
    End,
}

impl Packet {
    /// Text of the packet without its line break; `None` for other packets and invalid UTF-8.
    pub(crate) fn text(&self) -> Option<&str> {
        let Self::Data(data) = self else { return None };
        Some(std::str::from_utf8(data).ok()?.trim_end_matches('\n'))
    }
}

/// Reads the next packet; `None` at the end of the stream.
pub(crate) fn read(from: &mut impl Read) -> io::Result<Option<Packet>> {
    let mut digits = [0; 4];
    if from.read(&mut digits[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut digits[1..])?;
    let malformed = || io::Error::new(io::ErrorKind::InvalidData, "invalid pkt-line length");
    let text = std::str::from_utf8(&digits).map_err(|_| malformed())?;
    if !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(malformed());
    }
    let length = usize::from_str_radix(text, 16).map_err(|_| malformed())?;
    Ok(Some(match length {
        0 => Packet::Flush,
        1 => Packet::Delimiter,
        2 => Packet::End,
        3 => return Err(malformed()),
        length => {
            let mut data = vec![0; length - 4];
            from.read_exact(&mut data)?;
            Packet::Data(data)
        }
    }))
}

/// Like [`read`], with the error of the transport. `host` is the server.
pub(crate) fn read_from_host(from: &mut impl Read, host: &str) -> Result<Option<Packet>, GitError> {
    read(from).map_err(|error| map_io_error(error, host))
}

/// Converts an I/O error of a transport.
fn map_io_error(error: io::Error, host: &str) -> GitError {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<svc_fetch::FetchError>())
        && let Some(inner) = error.into_inner()
        && let Ok(inner) = inner.downcast::<svc_fetch::FetchError>()
    {
        return GitError::Network(*inner);
    }
    GitError::protocol(host, "the response is incomplete or malformed")
}

/// Returns an error if the line is an `ERR` message.
pub(crate) fn check_err_line(text: &str, host: &str) -> Result<(), GitError> {
    let Some(message) = text.strip_prefix("ERR ") else {
        return Ok(());
    };
    Err(GitError::remote(host, message))
}

/// Appends a line of text.
pub(crate) fn line(into: &mut Vec<u8>, text: &str) {
    // The limit is 65,516 bytes. These lines only contain names and commit ids.
    into.extend(format!("{:04x}{text}\n", text.len() + 5).as_bytes());
}

pub(crate) fn flush(into: &mut Vec<u8>) {
    into.extend(b"0000");
}

pub(crate) fn delimiter(into: &mut Vec<u8>) {
    into.extend(b"0001");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_round_trip() {
        let mut bytes = Vec::new();
        line(&mut bytes, "want x");
        delimiter(&mut bytes);
        flush(&mut bytes);
        assert_eq!(bytes, b"000bwant x\n00010000");
        let mut from = bytes.as_slice();
        let first = read(&mut from).expect("a line").expect("a line");
        assert_eq!(first.text(), Some("want x"));
        assert_eq!(read(&mut from).expect("a line"), Some(Packet::Delimiter));
        assert_eq!(read(&mut from).expect("a line"), Some(Packet::Flush));
        assert_eq!(read(&mut from).expect("the end"), None);
    }

    #[test]
    fn invalid_packets_are_an_error() {
        for bad in ["0003", "+fff", "00", "zzzz", "0008a", "<htm"] {
            assert!(read(&mut bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
