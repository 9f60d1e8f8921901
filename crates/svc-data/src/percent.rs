//! Percent-encoding (RFC 3986, section 2.1), with one named set of characters per purpose.
//!
//! ```
//! use svc_data::percent::{COMPONENT, PATH, decode, encode};
//! assert_eq!(encode("/a b/é", PATH), "/a%20b/%C3%A9");
//! assert_eq!(encode("a/b", COMPONENT), "a%2Fb");
//! assert_eq!(decode("a%20b"), "a b");
//! ```

use std::borrow::Cow;

pub use percent_encoding::AsciiSet;
use percent_encoding::{CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// All characters except unreserved ones (RFC 3986, section 2.3): for a segment of a path or the
/// value of a query.
pub const COMPONENT: &AsciiSet = &without(NON_ALPHANUMERIC, b"-._~");

/// All characters except unreserved ones and slashes.
pub const SEGMENTS: &AsciiSet = &without(COMPONENT, b"/");

/// The set of `encodeURIComponent` of JavaScript.
pub const URI_COMPONENT: &AsciiSet = &without(COMPONENT, b"!*'()");

/// The set of `encodeURI` of JavaScript.
pub const URI: &AsciiSet = &without(URI_COMPONENT, b";/?:@&=+$,#");

/// All characters except unreserved and reserved ones, like the operator `+` of RFC 6570.
pub const RESERVED: &AsciiSet = &without(COMPONENT, b":/?#[]@!$&'()*+,;=");

/// Like [`RESERVED`], but also the characters that are ambiguous in the value of a query: `&`, `#`
/// and `+`.
pub const QUERY: &AsciiSet = &without(COMPONENT, b":/?[]@!$'()*,;=");

/// Like [`RESERVED`], but also the characters that end a segment of a path: `/`, `?` and `#`.
pub const SEGMENT: &AsciiSet = &without(COMPONENT, b":[]@!$&'()*+,;=");

/// All characters that are not allowed in a path (RFC 3986, section 3.3), and therefore also `?`,
/// `#` and `%`.
pub const PATH: &AsciiSet = &without(COMPONENT, b"/!$&'()*+,;=:@");

/// Like [`PATH`], for a path that may be encoded already: `%` is not encoded.
pub const ENCODED_PATH: &AsciiSet = &without(PATH, b"%");

/// Like [`ENCODED_PATH`], for a path with a query and a fragment.
pub const ENCODED_URL: &AsciiSet = &without(ENCODED_PATH, b"?#");

/// Like [`PATH`], but also the characters that would end a URL in an attribute, a list of images, a
/// style sheet or a text.
pub const RELATIVE_PATH: &AsciiSet = &without(SEGMENTS, b"!$*+:=@");

/// All characters of a path of a redirect except those that are common in paths.
pub const REDIRECT_PATH: &AsciiSet = &without(SEGMENTS, b"&+,=@:");

/// Characters that are invalid in a URL of any form, and backslashes, which browsers read as
/// slashes.
pub const LOCATION: &AsciiSet = &with(CONTROLS, b" \\");

/// The characters that would end a path in a URL.
pub const PATH_END: &AsciiSet = &with(&AsciiSet::EMPTY, b" ?#%");

/// The characters that browsers encode in a fragment, and `#`, `%` and brackets.
pub const FRAGMENT: &AsciiSet = &with(&AsciiSet::EMPTY, b"{}[]<>\"`^|\\%# ");

/// The characters that could end `url("…")` in CSS.
pub const CSS_URL: &AsciiSet = &with(&AsciiSet::EMPTY, b"\"\\()'<> ");

/// Only characters outside of ASCII, which [`encode`] always encodes.
pub const NON_ASCII: &AsciiSet = &AsciiSet::EMPTY;

/// Removes characters from a set, so that they are not encoded.
const fn without(set: &AsciiSet, mut plain: &[u8]) -> AsciiSet {
    let mut set = set.union(AsciiSet::EMPTY);
    while let [first, rest @ ..] = plain {
        set = set.remove(*first);
        plain = rest;
    }
    set
}

const fn with(set: &AsciiSet, mut encoded: &[u8]) -> AsciiSet {
    let mut set = set.union(AsciiSet::EMPTY);
    while let [first, rest @ ..] = encoded {
        set = set.add(*first);
        encoded = rest;
    }
    set
}

/// Percent-encodes the characters of `set` and all characters outside of ASCII, as UTF-8.
pub fn encode<'t>(text: &'t str, set: &'static AsciiSet) -> Cow<'t, str> {
    utf8_percent_encode(text, set).into()
}

/// Like [`encode`], but characters outside of ASCII are not encoded.
///
/// ```
/// use svc_data::percent::{PATH_END, encode_ascii};
/// assert_eq!(encode_ascii("/é ü", PATH_END), "/é%20ü");
/// ```
pub fn encode_ascii(text: &str, set: &'static AsciiSet) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        let (ascii, others) = rest.split_at(end);
        out.extend(utf8_percent_encode(ascii, set));
        let end = others.find(|c: char| c.is_ascii()).unwrap_or(others.len());
        let (others, after) = others.split_at(end);
        out.push_str(others);
        rest = after;
    }
    out
}

