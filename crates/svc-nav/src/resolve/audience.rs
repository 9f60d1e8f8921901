//! Readers of a site, and the pages that are withheld from them.

use std::collections::BTreeSet;

use crate::Route;

/// Readers that a map is resolved for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Audience {
    /// All readers: protected pages are removed.
    #[default]
    Everyone,
    /// Readers who have not signed in to a private site: every page is removed.
    Outsiders,
    /// Readers who have signed in and are members of these groups: pages for other groups are
    /// removed.
    Members(BTreeSet<String>),
    /// Readers who may access every page: the author, or all readers if the operator allows it.
    Trusted,
}

impl Audience {
    /// Returns true if readers may access a page.
    ///
    /// ```
    /// use svc_nav::{Audience, Route, RouteBody};
    /// let mut route = Route::blank("/a".into(), "a", RouteBody::Generated, "A".into());
    /// let members = Audience::Members(["staff".to_owned()].into());
    /// assert!(Audience::Everyone.may_access(&route));
    /// route.protected = true;
    /// assert!(!Audience::Everyone.may_access(&route) && members.may_access(&route));
    /// route.required_groups = vec![vec!["admin".to_owned()]];
    /// assert!(!members.may_access(&route) && Audience::Trusted.may_access(&route));
    /// ```
    pub fn may_access(&self, route: &Route) -> bool {
        match self {
            Self::Trusted => true,
            Self::Everyone => !route.protected,
            Self::Outsiders => false,
            Self::Members(groups) => {
                let is_member = |any: &Vec<String>| any.iter().any(|group| groups.contains(group));
                !route.protected || route.required_groups.iter().all(is_member)
            }
        }
    }
}

/// Pages that are removed from a site because they require protection.
///
/// # Example
///
/// ```
/// let withheld = svc_nav::WithheldPages { pages: ["/a".to_owned()].into(), ..Default::default() };
/// assert!(withheld.has_page("/a/index?b") && !withheld.has_page("/b"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WithheldPages {
    /// Canonical paths of the pages.
    pub pages: BTreeSet<String>,
    /// All groups of readers that pages name, also those of pages that are not removed.
    pub groups: BTreeSet<String>,
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
