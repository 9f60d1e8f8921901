//! Diagnostics for display in a page, with their source lines.

use serde_json::{Value, json};
use svc_diagnostics::{Diagnostic, DiagnosticCode, ExplanationPart, Severity};
use svc_site::Site;

/// Maximum number of diagnostics.
const MAX_PROBLEMS: usize = 100;
/// Number of source lines before and after a diagnostic.
const CONTEXT_LINES: usize = 2;
/// Maximum length of a line in characters.
const MAX_LINE_CHARS: usize = 240;

/// A diagnostic in JSON.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PageProblem {
    pub(super) severity: Severity,
    json: Value,
}

impl PageProblem {
    pub(super) const fn json(&self) -> &Value {
        &self.json
    }
}

/// Diagnostics with their source lines, ordered by severity.
pub(super) fn list(site: &Site, diagnostics: &[Diagnostic]) -> Vec<PageProblem> {
    let mut diagnostics: Vec<&Diagnostic> = diagnostics.iter().collect();
    diagnostics.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
    diagnostics
        .into_iter()
        .take(MAX_PROBLEMS)
        .map(|diagnostic| page_problem(site, diagnostic))
        .collect()
}

fn page_problem(site: &Site, diagnostic: &Diagnostic) -> PageProblem {
    let location = diagnostic.location.as_ref().map(|at| {
        let line = at.start.line as usize;
        let text = site.text_of(&at.file).unwrap_or_default();
        let first = line.saturating_sub(CONTEXT_LINES).max(1);
        let lines = text
            .lines()
            .enumerate()
            .skip(first - 1)
            .take(line + CONTEXT_LINES + 1 - first);
        let lines = lines.map(|(at, text)| {
            json!([
                at + 1,
                text.chars().take(MAX_LINE_CHARS).collect::<String>()
            ])
        });
        // A span over several lines is marked to the end of its first line.
        let end = if at.end.line == at.start.line {
            at.end.column
        } else {
            0
        };
        json!({
            "file": *at.file,
            "line": line,
            "column": at.start.column,
            "end": end,
            "lines": lines.collect::<Vec<_>>(),
        })
    });
    PageProblem {
        severity: diagnostic.severity,
        json: json!({
            "fatal": diagnostic.severity == Severity::Fatal,
            "code": diagnostic.code.id,
            "message": diagnostic.message,
            "hint": diagnostic.hint,
            "explanation": explanation(diagnostic.code),
            "place": location,
        }),
    }
}

/// The parts of an explanation: objects with `text`, or with `heading`, or with `path` and `text` of a
/// file.
fn explanation(code: &DiagnosticCode) -> Value {
    let parts = code.explanation_parts().into_iter().map(|part| match part {
        ExplanationPart::Heading(heading) => json!({ "heading": heading }),
        ExplanationPart::Paragraph(text) => json!({ "text": text }),
        ExplanationPart::File { path, text, .. } => json!({ "path": path, "text": text }),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::{SourceFile, Span};
    use svc_site::LoadOptions;

    use super::*;

    static WRONG: DiagnosticCode =
        DiagnosticCode::error("wrong", "it is wrong").with_explanation("Why.");
    static ODD: DiagnosticCode = DiagnosticCode::warning("odd", "it is odd");

    #[test]
    fn diagnostics_have_context_lines_and_are_sorted_by_severity() {
        let dir = tempfile::tempdir().expect("it can be made");
        let text = "one\ntwo\nthree\nfour bad\nfive\nsix\nseven\n";
        std::fs::write(dir.path().join("a.mdx"), text).expect("it can be written");
        let site = svc_site::load(dir.path(), &LoadOptions::default());
        let site = site.expect("it can be read").value;
        let file = SourceFile::new("a.mdx", text);
        let diagnostics = [
            Diagnostic::new(&ODD, "odd"),
            Diagnostic::new(&WRONG, "bad")
                .at(file.location(Span::new(19, 22)))
                .hint("mend it"),
        ];
        let list = list(&site, &diagnostics);
        assert_eq!(list[1].severity, Severity::Warning);
        let expected = json!({
            "fatal": false, "code": "wrong", "message": "bad", "hint": "mend it",
            "explanation": [{"text": "Why."}],
            "place": {"file": "a.mdx", "line": 4, "column": 6, "end": 9,
                "lines": [[2, "two"], [3, "three"], [4, "four bad"], [5, "five"], [6, "six"]]},
        });
        assert_eq!(*list[0].json(), expected);
    }
}
