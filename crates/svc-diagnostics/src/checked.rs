//! A result together with its diagnostics.

use crate::{Diagnostic, Severity};

/// A value and the diagnostics reported while producing it. The value is always usable.
///
/// `D` is the type of a diagnostic: [`Diagnostic`], or a type that is converted to it once the file
/// is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<T, D = Diagnostic> {
    /// The result, as complete as the input allows.
    pub value: T,
    /// All diagnostics, in the order of the input.
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

/// A type with a [`Severity`].
pub trait HasSeverity {
    /// The severity.
    fn severity(&self) -> Severity;
}

impl HasSeverity for Diagnostic {
    fn severity(&self) -> Severity {
        self.severity
    }
}

impl<T> Checked<T> {
    /// Returns a value without diagnostics.
    pub const fn clean(value: T) -> Self {
        Self {
            value,
            diagnostics: Vec::new(),
        }
    }
}

impl<T, D> Checked<T, D> {
    /// Appends the diagnostics to `sink` and returns the value.
    pub fn drain_into(self, sink: &mut Vec<D>) -> T {
        sink.extend(self.diagnostics);
        self.value
    }
}

impl<T, D: HasSeverity> Checked<T, D> {
    /// Returns true if there is a diagnostic of this severity or a higher one.
    pub fn has(&self, severity: Severity) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() >= severity)
    }
}
