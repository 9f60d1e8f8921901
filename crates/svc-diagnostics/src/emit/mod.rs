//! Diagnostics as text for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::{Diagnostic, Location};

/// Problems of one code that are printed as text; of more their number.
const MAX_PER_CODE: usize = 100;
/// Characters of a line that are shown before the place in it, and behind.
const MAX_EXCERPT_CHARS: usize = 100;

/// Text for a terminal, one block per problem, with the line it points at. Of the problems of one
/// code the first 100 are printed. `text_of` gives the text of a file by its path; without it the
/// excerpt is left out.
pub fn render_text<'a>(
    diagnostics: &[Diagnostic],
    text_of: &dyn Fn(&str) -> Option<&'a str>,
) -> String {
    let mut out = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for found in diagnostics {
        let count = counts.entry(found.code.id).or_default();
        *count += 1;
        if *count > MAX_PER_CODE {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{}[{}]: {}",
            found.severity.as_str(),
            found.code.id,
            found.message
        );
        if let Some(at) = &found.location {
            excerpt(&mut out, at, text_of);
        }
        if let Some(pointer) = found
            .pointer
            .as_deref()
            .filter(|pointer| !pointer.is_empty())
        {
            let _ = writeln!(out, "  = at {pointer}");
        }
        for label in &found.labels {
            let at = &label.location;
            let _ = writeln!(
                out,
                "  = {}:{}:{}: {}",
                at.file, at.start.line, at.start.column, label.message
            );
        }
        if let Some(hint) = &found.hint {
            let _ = writeln!(out, "  = hint: {hint}");
        }
    }
    for (code, count) in counts.iter().filter(|(_, count)| **count > MAX_PER_CODE) {
        let _ = writeln!(out, "and {} more [{code}]", count - MAX_PER_CODE);
    }
    escape_control_chars(&out)
}

/// A text for a terminal in which no character works on the terminal: pages and messages that quote
/// them may be written by strangers. Lines and tabs stay; others stand as their pictures (U+2400).
pub fn escape_control_chars(text: &str) -> String {
    let shown = |c: char| match u32::from(c) {
        0x09 | 0x0a => c,
        code @ 0x00..=0x1f => char::from_u32(0x2400 + code).unwrap_or(' '),
        0x7f => '\u{2421}',
        // The second set of controls, and what turns the direction of writing.
        0x80..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 => '\u{fffd}',
        _ => c,
    };
    text.chars().map(shown).collect()
}

fn excerpt<'a>(out: &mut String, at: &Location, text_of: &dyn Fn(&str) -> Option<&'a str>) {
    let _ = writeln!(
        out,
        "  --> {}:{}:{}",
        at.file, at.start.line, at.start.column
    );
    let line = text_of(&at.file).and_then(|text| text.lines().nth(at.start.line as usize - 1));
    let Some(line) = line else {
        return;
    };
    let column = at.start.column as usize - 1;
    // Of a long line only what stands around the place.
    let skipped = match line.chars().nth(2 * MAX_EXCERPT_CHARS) {
        Some(_) => column.saturating_sub(MAX_EXCERPT_CHARS),
        None => 0,
    };
    let shown: String = line
        .chars()
        .skip(skipped)
        .take(2 * MAX_EXCERPT_CHARS)
        .collect();
    let column = column - skipped;
    let length = shown.chars().count();
    let width = if at.end.line == at.start.line {
        at.end.column.saturating_sub(at.start.column) as usize
    } else {
        length.saturating_sub(column)
    };
    let width = width.min(length.saturating_sub(column)).max(1);
    // Tabs stay tabs so that the caret stands under its character.
    let lead: String = shown
        .chars()
        .take(column)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let number = at.start.line.to_string();
    let gap = " ".repeat(number.len());
    let _ = writeln!(
        out,
        " {number} | {shown}\n {gap} | {lead}{}",
        "^".repeat(width)
    );
}

/// The problems as a JSON array, one object each: `code`, `severity`, `message`, and where known
/// `hint`, `file`, `line`, `column`, `endLine`, `endColumn`, `pointer`, `related`.
pub fn render_json(diagnostics: &[Diagnostic]) -> Value {
    diagnostics
        .iter()
        .map(|found| {
            let mut object = json!({
                "code": found.code.id,
                "severity": found.severity.as_str(),
                "message": found.message,
            });
            if let Some(at) = &found.location {
                insert_location(&mut object, at);
            }
            if let Some(hint) = &found.hint {
                object["hint"] = json!(hint);
            }
            if let Some(pointer) = &found.pointer {
                object["pointer"] = json!(pointer);
            }
            if !found.labels.is_empty() {
                object["related"] = found
                    .labels
                    .iter()
                    .map(|label| {
                        let mut object = json!({ "message": label.message });
                        insert_location(&mut object, &label.location);
                        object
                    })
                    .collect();
            }
            object
        })
        .collect()
}

fn insert_location(object: &mut Value, at: &Location) {
    object["file"] = json!(&*at.file);
    object["line"] = json!(at.start.line);
    object["column"] = json!(at.start.column);
    object["endLine"] = json!(at.end.line);
    object["endColumn"] = json!(at.end.column);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiagnosticCode, SourceFile, Span};

    static CODE: DiagnosticCode = DiagnosticCode::warning("demo", "a demonstration");

    #[test]
    fn the_excerpt_points_at_the_characters() {
        let file = SourceFile::new("docs.json", "{\n\t\"é\": 1\n}");
        let found = Diagnostic::new(&CODE, "unknown key `é`")
            .at(file.location(Span::new(3, 7)))
            .hint("remove it");
        let text = render_text(&[found], &|_| Some(file.text()));
        let expected = "warning[demo]: unknown key `é`\n  --> docs.json:2:2\n 2 | \t\"é\": 1\n   | \t^^^\n  = hint: remove it\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn of_a_long_line_and_a_long_list_a_part_is_shown() {
        let file = SourceFile::new(
            "a.json",
            format!("{}here{}", "a".repeat(5_000), "b".repeat(5_000)),
        );
        let found = Diagnostic::new(&CODE, "bad").at(file.location(Span::new(5_000, 5_004)));
        let text = render_text(&vec![found; 2_000], &|_| Some(file.text()));
        let lead = "a".repeat(MAX_EXCERPT_CHARS);
        assert!(text.contains(&format!(" 1 | {lead}hereb")), "{text}");
        assert!(
            text.contains(&format!("   | {}^^^^\n", " ".repeat(MAX_EXCERPT_CHARS))),
            "{text}"
        );
        assert!(text.ends_with("and 1900 more [demo]\n"), "{text}");
        assert_eq!(text.lines().count(), 100 * 4 + 1);
    }

    #[test]
    fn no_character_works_on_the_terminal() {
        let file = SourceFile::new(
            "a\u{1b}[2Jb.mdx",
            "a\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\r\tü",
        );
        let found = Diagnostic::new(&CODE, "bad `\u{1b}[31m`")
            .at(file.location(Span::new(0, 1)))
            .hint("remove \u{7f}");
        let text = render_text(&[found], &|_| Some(file.text()));
        let expected = "warning[demo]: bad `␛[31m`\n  --> a␛[2Jb.mdx:1:1\n 1 | a␛]0;title␇\u{fffd}31m\u{fffd}␍\tü\n   | ^\n  = hint: remove ␡\n";
        assert_eq!(text, expected);
    }
}
