//! A result together with what was found on the way.

use crate::{Diagnostic, Severity};

/// A value and the problems found while making it. The value is always usable.
///
/// `D` is what a problem is: a [`Diagnostic`], or what becomes one as soon as the file is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<T, D = Diagnostic> {
    /// The result, as good as the input allows.
    pub value: T,
    /// All problems, in the order of the input.
    pub diagnostics: Vec<D>,
}

impl<T: Default, D> Default for Checked<T, D> {
    fn default() -> Self {
        Self {
            value: T::default(),
            diagnostics: Vec::new(),
        }
    }
}

/// What tells how bad it is.
pub trait HasSeverity {
    /// How bad it is.
    fn severity(&self) -> Severity;
}

impl HasSeverity for Diagnostic {
    fn severity(&self) -> Severity {
        self.severity
    }
}

impl<T> Checked<T> {
    /// A value without problems.
    pub const fn clean(value: T) -> Self {
        Self {
            value,
            diagnostics: Vec::new(),
        }
    }
}

impl<T, D> Checked<T, D> {
    /// Appends the problems to `sink` and gives the value.
    pub fn drain_into(self, sink: &mut Vec<D>) -> T {
        sink.extend(self.diagnostics);
        self.value
    }
}

impl<T, D: HasSeverity> Checked<T, D> {
    /// Whether a problem of this severity or a higher one was found.
    pub fn has(&self, severity: Severity) -> bool {
        self.diagnostics
            .iter()
            .any(|found| found.severity() >= severity)
    }
}
