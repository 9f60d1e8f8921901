//! Encodes texts of authors for the Markdown of forges.
//!
//! A backslash before punctuation prevents markup, HTML and links. Forges look for
//! mentions and references after that, in the text that readers see: an invisible character after the
//! characters that begin one prevents these.

/// Maximum length of a text in characters.
const MAX_TEXT_CHARS: usize = 300;
/// ZERO WIDTH SPACE.
const INVISIBLE: char = '\u{200b}';
/// Punctuation that begins neither markup nor a link.
const HARMLESS: &str = ",;?'\"";
/// Characters before a mention, a reference or an automatic link.
const TRIGGERS: &str = "@#!%~$&^:+/";

/// A text as it is, in one line.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    for letter in plain(text).chars() {
        if letter.is_ascii_punctuation() && !HARMLESS.contains(letter) {
            out.push('\\');
        }
        out.push(letter);
        let is_gh = letter == '-' && out.to_ascii_lowercase().ends_with("gh\\-");
        if TRIGGERS.contains(letter) || is_gh {
            out.push(INVISIBLE);
        }
    }
    out
}

/// A text as code, in one line. Forges find no mentions and references in code.
pub(super) fn code(text: &str) -> String {
    let text = plain(text);
    if text.trim().is_empty() {
        return String::new();
    }
    let longest = text.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.starts_with(' ') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A message of a diagnostic, which has names in backticks.
pub(super) fn message(text: &str) -> String {
    let text = plain(text);
    let parts: Vec<&str> = text.split('`').collect();
    // A name can contain a backtick itself.
    if parts.len().is_multiple_of(2) {
        return prose(&text);
    }
    let parts = parts.iter().enumerate().map(|(index, part)| {
        let is_name = index % 2 == 1;
        if is_name { code(part) } else { prose(part) }
    });
    parts.collect()
}

/// The text in one line without control and invisible characters, cut to the limit.
fn plain(text: &str) -> String {
    let is_invisible = |letter: char| {
        matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut out: String = text
        .chars()
        .filter(|letter| !is_invisible(*letter))
        .map(
            |letter| match letter.is_control() || letter.is_whitespace() {
                true => ' ',
                false => letter,
            },
        )
        .take(MAX_TEXT_CHARS + 1)
        .collect();
    if out.chars().count() > MAX_TEXT_CHARS {
        out.pop();
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_no_markup_mentions_or_references() {
        for (text, expected) in [
            ("Plain words", "Plain words"),
            ("@ada", "\\@\u{200b}ada"),
            ("#12 !3", "\\#\u{200b}12 \\!\u{200b}3"),
            ("GH-12", "GH\\-\u{200b}12"),
            ("a@b.c", "a\\@\u{200b}b\\.c"),
            ("https://x.y", "https\\:\u{200b}\\/\u{200b}\\/\u{200b}x\\.y"),
            ("<img src=x>", "\\<img src\\=x\\>"),
            ("[a](b)", "\\[a\\]\\(b\\)"),
            ("a\n# b", "a \\#\u{200b} b"),
            ("a\u{202e}b\u{0}", "ab "),
        ] {
            assert_eq!(prose(text), expected, "{text:?}");
        }
        assert_eq!(prose(&"x".repeat(400)).chars().count(), 301);
    }

    #[test]
    fn code_cannot_end_early() {
        for (text, expected) in [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("a``b`", "``` a``b` ```"),
            ("a\n\nb", "`a  b`"),
            (" ", ""),
        ] {
            assert_eq!(code(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_in_messages_are_code() {
        assert_eq!(
            message("the page `/@x` does not exist"),
            "the page `/@x` does not exist"
        );
        // An odd number of backticks.
        assert_eq!(
            message("the page `a`b` @x"),
            "the page \\`a\\`b\\` \\@\u{200b}x"
        );
    }
}
