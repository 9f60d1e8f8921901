//! Output as annotations of GitHub Actions (workflow commands).

use std::fmt::Write as _;

use crate::{Diagnostic, Severity};

/// Formats diagnostics as workflow commands, one line each: GitHub shows them in the files of a pull
/// request. `folder` is the path of the site, relative to the root of the repository.
pub fn render_github(diagnostics: &[Diagnostic], folder: &str) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.severity {
            Severity::Info => "notice",
            Severity::Warning => "warning",
            Severity::Error | Severity::Fatal => "error",
        };
        let title = property(&format!("svc {}", diagnostic.code.id));
        let mut message = diagnostic.message.clone();
        if let Some(hint) = &diagnostic.hint {
            message = format!("{message}\nhint: {hint}");
        }
        let message = data(&message);
        // Writing to a String cannot fail.
        let _ = match &diagnostic.location {
            None => writeln!(out, "::{command} title={title}::{message}"),
            Some(at) => {
                let file = property(&super::path_below(folder, &at.file));
                let (start, end) = (at.start, at.end);
                // GitHub ignores columns of spans with several lines.
                writeln!(
                    out,
                    "::{command} file={file},line={},endLine={},col={},endColumn={},title={title}::{message}",
                    start.line, end.line, start.column, end.column
                )
            }
        };
    }
    out
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D");
    super::escape_control_chars(&text.replace('\n', "%0A"))
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiagnosticCode, SourceFile, Span};

    static CODE: DiagnosticCode = DiagnosticCode::error("demo", "a demonstration");

    #[test]
    fn hostile_names_stay_in_their_command() {
        let file = SourceFile::new("a,b:c\n::error::x.mdx", "one");
        let location = file.location(Span::new(0, 3));
        let all = [
            Diagnostic::new(&CODE, "100 % bad\n::stop-commands::x")
                .at(location)
                .hint("a\rb"),
            Diagnostic::new(&CODE, "no file"),
        ];
        let text = render_github(&all, ".");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "::error file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax.mdx,line=1,endLine=1,col=1,endColumn=4,title=svc demo::100 %25 bad%0A::stop-commands::x%0Ahint: a%0Db",
                "::error title=svc demo::no file"
            ]
        );
    }
}
