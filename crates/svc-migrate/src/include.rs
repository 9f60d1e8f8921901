//! What the includes of all formats share.

use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile};

use crate::markdown::{Line, line_span};

/// Included lines, with the number of the line that includes them.
pub(crate) fn lines_of(texts: &[String], indent: &str, number: u32) -> Vec<Line> {
    let line = |text: &String| {
        let text = format!("{indent}{}", text.replace('\t', "    "));
        Line::new(number, text.trim_end())
    };
    texts.iter().map(line).collect()
}

/// Adds a diagnostic for a line of a page.
pub(crate) fn report(
    file: &SourceFile,
    number: u32,
    code: &'static DiagnosticCode,
    message: impl Into<String>,
    hint: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let location = file.location(line_span(file, number));
    diagnostics.push(
        Diagnostic::new(code, message.into())
            .at(location)
            .hint(hint.to_owned()),
    );
}
