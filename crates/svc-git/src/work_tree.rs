//! The repository that contains a local directory: dates, and the files of other revisions.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use gix::ObjectId;
use svc_diagnostics::Checked;

use crate::objects::{self, Objects};
use crate::{CommitId, FileBytes, GitError, RepositoryLimits, dates, files, local};

/// The repository of a work tree. Reading it executes no program and changes nothing.
#[derive(Debug)]
pub struct WorkTree {
    objects: Objects,
    subfolder: String,
}

/// The commit that a work tree is at. Dates are unchanged as long as it is equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head(ObjectId);

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl WorkTree {
    /// Finds the repository that contains a directory. Returns `None` if there is none.
    pub fn discover(dir: &Path) -> Option<Self> {
        let top = objects::find_root(dir)?;
        let dir = dir.canonicalize().ok()?;
        let subfolder = dir.strip_prefix(&top).ok()?.to_str()?;
        let objects = Objects::open(&top, RepositoryLimits::default().max_object_bytes).ok()?;
        Some(Self {
            objects,
            subfolder: subfolder.to_owned(),
        })
    }

    /// The current commit; `None` in a repository without commits.
    pub fn head(&self) -> Option<Head> {
        let id = self.objects.repository().head_id().ok()?;
        Some(Head(id.detach()))
    }

    /// Date of the last change of every file, `2026-03-05`, by path relative to the directory.
    /// Files whose history is missing have no entry. Results are cached in the directory `cache_dir`.
    pub fn dates(&self, head: Head, cache_dir: Option<&Path>) -> BTreeMap<String, String> {
        let limits = RepositoryLimits::default();
        let dates = dates::dates(&self.objects, head.0, &self.subfolder, cache_dir, &limits);
        dates.unwrap_or_default()
    }

    /// The commit of a branch, a tag or an id. Branches of the remote `origin` are found too.
    ///
    /// # Errors
    /// When the name is invalid, or there is no such commit.
    pub fn resolve(&self, reference: &str) -> Result<CommitId, GitError> {
        local::resolve(&self.objects, reference).map(CommitId)
    }

    /// The files that the directory has in a commit, sorted by path. The work tree is neither read
    /// nor changed.
    ///
    /// # Errors
    /// When the commit does not have the directory, or a limit is exceeded.
    pub fn files(
        &self,
        commit: CommitId,
        limits: &RepositoryLimits,
    ) -> Result<Checked<Vec<FileBytes>>, GitError> {
        let tree = self.objects.commit(commit.0)?.tree;
        let Some(tree) = self.objects.subtree(tree, &self.subfolder)? else {
            return Err(GitError::SubfolderNotFound(self.subfolder.clone()));
        };
        let (value, diagnostics) = files::read(&self.objects, tree, limits)?;
        Ok(Checked { value, diagnostics })
    }
}
