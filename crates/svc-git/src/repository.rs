//! The front door.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use gix::objs::Kind;
use serde::{Deserialize, Serialize};
use svc_diagnostics::{Diagnostic, SourceFile, Span};

use crate::export::{Exporter, PreviousExport};
use crate::fetch::{candidates, unknown_reference};
use crate::objects::{self, Objects};
use crate::protocol::Reference;
use crate::store::Store;
use crate::{RemoteUrl, Commit, CommitId, GitError, Options, dates, fetch, result_cache, program};

/// A repository and what has been fetched of it.
#[derive(Debug)]
pub struct Repository {
    remote: RemoteUrl,
    dir: PathBuf,
    options: Options,
    /// Nothing for a folder, which is read where it is.
    store: Option<Mutex<Store>>,
}

impl Repository {
    /// Opens a repository. What is fetched of it lies in `folder`, which is made where it is
    /// missing, and which only one process uses at a time. Nothing is fetched yet.
    ///
    /// # Errors
    /// When the address cannot be used, or the folder.
    pub fn open(folder: &Path, address: &str, options: &Options) -> Result<Self, GitError> {
        let address = RemoteUrl::parse(address, options.allow_http)?;
        let options = Options {
            subfolder: objects::normalize_subfolder(&options.subfolder)?,
            ..options.clone()
        };
        let store = match address {
            RemoteUrl::Local(_) => None,
            RemoteUrl::Http(_) | RemoteUrl::Ssh(_) => {
                let store = Store::open(folder, &address.to_string(), &options)?;
                Some(Mutex::new(store))
            }
        };
        Ok(Self {
            remote: address,
            dir: folder.to_owned(),
            options,
            store,
        })
    }

    /// Where it is.
    pub const fn remote(&self) -> &RemoteUrl {
        &self.remote
    }

    /// Fetches what a name stands for: a branch or tag, or a whole reference such as
    /// `refs/pull/12/head`. A store that turns out to be broken is made anew.
    ///
    /// # Errors
    /// When there is no such name, or it cannot be fetched.
    pub fn fetch(&self, reference: &str) -> Result<Commit, GitError> {
        let id = match &self.store {
            None => self.resolve_local(reference)?,
            Some(store) => {
                let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
                match self.fetch_into(&mut store, reference) {
                    Err(GitError::Corrupt(_)) => {
                        store.clear()?;
                        self.fetch_into(&mut store, reference)?
                    }
                    fetched => fetched?,
                }
            }
        };
        let data = self.objects()?.get(id, Kind::Commit)?;
        Ok(Commit::parse(id, &data))
    }

    fn fetch_into(&self, store: &mut Store, reference: &str) -> Result<ObjectId, GitError> {
        match &self.options.git_program {
            None => fetch::fetch(store, &self.remote, &self.options, reference),
            Some(path) => program::fetch(store, path, &self.remote, &self.options, reference),
        }
    }

    /// A reference of a repository on this machine.
    fn resolve_local(&self, name: &str) -> Result<ObjectId, GitError> {
        let candidates = candidates(name)?;
        let objects = self.objects()?;
        if name == "HEAD" {
            let head = objects.repository().head_id();
            let head = head.map_err(|_| unknown_reference(name, &local_branches(&objects)))?;
            return objects.peel(head.detach());
        }
        for candidate in &candidates {
            let found = objects.repository().try_find_reference(candidate.as_str());
            let Some(mut found) = found.map_err(GitError::corrupt)? else {
                continue;
            };
            let id = found.peel_to_id().map_err(GitError::corrupt)?.detach();
            let commit = objects.peel(id)?;
            let tree = objects.commit(commit)?.tree;
            return match objects.subtree(tree, &self.options.subfolder)? {
                Some(_) => Ok(commit),
                None => Err(GitError::SubfolderNotFound(self.options.subfolder.clone())),
            };
        }
        Err(unknown_reference(name, &local_branches(&objects)))
    }

    fn objects(&self) -> Result<Objects, GitError> {
        match (&self.store, &self.remote) {
            (Some(store), _) => store
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .objects(),
            (None, RemoteUrl::Local(path)) => Objects::open(path, self.options.limits.max_object_bytes),
            (None, _) => Err(GitError::Corrupt("it was not opened".to_owned())),
        }
    }

    /// Writes the files of a commit below `into`, which should be empty. They are plain files:
    /// nothing is filtered, executable or a submodule. Unchanged files are linked to those of a
    /// previous export.
    ///
    /// # Errors
    /// When a limit is reached or the disk fails. After [`GitError::Corrupt`] fetch again.
    pub fn export(
        &self,
        commit: &CommitId,
        into: &Path,
        previous: Option<PreviousExport<'_>>,
    ) -> Result<Vec<Diagnostic>, GitError> {
        let written = self.write(commit.0, into, previous);
        if let Ok(found) = &written {
            let folder = self.cache_dir("problems");
            result_cache::store(&folder, commit.0, &self.export_key(), &to_stored(found));
        }
        if let (Err(GitError::Corrupt(_)), Some(store)) = (&written, &self.store) {
            store
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clear()?;
        }
        written
    }

