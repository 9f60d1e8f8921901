//! Formatting of the files of a site.

use svc_config::Document;
use svc_diagnostics::{Checked, Severity, SourceFile};
use svc_mdx::Options;

use crate::parallel::{in_parallel, threads};
use crate::stages::CONFIGS;

/// Formats a page, a snippet or a configuration file, whose path is relative to the site. `None` if
/// files of this name are not formatted.
///
/// The result means the same as the text. It is the text itself if that has errors, which are the
/// diagnostics. The functions behind are [`svc_mdx::format()`] and [`Document::formatted`].
///
/// ```
/// assert_eq!(svc_site::format("a.mdx", "* b").unwrap().value, "- b\n");
/// assert_eq!(svc_site::format("docs.json", "{ }").unwrap().value, "{}\n");
/// assert!(svc_site::format("style.css", "").is_none());
/// ```
pub fn format(path: &str, text: &str) -> Option<Checked<String>> {
    let file = SourceFile::new(path, text);
    let mut formatted = if CONFIGS.contains(&path) {
        let Checked { value, diagnostics } = Document::read(&file);
        Checked {
            value: value.formatted().unwrap_or_else(|_| text.to_owned()),
            diagnostics,
        }
    } else if path.ends_with(".mdx") || path.ends_with(".md") {
        let Checked { value, diagnostics } = svc_mdx::format(text, &Options::default());
        let diagnostics = diagnostics.iter().map(|one| one.diagnostic(&file, 0));
        Checked {
            value,
            diagnostics: diagnostics.collect(),
        }
    } else {
        return None;
    };
    formatted
        .diagnostics
        .retain(|one| one.severity >= Severity::Error);
    Some(formatted)
}

/// Formats files, given by path and text, on all processors; see [`format()`].
///
/// ```
/// let formatted = svc_site::format_all(&[("a.mdx", "* b"), ("style.css", "")]);
/// assert_eq!(formatted[0].as_ref().unwrap().value, "- b\n");
/// assert!(formatted[1].is_none());
/// ```
pub fn format_all(files: &[(&str, &str)]) -> Vec<Option<Checked<String>>> {
    let task = |index: usize| {
        let formatted = files.get(index).map(|(path, text)| format(path, text));
        (index, formatted.flatten())
    };
    // A panic drops results, and each text must stay with its file.
    let mut all = vec![None; files.len()];
    for (index, formatted) in in_parallel(files.len(), threads(), task) {
        if let Some(slot) = all.get_mut(index) {
            *slot = formatted;
        }
    }
    all
}
