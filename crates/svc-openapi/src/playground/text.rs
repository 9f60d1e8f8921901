//! Descriptions as plain text.

/// Markdown without markup, on few lines, up to about `limit` bytes.
pub(super) fn plain(text: Option<&str>, limit: usize) -> String {
    let Some(text) = text else {
        return String::new();
    };
    // Markup is only a part of the text; text far beyond the limit is skipped.
    let text = head(text, limit.saturating_mul(4));
    let mut out = String::with_capacity(text.len().min(limit));
    let mut fresh = true;
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['#', '>']).trim();
        if line.is_empty() || line.starts_with("```") {
            fresh = true;
            continue;
        }
        if !out.is_empty() {
            out.push(if fresh { '\n' } else { ' ' });
        }
        fresh = false;
        strip_inline(line, &mut out);
    }
    short(&out, limit)
}

/// Up to about `limit` bytes.
pub(super) fn short(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut cut = head(text, limit).trim_end().to_owned();
    cut.push('…');
    cut
}

fn head(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// A line: links become their text; tags and the markup of emphasis and code are removed.
fn strip_inline(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let is_alphanumeric = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
        match first {
            '`' => match code(rest) {
                Some((text, following)) => {
                    out.push_str(text);
                    rest = following;
                }
                None => rest = after,
            },
            '*' if after.starts_with('*') => rest = after.get(1..).unwrap_or_default(),
            // An underscore inside of a word and a star between spaces are literal.
            '*' | '_'
                if is_alphanumeric(after.chars().next())
                    != is_alphanumeric(out.chars().next_back()) =>
            {
                rest = after;
            }
            '!' if after.starts_with('[') => rest = after,
            '[' => match link(after) {
                Some((text, following)) => {
                    out.push_str(text);
                    rest = following;
                }
                None => {
                    out.push('[');
                    rest = after;
                }
            },
            '<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
                match head(after, 300).find('>') {
                    Some(end) => rest = after.get(end + 1..).unwrap_or_default(),
                    None => {
                        out.push('<');
                        rest = after;
                    }
                }
            }
            other => {
                out.push(other);
                rest = after;
            }
        }
    }
}

/// The content of a code span between equal runs of backticks, and the rest.
fn code(rest: &str) -> Option<(&str, &str)> {
    let after = rest.trim_start_matches('`');
    let (mark, _) = rest.split_at_checked(rest.len() - after.len())?;
    let (text, _) = head(after, 500).split_once(mark)?;
    let following = after.get(text.len() + mark.len()..)?;
    (!following.starts_with('`')).then_some((text.trim(), following))
}

/// The text of `text](url)`, and the rest.
fn link(after: &str) -> Option<(&str, &str)> {
    let (text, rest) = head(after, 500).split_once("](")?;
    let end = rest.find(')')?;
    let following = after.get(text.len() + 2 + end + 1..)?;
    (!text.contains('[')).then_some((text, following))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn markup_is_removed_and_text_is_retained() {
        let text = "# The `id`\nof **a [pet](https://x.test/a)**, snake_case and _this_.\n\n<b>5 * 3</b> < 20\n```\ncode\n```";
        assert_eq!(
            plain(Some(text), 500),
            "The id of a pet, snake_case and this.\n5 * 3 < 20\ncode"
        );
        let code = "Begins with `svc_` or ``a`b``, `*` or <b>`<x>`</b>; `open and ```.";
        assert_eq!(
            plain(Some(code), 500),
            "Begins with svc_ or a`b, * or <x>; open and ."
        );
        assert_eq!(plain(Some("ääää"), 5), "ää…");
        assert_eq!(plain(None, 5), "");
        assert_eq!(plain(Some("[a [b](c) ]( <x"), 50), "[a b ]( <x");
    }
}
