//! What something depends on, and what changed, as digests: small enough to keep for every page.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

use svc_render::Dependencies;
use svc_source::Difference;

/// One thing that can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dependency<'a> {
    /// What a file holds.
    Contents(&'a str),
    /// Whether a file is there.
    Presence(&'a str),
    /// Whether a page is at an address.
    Page(&'a str),
    /// The names of all files.
    Names,
}

impl Dependency<'_> {
    fn digest(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// What something depends on. Two things may have one digest: then something is made once more
/// without need, never kept wrongly.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DependencySet(Box<[u64]>);

impl DependencySet {
    pub(crate) fn new<'a>(things: impl IntoIterator<Item = Dependency<'a>>) -> Self {
        let mut digests: Vec<u64> = things.into_iter().map(Dependency::digest).collect();
        digests.sort_unstable();
        digests.dedup();
        Self(digests.into())
    }

    /// Of what was asked while drawing, and of the file that was drawn.
    pub(crate) fn of(asked: &Dependencies, own: Option<&str>) -> Self {
        let contents = asked.contents.iter().map(|path| Dependency::Contents(path));
        let presence = asked.presence.iter().map(|path| Dependency::Presence(path));
        let pages = asked.pages.iter().map(|path| Dependency::Page(path));
        let names = asked.names.then_some(Dependency::Names);
        let own = own.map(Dependency::Contents);
        Self::new(
            contents
                .chain(presence)
                .chain(pages)
                .chain(names)
                .chain(own),
        )
    }
}

/// What changed between two sites.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeSet(Vec<u64>);

impl ChangeSet {
    pub(crate) fn of(differences: &[(Arc<str>, Difference)]) -> Self {
        Self::new(differences.iter().flat_map(|(path, difference)| {
            let listed = *difference != Difference::Changed;
            let also = [Dependency::Presence(path), Dependency::Names];
            let also = also.into_iter().filter(move |_| listed);
            also.chain([Dependency::Contents(path)])
        }))
    }

    fn new<'a>(things: impl IntoIterator<Item = Dependency<'a>>) -> Self {
        Self(DependencySet::new(things).0.into_vec())
    }

    /// The same with pages that came or went.
    pub(crate) fn with_pages<'a>(mut self, pages: impl IntoIterator<Item = &'a str>) -> Self {
        let pages = Self::new(pages.into_iter().map(Dependency::Page));
        self.0.extend(pages.0);
        self.0.sort_unstable();
        self
    }

    /// Whether something with these needs has to be made again.
    pub(crate) fn affects(&self, needs: &DependencySet) -> bool {
        // Usually one file changed; a checkout changes many.
        if self.0.len() > needs.0.len() {
            return needs
                .0
                .iter()
                .any(|digest| self.0.binary_search(digest).is_ok());
        }
        self.0
            .iter()
            .any(|digest| needs.0.binary_search(digest).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_hits() {
        let needs = DependencySet::new([
            Dependency::Contents("a.mdx"),
            Dependency::Presence("b.mdx"),
            Dependency::Page("/c"),
        ]);
        let hits = |path: &str, difference| {
            ChangeSet::of(&[(Arc::from(path), difference)]).affects(&needs)
        };
        assert!(hits("a.mdx", Difference::Changed) && hits("a.mdx", Difference::Removed));
        assert!(hits("b.mdx", Difference::Added) && !hits("b.mdx", Difference::Changed));
        assert!(!hits("c.mdx", Difference::Added));
        assert!(!ChangeSet::default().with_pages(["/d"]).affects(&needs));
        assert!(
            ChangeSet::default()
                .with_pages(["/d", "/c"])
                .affects(&needs)
        );
    }
}
