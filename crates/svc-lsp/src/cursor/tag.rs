//! The position in a tag of a page.

use std::ops::Range;

use super::{Cursor, Target, line_at, quoted};

/// Maximum distance from the position to the start of its tag in bytes.
const MAX_TAG_BYTES: usize = 8_192;
/// Maximum number of `<` before the position that are tried as the start of its tag.
const MAX_TAG_STARTS: usize = 16;

/// Finds the tag around an offset.
pub(super) fn tag_at(text: &str, offset: usize, body: usize) -> Option<Cursor> {
    let first = text.floor_char_boundary(offset.saturating_sub(MAX_TAG_BYTES).max(body));
    let before = text.get(first..offset)?;
    let starts = before.rmatch_indices('<').take(MAX_TAG_STARTS);
    starts
        .filter_map(|(at, _)| tag_cursor(text, first + at, offset))
        .next()
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'$' | b':')
}

/// What is at an offset if it is inside of the tag that begins at `start`.
fn tag_cursor(text: &str, start: usize, offset: usize) -> Option<Cursor> {
    let bytes = text.as_bytes();
    let closing = bytes.get(start + 1) == Some(&b'/');
    let name_start = start + 1 + usize::from(closing);
    let name_end = end_of(bytes, name_start, is_name);
    let starts_name = bytes
        .get(name_start)
        .is_none_or(|byte| !byte.is_ascii_digit());
    if (name_start..=name_end).contains(&offset) {
        let target = Target::Tag { closing };
        return starts_name.then(|| Cursor::new(target, name_start..name_end, false));
    }
    let tag = text
        .get(name_start..name_end)
        .filter(|name| !name.is_empty() && !closing)?;
    let mut at = name_end;
    loop {
        let blank_end = end_of(bytes, at, |byte| byte.is_ascii_whitespace());
        let next = bytes.get(blank_end).copied();
        let starts_attribute = next.is_some_and(is_name);
        let is_between = at < offset && offset <= blank_end;
        if is_between && !(starts_attribute && offset == blank_end) {
            let tag = tag.to_owned();
            return Some(Cursor::new(
                Target::Attribute { tag },
                offset..offset,
                false,
            ));
        }
        if next == Some(b'{') {
            at = braces_end(bytes, blank_end)?;
            if at > offset {
                return None;
            }
            continue;
        }
        if !starts_attribute {
            return None;
        }
        let attribute_end = end_of(bytes, blank_end, is_name);
        if (blank_end..=attribute_end).contains(&offset) {
            let tag = tag.to_owned();
            return Some(Cursor::new(
                Target::Attribute { tag },
                blank_end..attribute_end,
                false,
            ));
        }
        let name = text.get(blank_end..attribute_end)?;
        at = attribute_end;
        if bytes.get(at) != Some(&b'=') {
            continue;
        }
        let value = at + 1;
        let target = || Target::AttributeValue {
            tag: tag.to_owned(),
            name: name.to_owned(),
        };
        at = match bytes.get(value) {
            Some(b'"' | b'\'') => {
                let line = line_at(text, value).end;
                // A value may span lines, but one that is being written ends with its line.
                let whole = quoted(text, value, text.len())?;
                let span = match text.get(whole.clone())?.contains("\n\n") {
                    true => quoted(text, value, line)?,
                    false => whole,
                };
                if (span.start..=span.end).contains(&offset) {
                    return Some(Cursor::new(target(), span, true));
                }
                span.end + 1
            }
            Some(b'{') => {
                let end = braces_end(bytes, value).unwrap_or(bytes.len());
                if offset <= value || offset >= end {
                    end
                } else {
                    return text_in_braces(text, value + 1..end - 1, offset)
                        .map(|span| Cursor::new(target(), span, true));
                }
            }
            _ if offset == value => {
                return Some(Cursor::new(target(), value..value, false));
            }
            _ => value,
        };
        if at > offset {
            return None;
        }
    }
}

/// The text of an expression that is only a string.
fn text_in_braces(text: &str, inside: Range<usize>, offset: usize) -> Option<Range<usize>> {
    let expression = text.get(inside.clone())?;
    let start = inside.start + (expression.len() - expression.trim_start().len());
    if !matches!(text.as_bytes().get(start), Some(b'"' | b'\'')) {
        return None;
    }
    let span = quoted(text, start, inside.end)?;
    (span.start <= offset && offset <= span.end).then_some(span)
}

fn end_of(bytes: &[u8], start: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|byte| !is_part(*byte));
    start + length.unwrap_or(rest.len())
}

/// The offset after the brace that closes the one at `start`. `None` if it is not closed nearby.
fn braces_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let rest = bytes.get(start..)?;
    for (at, byte) in rest.iter().copied().take(MAX_TAG_BYTES).enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') if depth == 1 => return Some(start + at + 1),
            (None, b'}') => depth -= 1,
            _ => {}
        }
    }
    None
}
