//! One problem.

use crate::{DiagnosticCode, Location, Severity};

/// A second place that explains a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub location: Location,
    /// What is there, one phrase.
    pub message: String,
}

/// One problem with place, plain sentence and hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of problem.
    pub code: &'static DiagnosticCode,
    /// How bad; usually `code.severity`.
    pub severity: Severity,
    /// One plain phrase, lower case, no full stop, the user's names in back-ticks.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where; `None` only when no file is involved.
    pub location: Option<Location>,
    /// JSON pointer (RFC 6901) into the document, where there is one.
    pub pointer: Option<String>,
    /// Further places.
    pub labels: Vec<Label>,
}

impl Diagnostic {
    /// A problem without place.
    pub fn new(code: &'static DiagnosticCode, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            hint: None,
            location: None,
            pointer: None,
            labels: Vec::new(),
        }
    }

    /// With its place.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// With advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With a JSON pointer.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// With a second place.
    #[must_use]
    pub fn label(mut self, location: Location, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            location,
            message: message.into(),
        });
        self
    }

    /// `file:line:column`, or the empty string without a place.
    pub fn location_string(&self) -> String {
        self.location.as_ref().map_or_else(String::new, |at| {
            format!("{}:{}:{}", at.file, at.start.line, at.start.column)
        })
    }
}
