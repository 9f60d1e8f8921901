//! Reads the files of a revision.

use std::path::Path;

use svc_diagnostics::{Checked, Diagnostic};
use svc_git::{RepositoryLimits, WorkTree};
use svc_source::SourceTree;

use super::problem::{VersionProblem, not_stored, without_repository};
use super::snapshot::{StoredVersions, version_path};
use super::{VersionRequest, VersionSource};
use crate::options::LoadOptions;

/// Maximum size of the files of a version that are read into memory, in bytes.
const MAX_VERSION_BYTES: u64 = 1 << 30;

/// The files of a version.
pub(super) struct Revision {
    pub(super) commit: String,
    pub(super) files: Checked<SourceTree>,
}

/// Where versions are read from.
pub(super) struct Source<'a> {
    origin: Origin<'a>,
    options: &'a LoadOptions,
    before: Option<(&'a SourceTree, &'a [Diagnostic])>,
}

enum Origin<'a> {
    WorkTree(Option<Box<WorkTree>>),
    Snapshot(&'a Path, StoredVersions),
}

/// Limits on a version that is read into memory.
pub(super) fn limits() -> RepositoryLimits {
    RepositoryLimits {
        max_total_bytes: MAX_VERSION_BYTES,
        ..RepositoryLimits::default()
    }
}

impl<'a> Source<'a> {
    pub(super) fn open(
        root: &'a Path,
        options: &'a LoadOptions,
        before: Option<(&'a SourceTree, &'a [Diagnostic])>,
    ) -> Self {
        let origin = match &options.versions {
            VersionSource::Enclosing => Origin::WorkTree(WorkTree::discover(root).map(Box::new)),
            VersionSource::Dir(dir) => Origin::WorkTree(WorkTree::discover(dir).map(Box::new)),
            VersionSource::None => Origin::WorkTree(None),
            VersionSource::Snapshot => Origin::Snapshot(root, StoredVersions::read(root)),
        };
        Self {
            origin,
            options,
            before,
        }
    }

    /// Reads the files of a version.
    pub(super) fn read(&self, request: &VersionRequest) -> Result<Revision, VersionProblem> {
        match &self.origin {
            Origin::WorkTree(None) => Err(without_repository()),
            Origin::WorkTree(Some(tree)) => self.read_work_tree(tree, request),
            Origin::Snapshot(root, stored) => self.read_snapshot(root, stored, request),
        }
    }

    fn read_work_tree(
        &self,
        tree: &WorkTree,
        request: &VersionRequest,
    ) -> Result<Revision, VersionProblem> {
        let reference = &request.reference.name;
        let failed = |error| VersionProblem::of(reference, &error);
        let commit = tree.resolve(reference).map_err(failed)?;
        if let Some(same) = self.same(request, &commit.to_string()) {
            return Ok(same);
        }
        let read = tree.files(commit, &limits()).map_err(failed)?;
        let mut files = svc_source::load_bytes(read.value, &self.options.source);
        files.diagnostics.splice(..0, read.diagnostics);
        Ok(Revision {
            commit: commit.to_string(),
            files,
        })
    }

    /// The files of the same commit that are in memory already.
    fn same(&self, request: &VersionRequest, commit: &str) -> Option<Revision> {
        let (tree, diagnostics) = self.before?;
        let mount = tree
            .mounts()
            .iter()
            .find(|mount| *mount.dir == *request.dir)?;
        if *mount.commit != *commit || !mount.is_in_memory() {
            return None;
        }
        let own = diagnostics.iter().filter_map(|problem| {
            let mut problem = problem.clone();
            let at = problem.location.as_mut()?;
            let path = at.file.strip_prefix(&*request.dir)?.strip_prefix('/')?;
            at.file = path.into();
            Some(problem)
        });
        Some(Revision {
            commit: commit.to_owned(),
            files: Checked {
                diagnostics: own.collect(),
                value: tree.mounted(&request.dir),
            },
        })
    }

    fn read_snapshot(
        &self,
        root: &Path,
        stored: &StoredVersions,
        request: &VersionRequest,
    ) -> Result<Revision, VersionProblem> {
        let commit = stored.commit(request)?;
        let dir = version_path(root, &request.dir);
        let before = self.before.map(|(tree, _)| tree.mounted(&request.dir));
        let loaded = match before {
            Some(before) => svc_source::load_reusing_hardlinks(&dir, &self.options.source, &before),
            None => svc_source::load(&dir, &self.options.source),
        };
        let files = loaded.map_err(|_| not_stored())?;
        Ok(Revision { commit, files })
    }
}
