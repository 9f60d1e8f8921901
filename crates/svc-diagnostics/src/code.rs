//! Stable codes and severities.

use serde::Serialize;

/// Severity of a diagnostic, ordered from [`Info`](Self::Info) to [`Fatal`](Self::Fatal).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing, but not a problem.
    Info,
    /// Valid, but probably not intended; `--strict` fails on it.
    Warning,
    /// Part of the input is ignored or rendered incorrectly.
    Error,
    /// No site can be built from the input.
    Fatal,
}

impl Severity {
    /// Returns the lower-case name used in the output: `info`, `warning`, `error` or `fatal`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }
}

/// Identity of a kind of diagnostic. It is a static next to the code that reports it.
#[derive(Debug, PartialEq, Eq)]
pub struct DiagnosticCode {
    /// Stable, unique, kebab case: `nav-missing-page`.
    pub id: &'static str,
    /// Default severity of its diagnostics.
    pub severity: Severity,
    /// Short description of the problem for the reference page.
    pub summary: &'static str,
    /// What it is, why it matters, and files with and without the problem, as Markdown; empty for
    /// codes that [`diagnostic_code!`](crate::diagnostic_code) did not create.
    pub explanation: &'static str,
}

/// Creates a [`DiagnosticCode`] whose explanation is the file `explain/<id>.md` of the crate: its
/// severity, ID and summary.
///
/// ```ignore
/// static COLOR: DiagnosticCode =
///     diagnostic_code!(error, "config-color", "a color is not a hex code");
/// ```
#[macro_export]
macro_rules! diagnostic_code {
    ($severity:ident, $id:literal, $summary:literal $(,)?) => {
        $crate::DiagnosticCode::$severity($id, $summary).with_explanation(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/explain/",
            $id,
            ".md"
        )))
    };
}

impl DiagnosticCode {
    /// Creates a code with severity [`Severity::Info`].
    pub const fn info(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Info,
            summary,
            explanation: "",
        }
    }

    /// Creates a code with severity [`Severity::Warning`].
    pub const fn warning(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Warning,
            summary,
            explanation: "",
        }
    }

    /// Creates a code with severity [`Severity::Error`].
    pub const fn error(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Error,
            summary,
            explanation: "",
        }
    }

    /// Creates a code with severity [`Severity::Fatal`], which stops a deployment.
    pub const fn fatal(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Fatal,
            summary,
            explanation: "",
        }
    }

    /// Sets the explanation.
    #[must_use]
    pub const fn with_explanation(mut self, explanation: &'static str) -> Self {
        self.explanation = explanation;
        self
    }

    /// URL of the page of this code below the URL of a site with this documentation.
    pub fn page_url(&self, docs_url: &str) -> String {
        let docs_url = docs_url.trim_end_matches('/');
        format!("{docs_url}/reference/diagnostics/{}", self.id)
    }
}
