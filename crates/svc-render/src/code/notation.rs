//! Marks written as comments inside the code: `[!code ++]` and its kin.

use std::borrow::Cow;

/// Marks read per line; people write one or two.
const MAX_PER_LINE: usize = 8;

/// What a mark says about its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// The line was added.
    Add,
    /// The line was removed.
    Remove,
    /// The line stands out.
    Highlight,
    /// The line stays clear while the others fade.
    Focus,
}

/// A mark of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineMark {
    /// Number of the line in the code that remains, counted from one.
    pub line: usize,
    /// What is said about it.
    pub kind: MarkKind,
}

const KINDS: [(&str, MarkKind); 5] = [
    ("++", MarkKind::Add),
    ("--", MarkKind::Remove),
    ("highlight", MarkKind::Highlight),
    ("hl", MarkKind::Highlight),
    ("focus", MarkKind::Focus),
];

/// How comments begin; of two that fit, the longer comes first.
const OPENERS: [&str; 12] = [
    "{/*", "<!--", "{{!--", "(*", "/*", "//", "--", "#", ";", "%", "'", "\"",
];
/// How comments end.
const CLOSERS: [&str; 5] = ["*/}", "--}}", "-->", "*/", "*)"];

/// Takes the comment marks out of the code and turns them into marks of lines, in order.
///
/// A comment that held nothing else goes too; when the line then is blank, it goes as well and its mark is about the
/// next line.
#[must_use]
pub fn apply_notations(code: &str) -> (Cow<'_, str>, Vec<LineMark>) {
    if !code.contains("[!code ") {
        return (Cow::Borrowed(code), Vec::new());
    }
    let mut out = String::with_capacity(code.len());
    let mut marks = Vec::new();
    // For each kind, the last line it covers so far: ranges may be long, and each line is looked at once.
    let mut until = [0_usize; KINDS.len()];
    let mut line_number = 1_usize;
    for full in code.split_inclusive('\n') {
        let line = full.trim_end_matches(['\n', '\r']);
        let (kept, found) = read_line(line);
        for (kind, count) in &found {
            let last = (line_number - 1).saturating_add(*count);
            if let Some(slot) = until.get_mut(*kind) {
                *slot = last.max(*slot);
            }
        }
        if !found.is_empty() && kept.trim().is_empty() {
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
        out.push_str(&kept);
        out.push_str(full.get(line.len()..).unwrap_or_default());
        line_number += 1;
    }
    (Cow::Owned(out), marks)
}

/// The line without its marks, and each mark's place in `KINDS` with the number of lines it covers.
fn read_line(line: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    let mut found = Vec::new();
    let mut kept = Cow::Borrowed(line);
    for _ in 0..MAX_PER_LINE {
        let Some((before, mark, after)) = last_mark(&kept) else {
            break;
        };
        found.push(mark);
        let joined = match without_comment(before, after) {
            Some((before, after)) => join(before, after),
            None => join(before, after),
        };
        kept = Cow::Owned(joined);
    }
    (kept, found)
}

/// The last mark in a comment, with what is before and after it: the comment before an earlier one is then still whole.
fn last_mark(line: &str) -> Option<(&str, (usize, usize), &str)> {
    let mut to = line.len();
    for _ in 0..MAX_PER_LINE {
        let start = line.get(..to)?.rfind("[!code ")?;
        to = start;
        let inside = line.get(start + "[!code ".len()..)?;
        let Some((words, after)) = inside.split_once(']') else {
            continue;
        };
        let (name, count) = words.trim().split_once(':').unwrap_or((words.trim(), "1"));
        let before = line.get(..start)?;
        let kind = KINDS.iter().position(|kind| kind.0 == name);
        if let (Some(kind), Ok(count)) = (kind, count.parse::<usize>())
            && OPENERS.iter().any(|opener| before.contains(opener))
        {
            return Some((before, (kind, count), after));
        }
    }
    None
}

/// Both sides of a mark without the comment around it, when the comment holds nothing else.
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
        let (code, marks) = apply_notations(code);
        let name = |kind| {
            KINDS
                .iter()
                .find(|known| known.1 == kind)
                .map_or("", |known| known.0)
        };
        (
            code.into_owned(),
            marks
                .iter()
                .map(|mark| (mark.line, name(mark.kind)))
                .collect(),
        )
    }

    #[test]
    fn marks_leave_the_code_and_name_their_lines() {
        for (code, kept, marks) in [
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
                "a\nb # [!code ++:99]\nc",
                "a\nb\nc",
                vec![(2, "++"), (3, "++")],
            ),
        ] {
            assert_eq!(shown(code), (kept.to_owned(), marks), "{code}");
        }
    }

    #[test]
    fn text_that_is_no_mark_stays() {
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
    fn hostile_marks_are_read_in_one_pass() {
        let (_, marks) =
            apply_notations(&"x // [!code ++:18446744073709551615]\n".repeat(20_000)).clone();
        assert_eq!(marks.len(), 20_000);
        let _ = apply_notations(&"// [!code ++] ".repeat(20_000));
        let _ = apply_notations(&"// [!code nothing] ".repeat(20_000));
        let _ = apply_notations(&"// [!code ++:2]\n".repeat(20_000));
    }
}
