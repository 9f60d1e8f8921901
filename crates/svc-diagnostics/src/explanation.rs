//! The parts of an explanation, for output that does not render Markdown.

use crate::DiagnosticCode;

/// A part of the explanation of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExplanationPart<'a> {
    /// A heading: `Wrong` or `Right`.
    Heading(&'a str),
    /// A paragraph, with names in backticks.
    Paragraph(&'a str),
    /// A file of an example.
    File {
        /// Language for highlighting.
        language: &'a str,
        /// Path in the repository.
        path: &'a str,
        /// Text of the file.
        text: &'a str,
    },
}

impl DiagnosticCode {
    /// Returns the parts of the explanation in their order; empty if there is none.
    ///
    /// ```
    /// use svc_diagnostics::{DiagnosticCode, ExplanationPart};
    /// static CODE: DiagnosticCode = DiagnosticCode::error("demo", "a demonstration")
    ///     .with_explanation("It is odd.\n\n## Wrong\n\n```json a.json\n{}\n```\n");
    /// let file = ExplanationPart::File { language: "json", path: "a.json", text: "{}\n" };
    /// assert_eq!(CODE.explanation_parts()[2], file);
    /// ```
    pub fn explanation_parts(&self) -> Vec<ExplanationPart<'static>> {
        parts(self.explanation)
    }
}

fn parts(text: &str) -> Vec<ExplanationPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, below) = rest.split_once('\n').unwrap_or((rest, ""));
        let info = line.trim_start_matches('`');
        let fence = &line[..line.len() - info.len()];
        rest = if line.is_empty() {
            below
        } else if fence.len() >= 3 {
            let (language, path) = info.split_once(' ').unwrap_or((info, ""));
            let (text, after) = split_at_line(below, fence);
            parts.push(ExplanationPart::File {
                language,
                path,
                text,
            });
            after
        } else if let Some(heading) = line.strip_prefix("## ") {
            parts.push(ExplanationPart::Heading(heading));
            below
        } else {
            let (text, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
            parts.push(ExplanationPart::Paragraph(text.trim_end()));
            after
        };
    }
    parts
}

/// Splits text at a line, which is in neither part. Without such a line, the second part is empty.
fn split_at_line<'a>(text: &'a str, wanted: &str) -> (&'a str, &'a str) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == wanted {
            return (&text[..start], &text[end..]);
        }
        start = end;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_of_four_backticks_contain_fences_of_three() {
        let text = "A `b`\nc.\n\n## Wrong\n\n````mdx index.mdx\n```bash\nsvc dev\n\n## No heading\n```\n````\n\nEnd.\n";
        let expected = [
            ExplanationPart::Paragraph("A `b`\nc."),
            ExplanationPart::Heading("Wrong"),
            ExplanationPart::File {
                language: "mdx",
                path: "index.mdx",
                text: "```bash\nsvc dev\n\n## No heading\n```\n",
            },
            ExplanationPart::Paragraph("End."),
        ];
        assert_eq!(parts(text), expected);
    }

    #[test]
    fn a_fence_that_is_not_closed_ends_with_the_text() {
        let text = "```json a.json\n{}";
        let file = ExplanationPart::File {
            language: "json",
            path: "a.json",
            text: "{}",
        };
        assert_eq!(parts(text), [file]);
        assert!(parts("").is_empty());
    }
}
