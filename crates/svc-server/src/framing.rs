//! Inspects raw request heads for framing that the HTTP parser hides: it drops `Content-Length` if
//! `Transfer-Encoding` is present, and accepts codings before `chunked` that it does not decode.
//! Such requests are used for request smuggling past a proxy (RFC 9112, section 11.2).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memchr;

/// Shares the findings about the heads of a connection with its service.
#[derive(Debug, Clone)]
pub(crate) struct Framing {
    first_bad: Arc<AtomicUsize>,
}

impl Framing {
    pub(crate) fn new() -> Self {
        Self {
            first_bad: Arc::new(AtomicUsize::new(usize::MAX)),
        }
    }

    /// Whether the request with this index on the connection, or an earlier one, has both
    /// `Content-Length` and `Transfer-Encoding`, or a `Transfer-Encoding` other than `chunked`.
    pub(crate) fn is_ambiguous(&self, request: usize) -> bool {
        self.first_bad.load(Ordering::Acquire) <= request
    }
}

/// `PRI * HTTP/2.0` has 14 bytes; `transfer-encoding: chunked` has 26 and may contain white space.
const MAX_LINE_START: usize = 40;

/// Scans the bytes of a connection line by line. It stays synchronized because a request with a
/// body is always the last one of its connection (see `service`).
#[derive(Debug)]
pub(crate) struct HeadScan {
    framing: Framing,
    start: [u8; MAX_LINE_START],
    length: usize,
    last: u8,
    lines: usize,
    content_length: bool,
    transfer_encoding: bool,
    /// The transfer coding is not exactly `chunked`.
    unknown_coding: bool,
    http2: bool,
    heads: usize,
}

impl HeadScan {
    pub(crate) fn new(framing: Framing) -> Self {
        Self {
            framing,
            start: [0; MAX_LINE_START],
            length: 0,
            last: 0,
            lines: 0,
            content_length: false,
            transfer_encoding: false,
            unknown_coding: false,
            http2: false,
            heads: 0,
        }
    }

    /// Number of complete heads; the HTTP/2 preface is one.
    pub(crate) const fn heads(&self) -> usize {
        self.heads
    }

    /// Whether bytes of an incomplete head were received. The bytes of a body look the same; while
    /// there are any, their request is being handled.
    pub(crate) const fn is_in_head(&self) -> bool {
        self.lines > 0 || self.length > 0
    }

    /// Scans bytes. Returns their number; fewer after the preface of HTTP/2, which is not scanned.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut rest = bytes;
        while !(rest.is_empty() || self.http2 && self.heads > 0) {
            let line = memchr(b'\n', rest).and_then(|at| rest.split_at_checked(at));
            let Some((line, end)) = line else {
                self.add(rest);
                return bytes.len();
            };
            self.add(line);
            self.end_line();
            rest = end.get(1..).unwrap_or_default();
        }
        bytes.len() - rest.len()
    }

    /// Adds bytes to the line.
    fn add(&mut self, bytes: &[u8]) {
        let free = self.start.get_mut(self.length..).unwrap_or_default();
        for (slot, byte) in free.iter_mut().zip(bytes) {
            *slot = byte.to_ascii_lowercase();
        }
        self.length = self.length.saturating_add(bytes.len());
        self.last = bytes.last().copied().unwrap_or(self.last);
    }

    fn end_line(&mut self) {
        let empty = self.length == 0 || (self.length == 1 && self.last == b'\r');
        let line = &self.start[..self.length.min(MAX_LINE_START)];
        if !empty {
            self.http2 |= self.heads == 0 && self.lines == 0 && line.starts_with(b"pri * http/2.0");
            self.content_length |= self.lines > 0 && line.starts_with(b"content-length:");
            if self.lines > 0
                && let Some(coding) = line.strip_prefix(b"transfer-encoding:")
            {
                let complete = self.length <= MAX_LINE_START;
                self.unknown_coding |= !complete || self.transfer_encoding;
                self.unknown_coding |= coding.trim_ascii() != b"chunked";
                self.transfer_encoding = true;
            }
            self.lines += 1;
        } else if self.lines > 0 {
            if (self.content_length && self.transfer_encoding) || self.unknown_coding {
                self.framing
                    .first_bad
                    .fetch_min(self.heads, Ordering::AcqRel);
            }
            (self.content_length, self.transfer_encoding) = (false, false);
            self.unknown_coding = false;
            self.lines = 0;
            self.heads += 1;
        }
        self.length = 0;
        self.last = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_ambiguous(input: &str) -> Option<usize> {
        let framing = Framing::new();
        let mut scan = HeadScan::new(framing.clone());
        // One byte at a time: the result must not depend on how the bytes are split.
        for byte in input.bytes() {
            scan.feed(&[byte]);
        }
        (0..10).find(|at| framing.is_ambiguous(*at))
    }

    #[test]
    fn conflicting_framing_headers_are_detected_in_either_order() {
        let head = "GET / HTTP/1.1\r\nHost: a\r\n";
        let (length, encoding) = ("content-LENGTH: 3\r\n", "Transfer-Encoding: chunked\r\n");
        assert_eq!(
            first_ambiguous(&format!("{head}{length}{encoding}\r\n")),
            Some(0)
        );
        assert_eq!(
            first_ambiguous(&format!("{head}{encoding}{length}\r\n")),
            Some(0)
        );
        assert_eq!(
            first_ambiguous(&format!("{head}{encoding}\r\n{head}{length}\r\n")),
            None
        );
        assert_eq!(
            first_ambiguous(&format!("{head}\r\n{head}{length}{encoding}\r\n")),
            Some(1)
        );
    }

    #[test]
    fn only_chunked_is_accepted() {
        let of = |lines: &str| first_ambiguous(&format!("GET / HTTP/1.1\r\n{lines}\r\n"));
        let parse = |value: &str| of(&format!("Transfer-Encoding:{value}\r\n"));
        for good in [" chunked", "chunked", "\tCHUNKED  "] {
            assert_eq!(parse(good), None, "{good}");
        }
        let long = format!(" chunked{}", " ".repeat(40));
        for odd in [
            " gzip, chunked",
            " chunked, chunked",
            " ,chunked",
            " identity",
            "",
            &long,
        ] {
            assert_eq!(parse(odd), Some(0), "{odd}");
        }
        let twice = "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n";
        assert_eq!(of(twice), Some(0));
        assert_eq!(of("X: Transfer-Encoding: gzip\r\n"), None);
    }

    #[test]
    fn the_beginning_of_a_head_is_recognized() {
        let begins = |input: &str| {
            let mut scan = HeadScan::new(Framing::new());
            scan.feed(input.as_bytes());
            scan.is_in_head()
        };
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        assert!(begins("G") && begins(&format!("{get}G")) && begins(&format!("{get}GET / H\r\n")));
        assert!(!begins("") && !begins(get) && !begins(&format!("{get}\r\n")));
        assert!(!begins("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    }

    #[test]
    fn http2_frames_are_not_read_as_lines() {
        let text =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nx\r\ncontent-length:\r\ntransfer-encoding:\r\n\r\n";
        assert_eq!(first_ambiguous(text), None);
    }
}
