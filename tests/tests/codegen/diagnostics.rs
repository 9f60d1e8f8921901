//! The reference of diagnostics: a table of all codes, and a page for each of them.

use std::fmt::Write as _;

use serde_json::json;
use svc_diagnostics::DiagnosticCode;

use super::{GENERATED, plain};

/// Folder of the pages of codes, below that of the reference pages.
pub(super) const DIR: &str = "diagnostics";

/// Returns the page `reference/diagnostics`.
pub(super) fn table() -> String {
    let mut out = String::from(
        "---\ntitle: Diagnostics\ndescription: Every code that svc reports, with its usual severity.\nicon: stethoscope\n---\n\n",
    );
    out.push_str(GENERATED);
    out.push_str("\nEach code has a page with a wrong and a right example. `svc explain CODE` prints the same in a terminal.\n");
    for area in svc_cli::areas() {
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "\n## {}\n\n| Code | Severity | What it is about |\n| --- | --- | --- |\n",
            area.title
        );
        for code in area.sorted_codes() {
            let (id, severity) = (code.id, code.severity.as_str());
            let summary = plain(code.summary);
            let _ = writeln!(
                out,
                "| [`{id}`](/reference/{DIR}/{id}) | {severity} | {summary} |"
            );
        }
    }
    out
}

/// Returns a group of the navigation with the pages of codes. It is hidden: the pages belong to the
/// tab of the reference, but the sidebar does not list them.
pub(super) fn group() -> String {
    let mut pages: Vec<String> = svc_cli::diagnostic_codes()
        .map(|code| format!("reference/{DIR}/{}", code.id))
        .collect();
    pages.sort();
    let group = json!({ "group": "Diagnostics", "hidden": true, "pages": pages });
    format!("{group:#}\n")
}

/// Returns the pages `reference/diagnostics/<code>` by their file names.
pub(super) fn pages() -> Vec<(String, String)> {
    let page = |code: &DiagnosticCode| (format!("{DIR}/{}.mdx", code.id), page(code));
    svc_cli::diagnostic_codes().map(page).collect()
}

fn page(code: &DiagnosticCode) -> String {
    let (id, severity) = (code.id, code.severity.as_str());
    let mut summary = code.summary.to_owned();
    if let Some(first) = summary.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let summary = serde_json::Value::String(summary + ".");
    let explanation = code.explanation.trim_end();
    format!(
        "---\ntitle: {id}\ndescription: {summary}\n---\n\n{GENERATED}\nSeverity: {severity}. See [all codes](/reference/diagnostics).\n\n{explanation}\n"
    )
}
