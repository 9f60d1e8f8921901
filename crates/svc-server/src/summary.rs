//! One-line summaries of diagnostics.

use svc_diagnostics::{Diagnostic, Severity};
use svc_site::Site;

/// Formats a summary such as `12 pages, 1 error, 3 warnings`.
pub fn summary(site: &Site, diagnostics: &[Diagnostic]) -> String {
    let pages = pluralize(site.map.routes.len(), "page");
    match counts(diagnostics) {
        Some(counts) => format!("{pages}, {counts}"),
        None => pages,
    }
}

/// Warning about protected pages, to be printed on its own so that it is not overlooked; `None` if
/// there are none.
pub fn protection_notice(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut all = diagnostics.iter();
    let notice = all.find(|diagnostic| diagnostic.code.id == svc_site::PROTECTED_ID)?;
    Some(format!(
        "warning: {}\n  {}\n",
        notice.message,
        notice.hint.as_deref().unwrap_or("")
    ))
}

/// Formats the number of diagnostics, such as `1 error, 3 warnings`; `None` if there are none.
pub(crate) fn counts(diagnostics: &[Diagnostic]) -> Option<String> {
    let kinds = [
        (Severity::Fatal, "fatal problem"),
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
    ];
    let counted = kinds.into_iter().filter_map(|(severity, noun)| {
        let matching = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity);
        let count = matching.count();
        (count > 0).then(|| pluralize(count, noun))
    });
    let counted: Vec<String> = counted.collect();
    (!counted.is_empty()).then(|| counted.join(", "))
}

/// Formats a count with a noun, such as `1 page` or `12 pages`.
pub fn pluralize(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