/// Percent-decodes a text. Invalid escapes are unchanged, and so is the whole text if its bytes are
/// not UTF-8.
///
/// ```
/// use svc_data::percent::decode;
/// assert_eq!(decode("50%, %C3%A9"), "50%, é");
/// assert_eq!(decode("%20%ff"), "%20%ff");
/// ```
pub fn decode(text: &str) -> Cow<'_, str> {
    percent_decode_str(text)
        .decode_utf8()
        .unwrap_or(Cow::Borrowed(text))
}

/// Percent-decodes a text. Invalid escapes are unchanged; bytes that are not UTF-8 become U+FFFD.
///
/// ```
/// use svc_data::percent::decode_lossy;
/// assert_eq!(decode_lossy("%20%ff"), " \u{fffd}");
/// ```
pub fn decode_lossy(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

/// Percent-decodes a text. `None` if an escape is invalid or the bytes are not UTF-8.
///
/// ```
/// use svc_data::percent::decode_strict;
/// assert_eq!(decode_strict("a%20b").as_deref(), Some("a b"));
/// assert_eq!(decode_strict("50%"), None);
/// ```
pub fn decode_strict(text: &str) -> Option<Cow<'_, str>> {
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !text.split('%').skip(1).all(is_escape) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_characters() {
        let ascii: String = (' '..='~').filter(|c| !c.is_alphanumeric()).collect();
        let plain = |set: &'static AsciiSet| {
            let all = ascii.chars();
            all.filter(|c| encode(c.encode_utf8(&mut [0; 4]), set).len() == 1)
                .collect::<String>()
        };
        for (set, expected) in [
            (COMPONENT, "-._~"),
            (SEGMENTS, "-./_~"),
            (URI_COMPONENT, "!'()*-._~"),
            (URI, "!#$&'()*+,-./:;=?@_~"),
            (RESERVED, "!#$&'()*+,-./:;=?@[]_~"),
            (QUERY, "!$'()*,-./:;=?@[]_~"),
            (SEGMENT, "!$&'()*+,-.:;=@[]_~"),
            (PATH, "!$&'()*+,-./:;=@_~"),
            (ENCODED_PATH, "!$%&'()*+,-./:;=@_~"),
            (ENCODED_URL, "!#$%&'()*+,-./:;=?@_~"),
            (RELATIVE_PATH, "!$*+-./:=@_~"),
            (REDIRECT_PATH, "&+,-./:=@_~"),
            (LOCATION, "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"),
            (PATH_END, "!\"$&'()*+,-./:;<=>@[\\]^_`{|}~"),
            (FRAGMENT, "!$&'()*+,-./:;=?@_~"),
            (CSS_URL, "!#$%&*+,-./:;=?@[]^_`{|}~"),
            (NON_ASCII, &*ascii),
        ] {
            assert_eq!(plain(set), expected);
            assert_eq!(encode("é", set), "%C3%A9");
        }
    }

    #[test]
    fn escapes_are_decoded_once() {
        assert_eq!(decode("a%20b%zz%"), "a b%zz%");
        assert_eq!(decode("%2520"), "%20");
        assert_eq!(decode("%+1"), "%+1");
        for invalid in ["%", "%4", "%+1", "%zz", "%%41", "%ff", "é%"] {
            assert_eq!(decode_strict(invalid), None, "{invalid}");
        }
    }
}
