//! Explanations as text for a terminal.

use svc_diagnostics::{DiagnosticCode, ExplanationPart};

use super::super::color;

/// Maximum width of a line of prose in characters.
const WIDTH: usize = 80;

/// Formats the explanation of a code: prose is wrapped, files are indented.
pub(super) fn explanation(
    code: &DiagnosticCode,
    docs_url: Option<&str>,
    has_colors: bool,
) -> String {
    let (id, severity) = (code.id, code.severity.as_str());
    let title = format!("{severity}[{id}]: {}\n", code.summary);
    let mut out = match has_colors {
        true => color::colorize(&title),
        false => title,
    };
    for part in code.explanation_parts() {
        out.push('\n');
        match part {
            ExplanationPart::Heading(text) => out.push_str(&bold(text, has_colors)),
            ExplanationPart::Paragraph(text) => out.push_str(&wrap(text)),
            ExplanationPart::File { path, text, .. } => {
                out.push_str(&format!("  {}\n", dim(path, has_colors)));
                for line in text.lines() {
                    // An empty line has no trailing spaces.
                    let indent = if line.is_empty() { "" } else { "    " };
                    out.push_str(&format!("\n{indent}{line}"));
                }
            }
        }
        out.push('\n');
    }
    if let Some(docs_url) = docs_url {
        out.push_str(&format!("\n{}\n", code.page_url(docs_url)));
    }
    out
}

/// Breaks a paragraph into lines of at most [`WIDTH`] characters, unless a word is longer.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= WIDTH;
            out.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// Returns bold text, if the terminal has colors.
pub(super) fn bold(text: &str, has_colors: bool) -> String {
    style(text, "1", has_colors)
}

fn dim(text: &str, has_colors: bool) -> String {
    style(text, "2", has_colors)
}

fn style(text: &str, style: &str, has_colors: bool) -> String {
    match has_colors {
        true => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static CODE: DiagnosticCode = DiagnosticCode::error("demo", "a demonstration")
        .with_explanation(
            "One `two`.\n\n## Wrong\n\n```json docs.json\n{\n\n  \"a\": 1\n}\n```\n\nLast words.\n",
        );

    #[test]
    fn files_are_indented_below_their_names() {
        let text = explanation(&CODE, None, false);
        let expected = "error[demo]: a demonstration\n\nOne `two`.\n\nWrong\n\n  docs.json\n\n    {\n\n      \"a\": 1\n    }\n\nLast words.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn prose_is_wrapped_and_no_word_is_lost() {
        let words: Vec<String> = (0..200).map(|at| "x".repeat(at % 12 + 1)).collect();
        let out = wrap(&words.join(" "));
        assert!(out.lines().all(|line| line.len() <= WIDTH), "{out}");
        let found: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(found, words);
    }

    #[test]
    fn the_page_is_linked_if_its_site_is_known() {
        let text = explanation(&CODE, Some("https://docs.test"), false);
        let link = "\nhttps://docs.test/reference/diagnostics/demo\n";
        assert!(text.ends_with(link), "{text}");
    }
}
