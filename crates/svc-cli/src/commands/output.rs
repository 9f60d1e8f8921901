//! Output and exit status of the commands.

use std::io::{self, Write as _};
use std::path::Path;

use similar::TextDiff;
use svc_diagnostics::{Diagnostic, Severity, escape_control_chars};
use svc_server::pluralize;

use super::color;
use crate::exit::Exit;

/// Prints text. A closed pipe (`| head`) is not an error.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints text with control characters escaped, because it is untrusted. Line endings remain.
pub(super) fn print_escaped(text: &str) -> io::Result<()> {
    let lines = text.split_inclusive('\n').map(|line| {
        let (line, end) = match line.strip_suffix("\r\n") {
            Some(line) => (line, "\r\n"),
            None => (line, ""),
        };
        escape_control_chars(line) + end
    });
    print(&lines.collect::<String>())
}

/// Prints to standard error with control characters escaped, because quoted text may be untrusted.
pub(super) fn eprint_escaped(text: &str) {
    let mut text = escape_control_chars(text);
    if color::has_colors(&io::stderr()) {
        text = color::colorize(&text);
    }
    // There is no way to report an error of standard error.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The error with the path of the file that it is about.
pub(super) fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The change of a file as a unified diff, with `a/` and `b/` before the paths as in Git.
pub(super) fn unified_diff((old_path, old): (&str, &str), (path, new): (&str, &str)) -> String {
    TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{old_path}"), &format!("b/{path}"))
        .to_string()
}

/// Exit status for diagnostics; `strict` also fails on warnings.
pub(super) fn exit_for(diagnostics: &[Diagnostic], strict: bool) -> Exit {
    let threshold = match strict {
        true => Severity::Warning,
        false => Severity::Error,
    };
    match diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity >= threshold)
    {
        true => Exit::Problems,
        false => Exit::Success,
    }
}

/// Counts diagnostics: `3 errors, 1 warning`, or `no problems`.
pub(super) fn count(diagnostics: &[Diagnostic]) -> String {
    let names = [
        (Severity::Fatal, "fatal problem"),
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Info, "note"),
    ];
    let parts: Vec<String> = names
        .into_iter()
        .map(|(severity, name)| {
            (
                diagnostics
                    .iter()
                    .filter(|d| d.severity == severity)
                    .count(),
                name,
            )
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| pluralize(count, name))
        .collect();
    if parts.is_empty() {
        "no problems".to_owned()
    } else {
        parts.join(", ")
    }
}
