//! Output of diagnostics: terminal text, JSON, SARIF, and annotations of GitHub Actions.

mod github;
mod sarif;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

pub use self::github::render_github;
pub use self::sarif::render_sarif;
use crate::{Diagnostic, Fix, Location};

/// Maximum number of diagnostics of one code in the text; the rest is summarized by its count.
const MAX_PER_CODE: usize = 100;
/// Maximum number of characters of a line shown before the location, and after it.
const MAX_EXCERPT_CHARS: usize = 100;

/// Formats diagnostics for a terminal, one block each, with the source line they point at. At most
/// 100 diagnostics of a code are included. `text_of` returns the text of a file by its path; if it
/// returns `None`, the excerpt is omitted.
pub fn render_text<'a>(
    diagnostics: &[Diagnostic],
    text_of: &dyn Fn(&str) -> Option<&'a str>,
) -> String {
    let mut out = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        let count = counts.entry(diagnostic.code.id).or_default();
        *count += 1;
        if *count > MAX_PER_CODE {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{}[{}]: {}",
            diagnostic.severity.as_str(),
            diagnostic.code.id,
            diagnostic.message
        );
        if let Some(at) = &diagnostic.location {
            excerpt(&mut out, at, text_of);
        }
        if let Some(pointer) = diagnostic
            .pointer
            .as_deref()
            .filter(|pointer| !pointer.is_empty())
        {
            let _ = writeln!(out, "  = at {pointer}");
        }
        for label in &diagnostic.labels {
            let at = &label.location;
            let _ = writeln!(
                out,
                "  = {}:{}:{}: {}",
                at.file, at.start.line, at.start.column, label.message
            );
        }
        if let Some(hint) = &diagnostic.hint {
            let _ = writeln!(out, "  = hint: {hint}");
        }
        if let Some(fix) = &diagnostic.fix {
            let _ = writeln!(out, "  = fix: {}", fix.title);
        }
    }
    for (code, count) in counts.iter().filter(|(_, count)| **count > MAX_PER_CODE) {
        let _ = writeln!(out, "and {} more [{code}]", count - MAX_PER_CODE);
    }
    escape_control_chars(&out)
}

/// Replaces control and bidirectional formatting characters, because messages quote untrusted text.
/// Line feeds and tabs stay; other C0 controls become their symbols (U+2400 to U+2421), C1 controls
/// and bidirectional controls become U+FFFD.
pub fn escape_control_chars(text: &str) -> String {
    let escape = |c: char| match u32::from(c) {
        0x09 | 0x0a => c,
        code @ 0x00..=0x1f => char::from_u32(0x2400 + code).unwrap_or(' '),
        0x7f => '\u{2421}',
        // C1 controls and bidirectional formatting characters.
        0x80..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 => '\u{fffd}',
        _ => c,
    };
    text.chars().map(escape).collect()
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
    // Only the surroundings of the location are shown of a long line.
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
    // Tabs are preserved so that the caret is below its character.
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

/// Converts diagnostics to a JSON array of objects with `code`, `severity` and `message`, and,
/// where present, `hint`, `file`, `line`, `column`, `endLine`, `endColumn`, `pointer`, `related` and
/// `fix`: its `title` and its `edits`, each with the replaced location, `text`, and the byte offsets
/// `start` and `end`.
pub fn render_json(diagnostics: &[Diagnostic]) -> Value {
    diagnostics
        .iter()
        .map(|diagnostic| {
            let mut object = json!({
                "code": diagnostic.code.id,
                "severity": diagnostic.severity.as_str(),
                "message": diagnostic.message,
            });
            if let Some(at) = &diagnostic.location {
                insert_location(&mut object, at);
            }
            if let Some(hint) = &diagnostic.hint {
                object["hint"] = json!(hint);
            }
            if let Some(pointer) = &diagnostic.pointer {
                object["pointer"] = json!(pointer);
            }
            if !diagnostic.labels.is_empty() {
                object["related"] = diagnostic
                    .labels
                    .iter()
                    .map(|label| {
                        let mut object = json!({ "message": label.message });
                        insert_location(&mut object, &label.location);
                        object
                    })
                    .collect();
            }
            if let Some(fix) = &diagnostic.fix {
                object["fix"] = fix_value(fix);
            }
            object
        })
        .collect()
}

fn fix_value(fix: &Fix) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        let span = edit.location.span;
        let mut object = json!({ "start": span.start, "end": span.end, "text": edit.text });
        insert_location(&mut object, &edit.location);
        object
    });
    json!({ "title": fix.title, "edits": edits.collect::<Vec<Value>>() })
}

/// Path of a file in a folder, without `.` and empty segments.
fn path_below(folder: &str, file: &str) -> String {
    let segments = folder.split('/').filter(|part| !matches!(*part, "" | "."));
    let mut path: Vec<&str> = segments.collect();
    path.push(file);
    path.join("/")
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
    fn the_caret_is_below_the_characters_of_the_span() {
        let file = SourceFile::new("docs.json", "{\n\t\"é\": 1\n}");
        let diagnostic = Diagnostic::new(&CODE, "unknown key `é`")
            .at(file.location(Span::new(3, 7)))
            .hint("remove it");
        let text = render_text(&[diagnostic], &|_| Some(file.text()));
        let expected = "warning[demo]: unknown key `é`\n  --> docs.json:2:2\n 2 | \t\"é\": 1\n   | \t^^^\n  = hint: remove it\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_fix_has_bytes_and_lines() {
        let file = SourceFile::new("a.json", "é\nnmae");
        let at = file.location(Span::new(3, 7));
        let fix = Fix::new("rename it to `name`", at.clone(), "name");
        let diagnostic = Diagnostic::new(&CODE, "unknown key").at(at).fix(fix);
        let edit = json!({
            "file": "a.json", "line": 2, "column": 1, "endLine": 2, "endColumn": 5,
            "start": 3, "end": 7, "text": "name",
        });
        assert_eq!(
            render_json(&[diagnostic])[0]["fix"],
            json!({ "title": "rename it to `name`", "edits": [edit] })
        );
    }

    #[test]
    fn long_lines_and_long_lists_are_truncated() {
        let file = SourceFile::new(
            "a.json",
            format!("{}here{}", "a".repeat(5_000), "b".repeat(5_000)),
        );
        let diagnostic = Diagnostic::new(&CODE, "bad").at(file.location(Span::new(5_000, 5_004)));
        let text = render_text(&vec![diagnostic; 2_000], &|_| Some(file.text()));
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
    fn control_characters_are_escaped() {
        let file = SourceFile::new(
            "a\u{1b}[2Jb.mdx",
            "a\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\r\tü",
        );
        let diagnostic = Diagnostic::new(&CODE, "bad `\u{1b}[31m`")
            .at(file.location(Span::new(0, 1)))
            .hint("remove \u{7f}");
        let text = render_text(&[diagnostic], &|_| Some(file.text()));
        let expected = "warning[demo]: bad `␛[31m`\n  --> a␛[2Jb.mdx:1:1\n 1 | a␛]0;title␇\u{fffd}31m\u{fffd}␍\tü\n   | ^\n  = hint: remove ␡\n";
        assert_eq!(text, expected);
    }
}
