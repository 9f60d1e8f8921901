//! Header fields and their compression.

use super::Outcome::{GoAway, Reset};
use super::*;
use crate::http::frames::DATA;

/// A request without a body, and then some header fields.
fn get(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = GET.to_vec();
    block.extend(literals(fields));
    block
}

/// Header fields that are not compressed.
pub(super) fn literals(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).unwrap());
            block.extend(text.as_bytes());
        }
    }
    block
}

/// A request with these header fields only.
fn only(fields: &[(&str, &str)]) -> Vec<Sent> {
    vec![(HEADERS, COMPLETE_HEADERS, 1, literals(fields))]
}

/// A request with these header fields, too.
pub(super) fn with(fields: &[(&str, &str)]) -> Vec<Sent> {
    vec![(HEADERS, COMPLETE_HEADERS, 1, get(fields))]
}

/// Violations of section 8 and of RFC 7541: header fields and their compression.
pub(super) fn malformed() -> Vec<Case> {
    let block = |bytes: &[u8]| vec![(HEADERS, COMPLETE_HEADERS, 1, bytes.to_vec())];
    let fields = [
        (":method", "GET"),
        (":scheme", "http"),
        (":path", "/"),
        (":authority", "a"),
    ];
    let without = |name: &str| {
        let all: Vec<_> = fields.into_iter().filter(|field| field.0 != name).collect();
        only(&all)
    };
    let late = [("x", "y"), (":path", "/")];
    let bad: &[Outcome] = &[Reset(PROTOCOL_ERROR)];
    let broken: &[Outcome] = &[GoAway(COMPRESSION_ERROR)];
    vec![
        ("upper case", with(&[("X-Y", "z")]), bad),
        ("unknown pseudo-header", with(&[(":x", "y")]), bad),
        (
            "pseudo-header of responses",
            with(&[(":status", "200")]),
            bad,
        ),
        ("pseudo-header twice", with(&[(":path", "/")]), bad),
        (
            "pseudo-header after a field",
            only(&[&fields[..2], &late].concat()),
            bad,
        ),
        ("no method", without(":method"), bad),
        ("no scheme", without(":scheme"), bad),
        ("no path", without(":path"), bad),
        ("connection", with(&[("connection", "close")]), bad),
        ("keep-alive", with(&[("keep-alive", "9")]), bad),
        (
            "proxy-connection",
            with(&[("proxy-connection", "close")]),
            bad,
        ),
        (
            "transfer-encoding",
            with(&[("transfer-encoding", "chunked")]),
            bad,
        ),
        ("upgrade", with(&[("upgrade", "h2c")]), bad),
        ("te", with(&[("te", "gzip")]), bad),
        ("line break in a value", with(&[("x", "a\r\ny: z")]), bad),
        ("NUL in a value", with(&[("x", "a\0b")]), bad),
        ("space in a name", with(&[("x y", "z")]), bad),
        (
            "more DATA than content-length",
            vec![
                (HEADERS, END_HEADERS, 1, get(&[("content-length", "1")])),
                (DATA, 1, 1, vec![0; 9]),
            ],
            bad,
        ),
        (
            "less DATA than content-length",
            vec![
                (HEADERS, END_HEADERS, 1, get(&[("content-length", "9")])),
                (DATA, 1, 1, vec![0; 1]),
            ],
            bad,
        ),
        (
            "content-length without DATA",
            with(&[("content-length", "9")]),
            bad,
        ),
        ("index 0", block(&[0x80]), broken),
        ("index out of the table", block(&[0xff, 0x80, 0x01]), broken),
        (
            "table larger than announced",
            block(&[0x3f, 0xe1, 0xff, 0x03]),
            broken,
        ),
        ("incomplete literal", block(&[0x00, 9, b'x']), broken),
        (
            "invalid Huffman code",
            block(&[0x00, 0x84, 255, 255, 255, 255, 0]),
            broken,
        ),
    ]
}
