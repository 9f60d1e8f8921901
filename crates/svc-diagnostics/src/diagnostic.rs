//! Diagnostics.

use crate::{DiagnosticCode, Fix, Location, Severity};

/// A secondary location that explains a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Location of the related text.
    pub location: Location,
    /// Short description of the related text.
    pub message: String,
}

/// A problem in the input, with a location, a message and a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind of problem.
    pub code: &'static DiagnosticCode,
    /// Severity; `code.severity` unless overridden.
    pub severity: Severity,
    /// One sentence, lower case, without a full stop, with the user's names in backticks.
    pub message: String,
    /// Next step that fixes the problem.
    pub hint: Option<String>,
    /// Location of the problem; `None` only if no file is involved.
    pub location: Option<Location>,
    /// JSON pointer (RFC 6901) into the document; `None` outside of documents.
    pub pointer: Option<String>,
    /// Related locations.
    pub labels: Vec<Label>,
    /// Edits that solve the problem; `None` if the user has to decide.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Creates a diagnostic without location, hint, pointer, labels or fix.
    pub fn new(code: &'static DiagnosticCode, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            hint: None,
            location: None,
            pointer: None,
            labels: Vec::new(),
            fix: None,
        }
    }

    /// Sets the location.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the JSON pointer (RFC 6901).
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds a related location.
    #[must_use]
    pub fn label(mut self, location: Location, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            location,
            message: message.into(),
        });
        self
    }

    /// Sets the fix.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// Returns `file:line:column`, or an empty string if there is no location.
    pub fn location_string(&self) -> String {
        self.location.as_ref().map_or_else(String::new, |at| {
            format!("{}:{}:{}", at.file, at.start.line, at.start.column)
        })
    }
}
