//! Decoding of bytes to text.

use crate::Span;

/// A file that is not UTF-8, with the text decoded as far as possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// The decoded text.
    pub text: String,
    /// Description of the problem, as the rest of a sentence whose subject is the file.
    pub problem: String,
    /// Next step that fixes the problem.
    pub hint: &'static str,
    /// First character that is not valid UTF-8; empty for UTF-16 and UTF-32.
    pub span: Span,
}

/// Decodes the bytes of a file as UTF-8.
///
/// # Errors
/// Returns [`DecodeError`] if the bytes are not UTF-8; it holds the text decoded from the most
/// likely encoding.
pub fn decode(bytes: Vec<u8>) -> Result<String, DecodeError> {
    if let Some((name, text)) = decode_utf16_or_utf32(&bytes) {
        return Err(DecodeError {
            text,
            problem: format!("is encoded in {name}, not in UTF-8"),
            hint: "save it as UTF-8; the editor calls this the encoding of the file",
            span: Span::new(0, 0),
        });
    }
    let (bytes, start) = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(problem) => {
            let start = problem.utf8_error().valid_up_to();
            (problem.into_bytes(), start)
        }
    };
    let (text, name) = decode_single_byte(&bytes);
    // Up to the first invalid byte, offsets in the decoded text equal offsets in the bytes.
    let first_invalid = text.get(start..).and_then(|rest| rest.chars().next());
    let span = Span::from_range(start..start + first_invalid.map_or(0, char::len_utf8));
    Err(DecodeError {
        text,
        problem: format!("is not valid UTF-8; it looks like {name}"),
        hint: "save it as UTF-8; this is the first character that is not",
        span,
    })
}

/// Decodes UTF-16 or UTF-32, detected by the byte-order mark or by the zero bytes around the first
/// two characters. `None` for other encodings.
fn decode_utf16_or_utf32(bytes: &[u8]) -> Option<(&'static str, String)> {
    let text16 = |skip: usize, unit: fn([u8; 2]) -> u16| {
        let pairs = bytes.get(skip..).unwrap_or(&[]).chunks(2);
        let units = pairs.map(|pair| unit([pair[0], pair.get(1).copied().unwrap_or(0)]));
        char::decode_utf16(units)
            .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
    };
    let text32 = |skip: usize, unit: fn([u8; 4]) -> u32| {
        let fours = bytes.get(skip..).unwrap_or(&[]).chunks_exact(4);
        fours
            .map(|four| {
                let four = four.try_into().unwrap_or([0; 4]);
                char::from_u32(unit(four)).unwrap_or(char::REPLACEMENT_CHARACTER)
            })
            .collect::<String>()
    };
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => Some(("UTF-32", text32(4, u32::from_le_bytes))),
        [0, 0, 0xFE, 0xFF, ..] => Some(("UTF-32", text32(4, u32::from_be_bytes))),
        [0xFF, 0xFE, ..] => Some(("UTF-16", text16(2, u16::from_le_bytes))),
        [0xFE, 0xFF, ..] => Some(("UTF-16", text16(2, u16::from_be_bytes))),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => {
            Some(("UTF-16", text16(0, u16::from_le_bytes)))
        }
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => {
            Some(("UTF-16", text16(0, u16::from_be_bytes)))
        }
        _ => None,
    }
}

/// Windows-1252 characters for 0x80..=0x9F, where Latin-1 has control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes Windows-1252, or UTF-8 with replacement characters if any part of the bytes is
/// well-formed UTF-8 beyond ASCII.
fn decode_single_byte(bytes: &[u8]) -> (String, &'static str) {
    let well_formed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if well_formed {
        return (
            String::from_utf8_lossy(bytes).into_owned(),
            "UTF-8 with damaged characters",
        );
    }
    let letter = |byte: &u8| match WINDOWS_1252.get(usize::from(byte.wrapping_sub(0x80))) {
        Some(letter) => *letter,
        None => char::from(*byte),
    };
    let text = bytes.iter().map(letter).collect();
    (text, "Latin-1 or Windows-1252")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_encodings_are_decoded_and_named() {
        assert_eq!(decode("é".into()), Ok("é".to_owned()));
        let read = |bytes: &[u8]| {
            let error = decode(bytes.to_vec()).expect_err("the bytes are not UTF-8");
            (error.text, error.problem, error.span)
        };
        let latin = "is not valid UTF-8; it looks like Latin-1 or Windows-1252";
        let text = "a“é".to_owned();
        assert_eq!(
            read(b"a\x93\xe9"),
            (text, latin.to_owned(), Span::new(1, 4))
        );
        let (text, problem, _) = read("é\u{0}".as_bytes().get(..1).unwrap_or_default());
        assert_eq!((text.as_str(), problem.as_str()), ("Ã", latin));
        let (text, problem, span) = read(b"\xc3\xa9 \xff");
        assert_eq!((text.as_str(), span), ("é \u{fffd}", Span::new(3, 6)));
        assert!(problem.contains("damaged"));
        for bytes in [
            &b"\xff\xfea\0b\0"[..],
            b"\xfe\xff\0a\0b",
            b"a\0b\0",
            b"\0a\0b",
        ] {
            let (text, problem, _) = read(bytes);
            assert_eq!(text, "ab");
            assert!(problem.contains("UTF-16"), "{problem}");
        }
    }
}
