//! Texts in the lines of lists, and names of files.

use std::collections::HashSet;

/// Collapses whitespace to single spaces.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text as the label of a link.
pub(super) fn label(text: &str) -> String {
    line(text).replace(['[', ']'], "")
}

/// A slug that is not in `slugs`, to which it is added: `slug` or, if that is empty, `default`,
/// with a number if it is in use.
pub(super) fn unique_slug(slugs: &mut HashSet<String>, slug: &str, default: &str) -> String {
    let base = if slug.is_empty() { default } else { slug };
    let numbered = (2..).map(|number: usize| svc_openapi::numbered_path(base, number));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    let slug = names.find(|slug| slugs.insert(slug.clone()));
    slug.unwrap_or_default()
}
