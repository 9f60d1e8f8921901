//! Notations in comments of the code: `[!code ++]` and similar.

use std::borrow::Cow;

/// Maximum number of notations per line.
const MAX_PER_LINE: usize = 8;
/// Maximum number of marked words per block, because each is searched on each of its lines.
const MAX_WORDS: usize = 20;

/// Kind of a line mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// Added line.
    Add,
    /// Removed line.
    Remove,
    /// Highlighted line.
    Highlight,
    /// Focused line; the others are dimmed.
    Focus,
    /// Line with an error.
    Error,
    /// Line with a warning.
    Warning,
}

/// A mark of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineMark {
    /// Line number in the remaining code, 1-based.
    pub line: usize,
    /// Kind of the mark.
    pub kind: MarkKind,
}

/// A word that is highlighted on a range of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordMark {
    /// First line, 1-based.
    pub first: usize,
    /// Last line, inclusive.
    pub last: usize,
    /// The word.
    pub word: String,
}

/// Code without its notations, and the marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotatedCode<'a> {
    /// The remaining code.
    pub code: Cow<'a, str>,
    /// Line marks, in order.
    pub lines: Vec<LineMark>,
    /// Marked words.
    pub words: Vec<WordMark>,
}

const KINDS: [(&str, MarkKind); 7] = [
    ("++", MarkKind::Add),
    ("--", MarkKind::Remove),
    ("highlight", MarkKind::Highlight),
    ("hl", MarkKind::Highlight),
    ("focus", MarkKind::Focus),
    ("error", MarkKind::Error),
    ("warning", MarkKind::Warning),
];

/// A notation in a line: an index of `KINDS` or a word, and the number of lines it covers.
#[derive(Debug, Clone)]
enum Notation {
    Line(usize, usize),
    Word(String, usize),
}

/// Start delimiters of comments; if several match, the longest comes first.
const OPENERS: [&str; 12] = [
    "{/*", "<!--", "{{!--", "(*", "/*", "//", "--", "#", ";", "%", "'", "\"",
];
/// End delimiters of comments.
const CLOSERS: [&str; 5] = ["*/}", "--}}", "-->", "*/", "*)"];

/// Removes notations from the code and returns them as marks, in order.
///
/// A comment that contains only notations is removed as well; if the line is then blank, it is
/// removed and the mark applies to the next line.
#[must_use]
pub fn apply_notations(code: &str) -> NotatedCode<'_> {
    let mut words = Vec::new();
    if !code.contains("[!code ") {
        return NotatedCode {
            code: Cow::Borrowed(code),
            lines: Vec::new(),
            words,
        };
    }
    let mut out = String::with_capacity(code.len());
    let mut marks = Vec::new();
    // The last line covered so far per kind. Ranges can be long, so that each line is visited once.
    let mut until = [0_usize; KINDS.len()];
    let mut line_number = 1_usize;
    for full in code.split_inclusive('\n') {
        let line = full.trim_end_matches(['\n', '\r']);
        let (remaining, notations) = read_line(line);
        let none = notations.is_empty();
        for mark in notations {
            let last = |count| (line_number - 1).saturating_add(count);
            match mark {
                Notation::Line(kind, count) => {
                    if let Some(slot) = until.get_mut(kind) {
                        *slot = last(count).max(*slot);
                    }
                }
                Notation::Word(word, count) if words.len() < MAX_WORDS => words.push(WordMark {
                    first: line_number,
                    last: last(count),
                    word,
                }),
                Notation::Word(..) => {}
            }
        }
        if !none && remaining.trim().is_empty() {
            continue;
        }
        let before = marks.len();
        for (slot, (_, kind)) in until.iter().zip(KINDS) {
            let mark = LineMark {
                line: line_number,
                kind,
            };
            if line_number <= *slot && !marks.iter().skip(before).any(|known| *known == mark) {
                marks.push(mark);
            }
        }
        out.push_str(&remaining);
        out.push_str(full.get(line.len()..).unwrap_or_default());
        line_number += 1;
    }
    NotatedCode {
        code: Cow::Owned(out),
        lines: marks,
        words,
    }
}

/// Splits a line into the code without notations, and the notations.
fn read_line(line: &str) -> (Cow<'_, str>, Vec<Notation>) {
    let mut notations = Vec::new();
    let mut remaining = Cow::Borrowed(line);
    for _ in 0..MAX_PER_LINE {
        let Some((before, mark, after)) = last_mark(&remaining) else {
            break;
        };
        notations.push(mark);
        let joined = match without_comment(before, after) {
            Some((before, after)) => join(before, after),
            None => join(before, after),
        };
        remaining = Cow::Owned(joined);
    }
    (remaining, notations)
}

/// The last notation in a line, with the text before and after it. With the last one first, the
/// comment around earlier ones is still complete.
fn last_mark(line: &str) -> Option<(&str, Notation, &str)> {
    let mut to = line.len();
    for _ in 0..MAX_PER_LINE {
        let start = line.get(..to)?.rfind("[!code ")?;
        to = start;
        let inside = line.get(start + "[!code ".len()..)?;
        let Some((words, after)) = inside.split_once(']') else {
            continue;
        };
        let before = line.get(..start)?;
        if let Some(notation) = mark(words.trim())
            && OPENERS.iter().any(|opener| before.contains(opener))
        {
            return Some((before, notation, after));
        }
    }
    None
}

