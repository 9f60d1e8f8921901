//! Public API of a repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use gix::ObjectId;
use gix::objs::Kind;
use gix::objs::tree::EntryKind;
use serde::{Deserialize, Serialize};
use svc_diagnostics::{Diagnostic, SourceFile, Span};

use crate::advertisement::Reference;
use crate::export::{Exporter, PreviousExport};
use crate::objects::{self, Entry, Objects};
use crate::store::Store;
use crate::{
    Commit, CommitId, GitError, Options, RemoteUrl, dates, fetch, local, program, result_cache,
};

/// A Git repository and its local store.
#[derive(Debug)]
pub struct Repository {
    remote: RemoteUrl,
    dir: PathBuf,
    options: Options,
    /// `None` for a local repository, which is read in place.
    store: Option<Mutex<Store>>,
}

impl Repository {
    /// Opens a repository. Fetched objects are stored in `dir`, which is created if it does not
    /// exist. Only one process can use it at a time. Nothing is fetched yet.
    ///
    /// # Errors
    /// When the remote is invalid or the directory cannot be used.
    pub fn open(dir: &Path, remote: &str, options: &Options) -> Result<Self, GitError> {
        let remote = RemoteUrl::parse(remote, options.allow_http)?;
        let options = Options {
            subfolder: objects::normalize_subfolder(&options.subfolder)?,
            ..options.clone()
        };
        let store = match remote {
            RemoteUrl::Local(_) => None,
            RemoteUrl::Http(_) | RemoteUrl::Ssh(_) => {
                let store = Store::open(dir, &remote.to_string(), &options)?;
                Some(Mutex::new(store))
            }
        };
        Ok(Self {
            remote,
            dir: dir.to_owned(),
            options,
            store,
        })
    }

    /// Location of the repository.
    pub const fn remote(&self) -> &RemoteUrl {
        &self.remote
    }

    /// Fetches a branch, a tag, or a full reference such as `refs/pull/12/head`, and returns its
    /// commit. A corrupt store is recreated.
    ///
    /// # Errors
    /// When the reference does not exist or cannot be fetched.
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

    /// Resolves a reference of a local repository.
    fn resolve_local(&self, name: &str) -> Result<ObjectId, GitError> {
        let objects = self.objects()?;
        let commit = local::resolve(&objects, name)?;
        let tree = objects.commit(commit)?.tree;
        match objects.subtree(tree, &self.options.subfolder)? {
            Some(_) => Ok(commit),
            None => Err(GitError::SubfolderNotFound(self.options.subfolder.clone())),
        }
    }

    /// Contents of a file of a fetched commit; `None` if there is no such file, or it is larger than
    /// the limit. The path is relative to the subfolder.
    ///
    /// # Errors
    /// When the repository is corrupt.
    pub fn read(&self, commit: &CommitId, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let objects = self.objects()?;
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let root = objects.commit(commit.0)?.tree;
        let dir = format!("{}/{dir}", self.options.subfolder);
        let Some(tree) = objects.subtree(root, &dir)? else {
            return Ok(None);
        };
        let entries = objects.tree(tree)?;
        let is_file = |entry: &&Entry| {
            entry.name == name.as_bytes()
                && matches!(entry.kind, EntryKind::Blob | EntryKind::BlobExecutable)
        };
        let Some(entry) = entries.iter().find(is_file) else {
            return Ok(None);
        };
        let size = objects.size(entry.id)?.unwrap_or(u64::MAX);
        match size <= self.options.limits.max_file_bytes {
            true => objects.blob(entry.id).map(Some),
            false => Ok(None),
        }
    }

    fn objects(&self) -> Result<Objects, GitError> {
        match (&self.store, &self.remote) {
            (Some(store), _) => store
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .objects(),
            (None, RemoteUrl::Local(path)) => {
                Objects::open(path, self.options.limits.max_object_bytes)
            }
            (None, _) => Err(GitError::Corrupt("it is not open".to_owned())),
        }
    }

