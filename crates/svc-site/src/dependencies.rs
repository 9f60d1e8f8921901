//! Dependencies of rendered results and changes between two sites, as digests that are small enough
//! to store for each page.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

use svc_render::Dependencies;
use svc_source::Difference;

/// An input that can change between two sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dependency<'a> {
    /// The contents of a file.
    Contents(&'a str),
    /// The existence of a file.
    Presence(&'a str),
    /// The existence of a page at a URL path.
    Page(&'a str),
    /// The list of all file names.
    Names,
    /// Who reads the page.
    Audience,
}

impl Dependency<'_> {
    fn digest(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// The dependencies of a result, as sorted digests. A collision of digests causes an unnecessary
/// render, never a stale result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DependencySet(Box<[u64]>);

impl DependencySet {
    pub(crate) fn new<'a>(dependencies: impl IntoIterator<Item = Dependency<'a>>) -> Self {
        let mut digests: Vec<u64> = dependencies.into_iter().map(Dependency::digest).collect();
        digests.sort_unstable();
        digests.dedup();
        Self(digests.into())
    }

    /// Adds the contents of a file.
    pub(crate) fn with_contents(&self, path: &str) -> Self {
        let mut digests = self.0.to_vec();
        digests.push(Dependency::Contents(path).digest());
        digests.sort_unstable();
        digests.dedup();
        Self(digests.into())
    }

    /// The dependencies recorded while rendering, and the contents of the rendered file `page`.
    pub(crate) fn of(recorded: &Dependencies, page: Option<&str>) -> Self {
        let contents = recorded
            .contents
            .iter()
            .map(|path| Dependency::Contents(path));
        let presence = recorded
            .presence
            .iter()
            .map(|path| Dependency::Presence(path));
        let pages = recorded.pages.iter().map(|path| Dependency::Page(path));
        let names = recorded.names.then_some(Dependency::Names);
        let audience = recorded.audience.then_some(Dependency::Audience);
        let page = page.map(Dependency::Contents);
        Self::new(
            contents
                .chain(presence)
                .chain(pages)
                .chain(names)
                .chain(audience)
                .chain(page),
        )
    }
}

/// Changes between two sites, as sorted digests.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeSet(Vec<u64>);

impl ChangeSet {
    pub(crate) fn of(differences: &[(Arc<str>, Difference)]) -> Self {
        Self::new(differences.iter().flat_map(|(path, difference)| {
            let list_changed = *difference != Difference::Changed;
            let also = [Dependency::Presence(path), Dependency::Names];
            let also = also.into_iter().filter(move |_| list_changed);
            also.chain([Dependency::Contents(path)])
        }))
    }

    fn new<'a>(dependencies: impl IntoIterator<Item = Dependency<'a>>) -> Self {
        Self(DependencySet::new(dependencies).0.into_vec())
    }

    /// Adds the paths of pages that were added or removed.
    pub(crate) fn with_pages<'a>(mut self, pages: impl IntoIterator<Item = &'a str>) -> Self {
        let pages = Self::new(pages.into_iter().map(Dependency::Page));
        self.0.extend(pages.0);
        self.0.sort_unstable();
        self
    }

    /// Adds a change of the readers of the site.
    pub(crate) fn with_audience(mut self) -> Self {
        self.0.push(Dependency::Audience.digest());
        self.0.sort_unstable();
        self
    }

    /// Whether a result with these dependencies is stale.
    pub(crate) fn affects(&self, dependencies: &DependencySet) -> bool {
        // Search the longer list for the entries of the shorter one: usually one file changed, a
        // checkout changes many.
        if self.0.len() > dependencies.0.len() {
            return dependencies
                .0
                .iter()
                .any(|digest| self.0.binary_search(digest).is_ok());
        }
        self.0
            .iter()
            .any(|digest| dependencies.0.binary_search(digest).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_affects_only_its_dependents() {
        let dependencies = DependencySet::new([
            Dependency::Contents("a.mdx"),
            Dependency::Presence("b.mdx"),
            Dependency::Page("/c"),
        ]);
        let affects = |path: &str, difference| {
            ChangeSet::of(&[(Arc::from(path), difference)]).affects(&dependencies)
        };
        assert!(affects("a.mdx", Difference::Changed) && affects("a.mdx", Difference::Removed));
        assert!(affects("b.mdx", Difference::Added) && !affects("b.mdx", Difference::Changed));
        assert!(!affects("c.mdx", Difference::Added));
        let of_readers = DependencySet::new([Dependency::Audience]);
        let other_readers = ChangeSet::default().with_audience();
        assert!(other_readers.affects(&of_readers) && !other_readers.affects(&dependencies));
        assert!(
            !ChangeSet::default()
                .with_pages(["/d"])
                .affects(&dependencies)
        );
        assert!(
            ChangeSet::default()
                .with_pages(["/d", "/c"])
                .affects(&dependencies)
        );
    }
}
