//! Order and difference of diagnostics.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

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

/// Removes as many diagnostics of each key as there were before. Returns the others, and the number
/// of those before that have no successor.
pub(crate) fn new_diagnostics<K: Eq + Hash>(
    before: impl IntoIterator<Item = K>,
    mut after: Vec<Diagnostic>,
    key: impl Fn(&Diagnostic) -> K,
) -> (Vec<Diagnostic>, usize) {
    let mut known: HashMap<K, usize> = HashMap::new();
    for key in before {
        *known.entry(key).or_default() += 1;
    }
    after.retain(|diagnostic| match known.get_mut(&key(diagnostic)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    (after, known.values().sum())
}
