//! The previous site, as the stages see it.

use std::sync::Arc;

use svc_config::SiteConfig;
use svc_source::{Difference, PageIndex, SourceTree};

use crate::dependencies::{ChangeSet, DependencySet};
use crate::site::Site;

/// Whether remote documents are fetched although no reference to them changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remote {
    /// The provider is always queried.
    Refetch,
    /// The provider is queried only if the references may have changed, because a live preview
    /// reloads after each edit.
    UseCached,
}

/// The previous site, whose results the stages reuse, and the files that changed since.
#[derive(Debug)]
pub(crate) struct Previous<'a> {
    site: Option<&'a Site>,
    remote: Remote,
    differences: Vec<(Arc<str>, Difference)>,
    changes: ChangeSet,
}

impl<'a> Previous<'a> {
    /// No previous site: every stage runs.
    pub(crate) fn none() -> Self {
        Self {
            site: None,
            remote: Remote::Refetch,
            differences: Vec::new(),
            changes: ChangeSet::default(),
        }
    }

    /// A site that was loaded from other contents of the repository or with other options.
    pub(crate) fn of(site: &'a Site, remote: Remote) -> Self {
        Self {
            site: Some(site),
            remote,
            ..Self::none()
        }
    }

    /// Finds the files of `tree` that differ from those of the previous site.
    pub(super) fn compare(self, tree: &SourceTree) -> Self {
        let differences = self.site.map(|site| tree.differences(&site.tree));
        let differences = differences.unwrap_or_default();
        Self {
            changes: ChangeSet::of(&differences),
            differences,
            ..self
        }
    }

    /// The previous site.
    pub(crate) const fn site(&self) -> Option<&'a Site> {
        self.site
    }

    /// The changed files, as dependencies that are invalid.
    pub(crate) const fn changes(&self) -> &ChangeSet {
        &self.changes
    }

    /// The previous site, unless a changed file has a path for which `is_input` returns true.
    pub(super) fn unless_changed(&self, is_input: impl Fn(&str) -> bool) -> Option<&'a Site> {
        let changed = || self.differences.iter().any(|(path, _)| is_input(path));
        self.site.filter(|_| !changed())
    }

    /// The previous site, unless a change affects the recorded dependencies of its stage.
    pub(super) fn unless_affected(
        &self,
        dependencies: impl Fn(&Site) -> &DependencySet,
    ) -> Option<&'a Site> {
        self.site
            .filter(|site| !self.changes.affects(dependencies(site)))
    }

    /// The previous site, if the configuration and all front matter, and with them the references
    /// to documents and pages, are the same.
    pub(super) fn with_same_front_matter(
        &self,
        config: &Arc<SiteConfig>,
        pages: &PageIndex,
    ) -> Option<&'a Site> {
        self.site
            .filter(|site| Arc::ptr_eq(config, &site.config) && pages.front_matter_eq(&site.pages))
    }

    /// The previous site, if its remote documents are used without querying the provider.
    pub(super) fn with_cached_remote(
        &self,
        config: &Arc<SiteConfig>,
        pages: &PageIndex,
    ) -> Option<&'a Site> {
        self.with_same_front_matter(config, pages)
            .filter(|_| self.remote == Remote::UseCached)
    }
}
