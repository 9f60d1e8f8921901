//! Escapes in URLs, titles and attributes, and character references.

use std::fmt::Write as _;

use crate::text::{is_space, reference};

/// Appends `c` as a character reference, or unchanged if there is no reference for it.
pub(super) fn refer(c: char, out: &mut String) {
    let start = out.len();
    // Writing to a string cannot fail.
    let _ = write!(out, "&#x{:X};", u32::from(c));
    let named = out.get(start..).and_then(reference);
    if named.is_none_or(|(_, read)| !read.chars().eq([c])) {
        out.truncate(start);
        out.push(c);
    }
}

/// Returns true if a character reference begins at `rest`, which begins with `&`.
pub(super) fn is_reference(rest: &str) -> bool {
    reference(rest).is_some()
}

/// Appends a link destination.
pub(super) fn destination(url: &str, cell: bool, out: &mut String) {
    let mut open = 0usize;
    let mut balanced = true;
    for byte in url.bytes() {
        match byte {
            b'(' => {
                open += 1;
                balanced &= open <= 30;
            }
            b')' if open == 0 => balanced = false,
            b')' => open -= 1,
            _ => {}
        }
    }
    balanced &= open == 0;
    let pointed = url.is_empty()
        || url.starts_with('<')
        || !balanced
        || url.bytes().any(|byte| byte <= b' ' || byte == 0x7f);
    if pointed {
        out.push('<');
    }
    escaped(url, out, |c| {
        (pointed && matches!(c, '<' | '>')) || (cell && c == '|')
    });
    if pointed {
        out.push('>');
    }
}

/// Appends a title with its quotes.
pub(super) fn title(title: &str, cell: bool, out: &mut String) {
    let quote = if title.contains('"') && !title.contains('\'') {
        '\''
    } else {
        '"'
    };
    out.push(quote);
    escaped(title, out, |c| c == quote || (cell && c == '|'));
    out.push(quote);
}

/// Appends the info string of a code fence.
pub(super) fn info(info: &str, spaces: bool, dollars: bool, out: &mut String) {
    for (at, c) in info.char_indices() {
        let edge = at == 0;
        if (dollars && c == '$') || (matches!(c, ' ' | '\t') && (spaces || edge)) {
            refer(c, out);
        } else {
            let end = at + c.len_utf8();
            let rest = info.get(end..).unwrap_or("");
            escape_one(c, rest, out, |_| false);
        }
    }
}

fn escaped(text: &str, out: &mut String, also: impl Fn(char) -> bool + Copy) {
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or("");
        escape_one(c, rest, out, also);
    }
}

/// Appends a character of text in which escapes and references are decoded. Line endings become
/// references.
fn escape_one(c: char, rest: &str, out: &mut String, also: impl Fn(char) -> bool) {
    match c {
        '\n' | '\r' => refer(c, out),
        '\\' if rest.is_empty() || rest.starts_with(|next: char| next.is_ascii_punctuation()) => {
            out.push_str("\\\\");
        }
        '&' if may_refer(rest) => out.push_str("\\&"),
        c if also(c) => {
            out.push('\\');
            out.push(c);
        }
        c => out.push(c),
    }
}

/// Returns true if `&` before `rest` may begin a reference.
fn may_refer(rest: &str) -> bool {
    rest.starts_with(|c: char| c == '#' || c.is_ascii_alphanumeric())
        && rest.bytes().take(34).any(|byte| byte == b';')
}

/// Appends the value of an attribute with its quotes; on one line if `flat` is true.
pub(super) fn attribute(value: &str, flat: bool, cell: bool, out: &mut String) {
    let quote = if value.contains('"') && !value.contains('\'') {
        '\''
    } else {
        '"'
    };
    out.push(quote);
    let mut line_start = false;
    let mut slashes = 0;
    for (at, c) in value.char_indices() {
        let rest = value.get(at..).unwrap_or("");
        let ending = matches!(c, '\n' | '\r');
        let refers = c == quote
            || (ending && flat)
            || (line_start && !ending && is_space(c))
            || (cell && c == '|' && slashes % 2 == 0)
            || (c == '&' && is_reference(rest));
        if refers && c == '&' {
            out.push_str("&amp;");
        } else if refers && c == '"' {
            out.push_str("&quot;");
        } else if refers {
            refer(c, out);
        } else {
            out.push(c);
        }
        line_start = ending && !flat;
        slashes = if c == '\\' { slashes + 1 } else { 0 };
    }
    out.push(quote);
}

/// Appends the text of an expression with the indentation that the parser removes.
pub(super) fn expression(value: &str, out: &mut String) {
    let mut rest = value;
    loop {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        out.push_str(line);
        let ending = crate::text::line_ending(after.as_bytes(), 0);
        if ending == 0 {
            return;
        }
        let (ending, next) = after.split_at(ending);
        out.push_str(ending);
        if next.starts_with([' ', '\t']) {
            out.push_str("  ");
        }
        rest = next;
    }
}