    /// Writes the files of a commit to `into`, which should be empty, and returns the diagnostics.
    /// All files are regular files: filters, executable bits and submodules are ignored. Unchanged
    /// files are hard links to those of a previous export.
    ///
    /// # Errors
    /// When a limit is exceeded or the disk fails. After [`GitError::Corrupt`], fetch again.
    pub fn export(
        &self,
        commit: &CommitId,
        into: &Path,
        previous: Option<PreviousExport<'_>>,
    ) -> Result<Vec<Diagnostic>, GitError> {
        let result = self.write(commit.0, into, previous);
        if let Ok(diagnostics) = &result {
            let cache_dir = self.cache_dir("problems");
            result_cache::store(
                &cache_dir,
                commit.0,
                &self.export_key(),
                &to_stored(diagnostics),
            );
        }
        if let (Err(GitError::Corrupt(_)), Some(store)) = (&result, &self.store) {
            store
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clear()?;
        }
        result
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
        // If the previous commit is no longer in the store, all files are written.
        let old = previous.and_then(|previous| {
            let tree = objects.commit(previous.commit.0).ok()?.tree;
            objects.subtree(tree, subfolder).ok().flatten()
        });
        let mut export = Exporter::new(&objects, &self.options.limits, into);
        // The commit time as modification time, so that equal commits produce equal HTTP responses.
        let modified = u64::try_from(parsed.time).ok().map(Duration::from_secs);
        let modified = modified.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        export.modified = modified.map(|modified| modified.min(SystemTime::now()));
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

    /// Diagnostics of an earlier export of a commit; `None` if they are not cached.
    pub fn cached_diagnostics(&self, commit: &CommitId) -> Option<Vec<Diagnostic>> {
        let cache_dir = self.cache_dir("problems");
        let stored: Vec<StoredDiagnostic> =
            result_cache::read(&cache_dir, commit.0, &self.export_key())?;
        stored
            .into_iter()
            .map(StoredDiagnostic::into_diagnostic)
            .collect()
    }

    /// Cache key of an export: the options that affect its diagnostics.
    fn export_key(&self) -> String {
        let Options {
            subfolder, limits, ..
        } = &self.options;
        format!("{} {subfolder}", limits.max_file_bytes)
    }

    fn cache_dir(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Date of the last change of every file, `2026-03-05`, by path relative to the subfolder.
    /// Files whose history was not fetched have no entry. Results are cached per commit.
    ///
    /// # Errors
    /// When the repository is corrupt.
    pub fn dates(&self, commit: &CommitId) -> Result<BTreeMap<String, String>, GitError> {
        let cache_dir = self.cache_dir("dates");
        let Options {
            subfolder, limits, ..
        } = &self.options;
        dates::dates(
            &self.objects()?,
            commit.0,
            subfolder,
            Some(&cache_dir),
            limits,
        )
    }

    /// Lists the branches and their commits, by name without `refs/heads/`.
    ///
    /// # Errors
    /// When the repository cannot be reached.
    pub fn branches(&self) -> Result<BTreeMap<String, CommitId>, GitError> {
        let references = match (&self.store, &self.options.git_program) {
            (None, _) => local::branches(&self.objects()?),
            (Some(_), None) => fetch::branches(&self.remote, &self.options)?,
            (Some(store), Some(program)) => {
                let store = store.lock().unwrap_or_else(PoisonError::into_inner);
                program::branches(&store, program, &self.remote, &self.options)?
            }
        };
        let short = |reference: Reference| {
            let name = reference.name.strip_prefix("refs/heads/")?;
            Some((name.to_owned(), CommitId(reference.commit())))
        };
        Ok(references.into_iter().filter_map(short).collect())
    }
}

/// Cached result of [`Repository::dates`] for the repository whose store is in `dir`; `None` if
/// it is not cached.
pub fn cached_dates(
    dir: &Path,
    commit: &CommitId,
    subfolder: &str,
) -> Option<BTreeMap<String, String>> {
    dates::cached(
        &dir.join("dates"),
        commit.0,
        &objects::normalize_subfolder(subfolder).ok()?,
    )
}

/// A cached diagnostic.
#[derive(Debug, Serialize, Deserialize)]
struct StoredDiagnostic {
    code: String,
    path: Option<String>,
    message: String,
    hint: Option<String>,
}

fn to_stored(diagnostics: &[Diagnostic]) -> Vec<StoredDiagnostic> {
    let convert = |diagnostic: &Diagnostic| StoredDiagnostic {
        code: diagnostic.code.id.to_owned(),
        path: diagnostic
            .location
            .as_ref()
            .map(|location| location.file.to_string()),
        message: diagnostic.message.clone(),
        hint: diagnostic.hint.clone(),
    };
    diagnostics.iter().map(convert).collect()
}

impl StoredDiagnostic {
    fn into_diagnostic(self) -> Option<Diagnostic> {
        let code = crate::CODES.iter().find(|code| code.id == self.code)?;
        let mut diagnostic = Diagnostic::new(code, self.message);
        diagnostic.hint = self.hint;
        Some(match self.path {
            Some(path) => diagnostic.at(SourceFile::new(path, "").location(Span::new(0, 0))),
            None => diagnostic,
        })
    }
}
