//! A result together with what was found on the way.

use crate::{Diagnostic, Severity};

/// A value and the problems found while making it. The value is always usable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked<T> {
    /// The result, as good as the input allows.
    pub value: T,
    /// All problems, in the order of the input.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Checked<T> {
    /// A value without problems.
    pub const fn clean(value: T) -> Self {
        Self {
            value,
            diagnostics: Vec::new(),
        }
    }

    /// Appends the problems to `sink` and gives the value.
    pub fn drain_into(self, sink: &mut Vec<Diagnostic>) -> T {
        sink.extend(self.diagnostics);
        self.value
    }

    /// Whether a problem of this severity or a higher one was found.
    pub fn has(&self, severity: Severity) -> bool {
        self.diagnostics
            .iter()
            .any(|found| found.severity >= severity)
    }
}
