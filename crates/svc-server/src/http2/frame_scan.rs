//! Splits the bytes of one direction of a connection into frames.

use super::DATA;

/// Length of a frame header (RFC 9113, section 4.1).
const HEADER_BYTES: usize = 9;
/// Flag of DATA and HEADERS frames.
const END_STREAM: u8 = 1;
/// Flag of HEADERS and CONTINUATION frames.
const END_HEADERS: u8 = 4;

/// Header of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameHeader {
    /// Number of bytes of the payload.
    pub(super) length: usize,
    pub(super) kind: u8,
    flags: u8,
    pub(super) stream: u32,
}

impl FrameHeader {
    pub(super) const fn ends_headers(self) -> bool {
        self.flags & END_HEADERS != 0
    }

    pub(super) const fn ends_stream(self) -> bool {
        self.flags & END_STREAM != 0
    }
}

#[derive(Debug, Default)]
pub(super) struct FrameScan {
    header: [u8; HEADER_BYTES],
    /// Number of bytes of the header that are known.
    known: usize,
    /// Number of bytes of the payload that are still to come.
    remaining: usize,
}

impl FrameScan {
    /// Calls `on_frame` for each header that is complete. Returns the number of bytes of DATA
    /// frames without their headers.
    pub(super) fn feed(
        &mut self,
        mut bytes: &[u8],
        mut on_frame: impl FnMut(FrameHeader),
    ) -> usize {
        let mut data = 0;
        while !bytes.is_empty() {
            if self.remaining > 0 {
                let count = self.remaining.min(bytes.len());
                if self.header.get(3) == Some(&DATA) {
                    data += count;
                }
                self.remaining -= count;
                bytes = bytes.get(count..).unwrap_or_default();
                continue;
            }
            let (byte, rest) = (bytes.first().copied(), bytes.get(1..));
            if let (Some(slot), Some(byte)) = (self.header.get_mut(self.known), byte) {
                *slot = byte;
            }
            self.known += 1;
            bytes = rest.unwrap_or_default();
            if self.known == HEADER_BYTES {
                let [a, b, c, kind, flags, s, t, u, v] = self.header;
                self.remaining = u32::from_be_bytes([0, a, b, c]) as usize;
                self.known = 0;
                on_frame(FrameHeader {
                    length: self.remaining,
                    kind,
                    flags,
                    // The first bit is reserved.
                    stream: u32::from_be_bytes([s & 0x7f, t, u, v]),
                });
            }
        }
        data
    }

    /// Whether a part of a header is known.
    pub(super) const fn is_in_header(&self) -> bool {
        self.known > 0
    }

    pub(super) const fn is_between_frames(&self) -> bool {
        self.known == 0 && self.remaining == 0
    }
}
