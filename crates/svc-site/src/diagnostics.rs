//! Order of diagnostics.

use std::collections::BTreeSet;

use svc_diagnostics::Diagnostic;

/// Sorts diagnostics by file and location and removes duplicates: a snippet is rendered for each
/// page that includes it.
pub(crate) fn sort_diagnostics(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|left, right| {
        let location = |diagnostic: &Diagnostic| {
            diagnostic
                .location
                .as_ref()
                .map(|at| (at.file.clone(), at.span.start, at.span.end))
        };
        (location(left), left.code.id, &left.message).cmp(&(
            location(right),
            right.code.id,
            &right.message,
        ))
    });
    let mut seen = BTreeSet::new();
    diagnostics.retain(|diagnostic| {
        let location = diagnostic
            .location
            .as_ref()
            .map(|at| (at.file.clone(), at.span));
        seen.insert((
            location,
            diagnostic.code.id,
            diagnostic.message.clone(),
            diagnostic.pointer.clone(),
        ))
    });
    diagnostics
}
