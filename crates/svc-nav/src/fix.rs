//! Fixes of texts in the configuration.

use svc_diagnostics::{Fix, Location};

/// Returns the fix that replaces a string of a JSON file, which is `written` or has a slash before it.
/// `None` if it was read from another text.
pub(crate) fn replace_string(location: &Location, written: &str, new: &str) -> Option<Fix> {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '"' | '\\');
    if !written.chars().all(is_plain) || !new.chars().all(is_plain) {
        return None;
    }
    let length = location.span.range().len();
    let slash = match length.checked_sub(written.len() + 2)? {
        0 => "",
        1 => "/",
        _ => return None,
    };
    let text = format!("\"{slash}{new}\"");
    Some(Fix::new(
        format!("write `{slash}{new}`"),
        location.clone(),
        text,
    ))
}
