//! Line breaking.

/// Breaks `text` into at most `max` lines of at most `max_width`. Lines break at spaces, before and
/// after letters of scripts without spaces, and anywhere in a word that is wider than a line. Text
/// that does not fit is replaced with an ellipsis.
pub(crate) fn wrap_lines(
    text: &str,
    width: impl Fn(char) -> f32,
    max_width: f32,
    max: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0.0;
    let mut all = true;
    for piece in pieces(text) {
        let wide: f32 = piece.trim_end().chars().map(&width).sum();
        if used + wide > max_width && !line.is_empty() {
            push(&mut lines, &mut line);
            used = 0.0;
        }
        if lines.len() == max {
            all = false;
            break;
        }
        for c in piece.chars() {
            let own = width(c);
            if used + own > max_width && !c.is_whitespace() && !line.is_empty() {
                push(&mut lines, &mut line);
                used = 0.0;
                if lines.len() == max {
                    all = false;
                    break;
                }
            }
            line.push(c);
            used += own;
        }
    }
    if lines.len() < max {
        push(&mut lines, &mut line);
    } else if !line.trim().is_empty() {
        all = false;
    }
    if !all && let Some(last) = lines.last_mut() {
        shorten(last, &width, max_width);
    }
    lines
}

fn push(lines: &mut Vec<String>, line: &mut String) {
    let text = line.trim();
    if !text.is_empty() {
        lines.push(text.to_owned());
    }
    line.clear();
}

/// Shortens a line until an ellipsis fits, and appends it.
fn shorten(line: &mut String, width: &impl Fn(char) -> f32, max_width: f32) {
    let dots = width('…');
    let mut wide: f32 = line.chars().map(width).sum();
    while wide + dots > max_width
        && let Some(c) = line.pop()
    {
        wide -= width(c);
    }
    let end = line.trim_end_matches([' ', ',', '.', ';', ':', '…']).len();
    line.truncate(end);
    line.push('…');
}

/// Splits a text into words with their trailing spaces, and single letters of scripts without
/// spaces.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let breaks = before.is_some_and(|before| {
            (before.is_whitespace() && !c.is_whitespace())
                || (is_unspaced(before) && !is_closing(c))
                || (is_unspaced(c) && !is_closing(c))
        });
        if breaks && at > start {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    pieces.push(&text[start..]);
    pieces
}

/// Whether the character belongs to a script without spaces, such as Chinese, Japanese or Thai.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff | 0xf900..=0xfaff | 0xff00..=0xffef | 0x20000..=0x3ffff)
}

/// Whether the character must not begin a line.
fn is_closing(c: char) -> bool {
    "、。，．！？）」』】：；,.!?)".contains(c)
}

/// The first `max` characters of a text.
pub(super) fn truncate(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(text: &str, max_width: f32, max: usize) -> Vec<String> {
        wrap_lines(text, |_| 1.0, max_width, max)
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 8.0, 3), ["one two", "three"]);
        assert_eq!(wrap("one two", 7.0, 3), ["one two"]);
        assert_eq!(wrap("", 7.0, 3), [""; 0]);
    }

    #[test]
    fn text_wider_than_a_line_breaks_anywhere() {
        assert_eq!(wrap("abcdefgh", 3.0, 9), ["abc", "def", "gh"]);
    }

    #[test]
    fn overflowing_text_ends_in_an_ellipsis() {
        assert_eq!(wrap("one two three four", 8.0, 2), ["one two", "three…"]);
        assert_eq!(wrap("abcdefgh", 3.0, 1), ["ab…"]);
        assert_eq!(wrap("one, two", 4.0, 1), ["one…"]);
        assert_eq!(truncate("abcdef", 3), "abc…");
    }

    #[test]
    fn scripts_without_spaces_break_between_letters_but_not_before_marks() {
        assert_eq!(wrap("文档文档。文档", 4.0, 3), ["文档文", "档。文档"]);
    }

    #[test]
    fn malicious_texts_terminate() {
        let long = "x".repeat(10_000);
        assert_eq!(wrap(&long, 0.5, 3).len(), 3);
        assert_eq!(wrap_lines(&long, |_| f32::NAN, 10.0, 2).len(), 1);
        assert_eq!(wrap(&" ".repeat(1_000), 3.0, 2), [""; 0]);
    }
}
