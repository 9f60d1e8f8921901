//! From bytes to text.

use std::borrow::Cow;

use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use crate::codes::ENCODING;

/// The text of a file; anything but UTF-8 is an error that names the encoding.
pub(super) fn decode(path: &str, bytes: &[u8]) -> Checked<SourceFile> {
    if let Some((name, text)) = wide(bytes) {
        let file = SourceFile::new(path, text);
        let message = format!("`{path}` is written in {name}, not in UTF-8");
        let problem = Diagnostic::new(&ENCODING, message)
            .at(file.location(Span::new(0, 0)))
            .pointer("")
            .hint("save it as UTF-8; the editor calls this the encoding of the file");
        return Checked {
            value: file,
            diagnostics: vec![problem],
        };
    }
    let problem = match std::str::from_utf8(bytes) {
        Ok(text) => return Checked::clean(SourceFile::new(path, text)),
        Err(problem) => problem,
    };
    let (text, name) = narrow(bytes);
    let file = SourceFile::new(path, &*text);
    // Before the first bad byte the text is as long as the bytes are.
    let start = u32::try_from(problem.valid_up_to()).unwrap_or(u32::MAX);
    let length = file
        .text()
        .get(problem.valid_up_to()..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8);
    let end = start.saturating_add(u32::try_from(length).unwrap_or(0));
    let message = format!("`{path}` is not valid UTF-8; it looks like {name}");
    let problem = Diagnostic::new(&ENCODING, message)
        .at(file.location(Span::new(start, end)))
        .pointer("")
        .hint("save it as UTF-8; this is the first character that is not");
    Checked {
        value: file,
        diagnostics: vec![problem],
    }
}

/// UTF-16 or UTF-32, told by the byte-order mark or by the zero bytes around the first character.
fn wide(bytes: &[u8]) -> Option<(&'static str, String)> {
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

/// Latin-1 where every byte that is not ASCII could be one of its letters; otherwise damaged UTF-8.
fn narrow(bytes: &[u8]) -> (Cow<'_, str>, &'static str) {
    let well_formed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if well_formed {
        return (
            String::from_utf8_lossy(bytes),
            "UTF-8 with damaged characters",
        );
    }
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    (text.into(), "Latin-1 or Windows-1252")
}
