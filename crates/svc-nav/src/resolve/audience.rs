//! Readers of a site, and the pages that are withheld from them.

use std::collections::BTreeSet;

/// Readers that a map is resolved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Audience {
    /// All readers: protected pages are removed.
    #[default]
    Everyone,
    /// Readers who may access every page: the author, or all readers if the operator allows it.
    Trusted,
}

/// Pages that are removed from a site because they require protection.
///
/// # Example
///
/// ```
/// let withheld = svc_nav::WithheldPages { pages: ["/a".to_owned()].into() };
/// assert!(withheld.has_page("/a/index?b") && !withheld.has_page("/b"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WithheldPages {
    /// Canonical paths of the pages.
    pub pages: BTreeSet<String>,
}

impl WithheldPages {
    /// Returns true if a path, with or without query and fragment, is a withheld page.
    ///
    /// Example: [`WithheldPages`](crate::WithheldPages#example).
    pub fn has_page(&self, path: &str) -> bool {
        let path = path.split(['?', '#']).next().unwrap_or(path);
        let trimmed = path.trim_end_matches('/');
        let stem = trimmed.strip_suffix("/index").unwrap_or(trimmed);
        let contains = |path: &str| {
            self.pages
                .contains(if path.is_empty() { "/" } else { path })
        };
        !self.pages.is_empty() && (contains(trimmed) || contains(stem))
    }
}
