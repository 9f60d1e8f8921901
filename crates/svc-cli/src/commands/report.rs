//! Diagnostics on standard output, in the format that the user has chosen.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use serde_json::{Value, json};
use svc_diagnostics::{Diagnostic, Severity, render_github, render_json, render_sarif};
use svc_server::pluralize;

use super::color;
use super::docs_url::docs_url;
use super::explain;
use super::output::{count, print};

/// Format of diagnostics.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Text with source lines
    Human,
    /// JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// Diagnostics of a site.
pub(super) struct Report<'a> {
    pub(super) diagnostics: &'a [Diagnostic],
    /// Number of pages that were checked.
    pub(super) pages: usize,
    /// Folder that the paths of the diagnostics are relative to.
    pub(super) dir: &'a Path,
    /// The command that applies the fixes of the diagnostics; `None` if they were applied.
    pub(super) fix_command: Option<&'a str>,
    /// When the command began.
    pub(super) start: Instant,
    /// Formats the diagnostics as text.
    pub(super) text: &'a dyn Fn() -> String,
}

impl Report<'_> {
    /// The line that says how many problems have a fix; empty if none has.
    fn fixable(&self) -> String {
        let all = self.diagnostics.len();
        let fixable = self.diagnostics.iter().filter(|one| one.fix.is_some());
        match (fixable.count(), self.fix_command) {
            (0, _) | (_, None) => String::new(),
            (count, Some(command)) => {
                format!(
                    "{count} of {} can be fixed with `{command}`\n",
                    pluralize(all, "problem")
                )
            }
        }
    }

    pub(super) fn print(&self, format: Format) -> io::Result<()> {
        let diagnostics = self.diagnostics;
        match format {
            Format::Human => {
                let mut text = (self.text)();
                if color::has_colors(&io::stdout()) {
                    text = color::colorize(&text);
                }
                if !text.is_empty() {
                    text.push('\n');
                }
                let pages = match self.pages {
                    0 => String::new(),
                    pages => format!("{}: ", pluralize(pages, "page")),
                };
                let more = explain::pointer(diagnostics);
                // Other output is the same in each run.
                let time = match io::stdout().is_terminal() {
                    true => format!(" in {:.2} s", self.start.elapsed().as_secs_f64()),
                    false => String::new(),
                };
                print(&format!(
                    "{text}{more}{pages}{}{time}\n{}",
                    count(diagnostics),
                    self.fixable()
                ))
            }
            Format::Json => {
                let with = |wanted: Severity| {
                    let matching = diagnostics.iter().filter(|one| one.severity == wanted);
                    matching.count()
                };
                let value = json!({
                    "pages": self.pages,
                    "errors": with(Severity::Error) + with(Severity::Fatal),
                    "warnings": with(Severity::Warning),
                    "diagnostics": linked_json(diagnostics),
                });
                print(&format!("{value:#}\n"))
            }
            Format::Sarif => {
                let tool = ("svc", env!("CARGO_PKG_VERSION"));
                let value = render_sarif(
                    diagnostics,
                    tool,
                    &from_current_dir(self.dir),
                    docs_url().as_deref(),
                );
                print(&format!("{value:#}\n"))
            }
            Format::Github => {
                let text = render_github(diagnostics, &from_current_dir(self.dir));
                print(&format!("{text}{}\n", count(diagnostics)))
            }
        }
    }
}

/// Converts diagnostics to JSON; they have the `url` of their page if the URL of the documentation is
/// known.
pub(super) fn linked_json(diagnostics: &[Diagnostic]) -> Value {
    let mut value = render_json(diagnostics);
    if let (Some(objects), Some(docs_url)) = (value.as_array_mut(), docs_url()) {
        for (object, diagnostic) in objects.iter_mut().zip(diagnostics) {
            object["url"] = json!(diagnostic.code.page_url(&docs_url));
        }
    }
    value
}

/// Path of a folder from the current one, with `/`, if it is below; the root of a repository is the
/// current folder in CI.
fn from_current_dir(dir: &Path) -> String {
    let below = || -> io::Result<PathBuf> {
        let current = std::env::current_dir()?.canonicalize()?;
        let dir = dir.canonicalize()?;
        let below = dir.strip_prefix(current).map(Path::to_owned);
        below.map_err(io::Error::other)
    };
    let path = below().unwrap_or_else(|_| dir.to_owned());
    path.to_string_lossy().replace('\\', "/")
}