/// Parses a notation: `++`, `highlight:3`, `word:name`, `word:name:2`.
fn mark(text: &str) -> Option<Notation> {
    if let Some(text) = text.strip_prefix("word:") {
        let (word, count) = match text.rsplit_once(':') {
            // A colon in the word is escaped with a backslash.
            Some((word, count)) if !word.ends_with('\\') && count.parse::<usize>().is_ok() => {
                (word, count.parse().ok()?)
            }
            _ => (text, usize::MAX),
        };
        let word = word.replace("\\:", ":");
        return (!word.trim().is_empty()).then_some(Notation::Word(word, count));
    }
    let (name, count) = text.split_once(':').unwrap_or((text, "1"));
    let kind = KINDS.iter().position(|kind| kind.0 == name)?;
    Some(Notation::Line(kind, count.parse().ok()?))
}

/// Both sides of a notation without the comment around it, if the comment contains nothing else.
fn without_comment<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let before = before.trim_end();
    let opener = OPENERS.iter().find(|opener| before.ends_with(**opener))?;
    let before = before.strip_suffix(opener)?;
    let rest = after.trim_start();
    match CLOSERS.iter().find_map(|closer| rest.strip_prefix(closer)) {
        Some(rest) => Some((before, rest)),
        None if rest.is_empty() => Some((before.trim_end_matches(*opener), rest)),
        None => None,
    }
}

fn join(before: &str, after: &str) -> String {
    if after.trim().is_empty() {
        before.trim_end().to_owned()
    } else {
        format!("{}{after}", before.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str) -> (String, Vec<(usize, &'static str)>) {
        let marked = apply_notations(code);
        let name = |kind| {
            KINDS
                .iter()
                .find(|known| known.1 == kind)
                .map_or("", |known| known.0)
        };
        (
            marked.code.into_owned(),
            marked
                .lines
                .iter()
                .map(|mark| (mark.line, name(mark.kind)))
                .collect(),
        )
    }

    #[test]
    fn notations_are_removed_and_mark_their_lines() {
        for (code, remaining, marks) in [
            ("a // [!code ++]\nb", "a\nb", vec![(1, "++")]),
            ("a # [!code --]\n", "a\n", vec![(1, "--")]),
            (
                "a // [!code ++:3]\nb\nc\nd",
                "a\nb\nc\nd",
                vec![(1, "++"), (2, "++"), (3, "++")],
            ),
            (
                "<a> <!-- [!code highlight] -->\n",
                "<a>\n",
                vec![(1, "highlight")],
            ),
            ("<A> {/* [!code focus] */}\n", "<A>\n", vec![(1, "focus")]),
            ("a /* [!code hl] */ b", "a b", vec![(1, "highlight")]),
            (
                "a -- [!code focus]\r\nb\r\n",
                "a\r\nb\r\n",
                vec![(1, "focus")],
            ),
            (
                "a // [!code ++] // [!code focus]",
                "a",
                vec![(1, "++"), (1, "focus")],
            ),
            (
                "a // [!code ++] [!code focus]",
                "a",
                vec![(1, "++"), (1, "focus")],
            ),
            (
                "a // why [!code highlight]",
                "a // why",
                vec![(1, "highlight")],
            ),
            (
                "// [!code highlight:2]\na\nb\nc",
                "a\nb\nc",
                vec![(1, "highlight"), (2, "highlight")],
            ),
            ("a ## [!code ++]", "a", vec![(1, "++")]),
            (
                "a // [!code error] \nb # [!code warning]",
                "a\nb",
                vec![(1, "error"), (2, "warning")],
            ),
            (
                "a\nb # [!code ++:99]\nc",
                "a\nb\nc",
                vec![(2, "++"), (3, "++")],
            ),
        ] {
            assert_eq!(shown(code), (remaining.to_owned(), marks), "{code}");
        }
    }

    #[test]
    fn words_are_marked_on_their_lines() {
        for (code, remaining, word, first, last) in [
            ("a b // [!code word:b]\nb", "a b\nb", "b", 1, usize::MAX),
            ("// [!code word:a b:1]\na b\n", "a b\n", "a b", 1, 1),
            ("x\ny # [!code word:y:2]", "x\ny", "y", 2, 3),
            ("x // [!code word:a\\:b:1]", "x", "a:b", 1, 1),
        ] {
            let marked = apply_notations(code);
            assert_eq!(marked.code, remaining, "{code}");
            let expected = WordMark {
                first,
                last,
                word: word.to_owned(),
            };
            assert_eq!(marked.words, [expected], "{code}");
        }
        assert_eq!(apply_notations("x // [!code word:]").words, []);
    }

    #[test]
    fn other_comments_are_unchanged() {
        for code in [
            "plain",
            "let a = [!code ++];",
            "// [!code unknown]",
            "// [!code ++",
            "// [!code ++:x]",
            "[!code ++]",
        ] {
            assert_eq!(shown(code), (code.to_owned(), vec![]), "{code}");
        }
    }

    #[test]
    fn hostile_notations_are_parsed_in_linear_time() {
        let code = "x // [!code ++:18446744073709551615]\n".repeat(20_000);
        assert_eq!(apply_notations(&code).lines.len(), 20_000);
        let _ = apply_notations(&"x // [!code word:x]\n".repeat(20_000));
        let _ = apply_notations(&"// [!code ++] ".repeat(20_000));
        let _ = apply_notations(&"// [!code nothing] ".repeat(20_000));
        let _ = apply_notations(&"// [!code ++:2]\n".repeat(20_000));
    }
}
