//! Stable codes.

use serde::Serialize;

/// How bad it is. Ordered: a later one is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Works, but probably not as meant; `--strict` fails on it.
    Warning,
    /// Something is left out or shown wrong.
    Error,
    /// No site can be made from this.
    Fatal,
}

impl Severity {
    /// The word that is printed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }
}

/// The identity of one kind of problem: a static beside the code that reports it.
#[derive(Debug, PartialEq, Eq)]
pub struct DiagnosticCode {
    /// Stable, unique, kebab case: `nav-missing-page`.
    pub id: &'static str,
    /// Usual severity.
    pub severity: Severity,
    /// What the check is about, one phrase, for the reference page.
    pub summary: &'static str,
}

impl DiagnosticCode {
    /// A code whose problems are informational.
    pub const fn info(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Info,
            summary,
        }
    }

    /// A code whose problems are warnings.
    pub const fn warning(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Warning,
            summary,
        }
    }

    /// A code whose problems are errors.
    pub const fn error(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Error,
            summary,
        }
    }

    /// A code whose problems stop a deployment.
    pub const fn fatal(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            severity: Severity::Fatal,
            summary,
        }
    }
}
