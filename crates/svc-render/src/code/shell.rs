//! Placeholders in shell commands: `<your-key>` is not a redirection.

use std::borrow::Cow;

/// The line for the grammar: brackets of placeholders become letters, so that a placeholder is one
/// word of its command. Offsets do not change.
pub(super) fn readable(line: &str) -> Cow<'_, str> {
    if !line.contains('<') || !line.contains('>') {
        return Cow::Borrowed(line);
    }
    let mut bytes: Vec<u8> = Vec::new();
    let mut from = 0;
    while let Some(open) = line.get(from..).and_then(|rest| rest.find('<')) {
        let open = from + open;
        let rest = line.get(open + 1..).unwrap_or_default();
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || "_-. /:|".contains(c)))
            .unwrap_or(rest.len());
        from = open + 1;
        let Some(name) = rest
            .get(..length)
            .filter(|_| is_placeholder(line, open, length))
        else {
            continue;
        };
        if bytes.is_empty() {
            bytes = line.as_bytes().to_vec();
        }
        for at in [open, open + 1 + name.len()] {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = b'x';
            }
        }
        // Blanks inside would end the word.
        for (at, _) in name.match_indices([' ', '|']) {
            if let Some(byte) = bytes.get_mut(open + 1 + at) {
                *byte = b'_';
            }
        }
        from = open + length + 2;
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.is_empty() => Cow::Owned(text),
        _ => Cow::Borrowed(line),
    }
}

/// Whether the bracket at `open` with a name of `length` bytes is a placeholder, and not `< in >
/// out` or `<<END`.
fn is_placeholder(line: &str, open: usize, length: usize) -> bool {
    let name = line.get(open + 1..open + 1 + length).unwrap_or_default();
    let before = line.get(..open).and_then(|text| text.chars().next_back());
    let after = line
        .get(open + 2 + length..)
        .and_then(|text| text.chars().next());
    name.starts_with(char::is_alphabetic)
        && name.ends_with(char::is_alphanumeric)
        && line
            .get(open + 1 + length..)
            .is_some_and(|rest| rest.starts_with('>'))
        && !matches!(before, Some('<' | '&' | '0'..='9'))
        && !matches!(after, Some('>' | '&' | '('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_become_words_and_redirections_are_unchanged() {
        for (line, expected) in [
            ("run <your-key> --x", "run xyour-keyx --x"),
            ("run --id=<id>", "run --id=xidx"),
            ("run <a b|c> <d>", "run xa_b_cx xdx"),
            ("run <schlüssel>", "run xschlüsselx"),
            ("cat < in > out", "cat < in > out"),
            ("cat <in >out", "cat <in >out"),
            ("cat <<END >x", "cat <<END >x"),
            ("a 2<b>c", "a 2<b>c"),
            ("diff <(a) >(b)", "diff <(a) >(b)"),
            ("no", "no"),
        ] {
            assert_eq!(readable(line), expected);
            assert_eq!(readable(line).len(), line.len());
        }
    }

    #[test]
    fn hostile_lines_take_linear_time() {
        let _ = readable(&"<a ".repeat(100_000));
        let _ = readable(&"<a>".repeat(100_000));
    }
}