    fn write(
        &self,
        commit: ObjectId,
        into: &Path,
        previous: Option<PreviousExport<'_>>,
    ) -> Result<Vec<Diagnostic>, GitError> {
        let objects = self.objects()?;
        let subfolder = &self.options.subfolder;
        let parsed = objects.commit(commit)?;
        let Some(tree) = objects.subtree(parsed.tree, subfolder)? else {
            return Err(GitError::SubfolderNotFound(subfolder.clone()));
        };
        // The older commit may be gone from the store; then everything is written.
        let old = previous.and_then(|previous| {
            let tree = objects.commit(previous.commit.0).ok()?.tree;
            objects.subtree(tree, subfolder).ok().flatten()
        });
        let mut export = Exporter::new(&objects, &self.options.limits, into);
        // The time of the commit, so that equal commits give equal answers to readers.
        let made = u64::try_from(parsed.time).ok().map(Duration::from_secs);
        let made = made.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        export.modified = made.map(|made| made.min(SystemTime::now()));
        export.previous = previous.map(|previous| previous.dir);
        export.partial = match &self.store {
            None => false,
            Some(store) => {
                let store = store.lock().unwrap_or_else(PoisonError::into_inner);
                let filtered = store.filter().is_some_and(|filter| filter != "blob:none");
                filtered || store.leaves_out(None)
            }
        };
        export.run(tree, old)
    }

    /// What an earlier export of a commit found; nothing when that is not known.
    pub fn cached_diagnostics(&self, commit: &CommitId) -> Option<Vec<Diagnostic>> {
        let folder = self.cache_dir("problems");
        let told: Vec<StoredDiagnostic> = result_cache::read(&folder, commit.0, &self.export_key())?;
        told.into_iter().map(StoredDiagnostic::into_diagnostic).collect()
    }

    /// What of a commit an export writes.
    fn export_key(&self) -> String {
        let Options {
            subfolder, limits, ..
        } = &self.options;
        format!("{} {subfolder}", limits.max_file_bytes)
    }

    fn cache_dir(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The day of the last change of every file, `2026-03-05`, by its path from the subfolder.
    /// Files whose history was not fetched have none. Results are kept by commit.
    ///
    /// # Errors
    /// When the repository is broken.
    pub fn dates(&self, commit: &CommitId) -> Result<BTreeMap<String, String>, GitError> {
        let kept = self.cache_dir("dates");
        let Options {
            subfolder, limits, ..
        } = &self.options;
        dates::dates(&self.objects()?, commit.0, subfolder, Some(&kept), limits)
    }

    /// The branches and their commits, by name without `refs/heads/`.
    ///
    /// # Errors
    /// When the repository cannot be reached.
    pub fn branches(&self) -> Result<BTreeMap<String, CommitId>, GitError> {
        let references = match (&self.store, &self.options.git_program) {
            (None, _) => local_branches(&self.objects()?),
            (Some(_), None) => fetch::branches(&self.remote, &self.options)?,
            (Some(store), Some(program)) => {
                let store = store.lock().unwrap_or_else(PoisonError::into_inner);
                program::branches(&store, program, &self.remote, &self.options)?
            }
        };
        let short = |one: Reference| {
            let name = one.name.strip_prefix("refs/heads/")?;
            Some((name.to_owned(), CommitId(one.commit())))
        };
        Ok(references.into_iter().filter_map(short).collect())
    }
}

/// The days that [`Repository::dates`] has told before, of a repository that is fetched into
/// `folder`.
pub fn cached_dates(
    folder: &Path,
    commit: &CommitId,
    subfolder: &str,
) -> Option<BTreeMap<String, String>> {
    dates::cached(
        &folder.join("dates"),
        commit.0,
        &objects::normalize_subfolder(subfolder).ok()?,
    )
}

/// A problem as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct StoredDiagnostic {
    code: String,
    path: Option<String>,
    message: String,
    hint: Option<String>,
}

fn to_stored(found: &[Diagnostic]) -> Vec<StoredDiagnostic> {
    let one = |one: &Diagnostic| StoredDiagnostic {
        code: one.code.id.to_owned(),
        path: one
            .location
            .as_ref()
            .map(|location| location.file.to_string()),
        message: one.message.clone(),
        hint: one.hint.clone(),
    };
    found.iter().map(one).collect()
}

impl StoredDiagnostic {
    fn into_diagnostic(self) -> Option<Diagnostic> {
        let code = crate::CODES.iter().find(|code| code.id == self.code)?;
        let mut found = Diagnostic::new(code, self.message);
        found.hint = self.hint;
        Some(match self.path {
            Some(path) => found.at(SourceFile::new(path, "").location(Span::new(0, 0))),
            None => found,
        })
    }
}

fn local_branches(objects: &Objects) -> Vec<Reference> {
    let Ok(platform) = objects.repository().references() else {
        return Vec::new();
    };
    let branches = platform.local_branches();
    let branches = branches.into_iter().flatten().flatten();
    let read = |reference: gix::Reference<'_>| {
        Some(Reference {
            name: reference.name().as_bstr().to_string(),
            id: reference.try_id()?.detach(),
            peeled: None,
        })
    };
    branches.filter_map(read).collect()
}
