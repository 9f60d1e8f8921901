//! Snapshots: the files of a site as they were at one moment.
//!
//! A snapshot directory is complete or does not exist: it is written under a temporary name, synced
//! and renamed. Its name identifies its contents: a commit ID or a hash.

mod copy;
mod fingerprint;
mod live_dir;
mod secure_dir;

pub(crate) use fingerprint::{DirFingerprint, fingerprint_dir};
pub(crate) use live_dir::snapshot_dir;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_diagnostics::Diagnostic;
use svc_source::sync_dir;

use super::Commit;

/// Prefix of directories that are not complete.
const PARTIAL_PREFIX: &str = ".partial-";

/// Files of a source at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// Directory of the files.
    pub dir: PathBuf,
    /// Name of the snapshot. Equal names mean equal files.
    pub key: String,
    /// The commit; `None` if the source is not a Git repository.
    pub commit: Option<Commit>,
    /// Dates of the last changes by path; `None` if the source does not provide them.
    pub dates: Option<Arc<BTreeMap<String, String>>>,
    /// Diagnostics of files that were skipped.
    pub diagnostics: Vec<Diagnostic>,
}

/// Error of a snapshot: a message for the user who requested the deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchSourceError(pub String);

impl std::fmt::Display for FetchSourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FetchSourceError {}

/// Snapshots of a project.
#[derive(Debug)]
pub struct Snapshots {
    dir: PathBuf,
    next: AtomicUsize,
}

impl Snapshots {
    /// Opens a directory of snapshots, creating it if it does not exist. Incomplete snapshots of an
    /// earlier run are removed.
    ///
    /// # Errors
    /// If the directory cannot be created or read.
    pub fn open(dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            if entry
                .file_name()
                .to_string_lossy()
                .starts_with(PARTIAL_PREFIX)
            {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(Self {
            dir: dir.to_owned(),
            next: AtomicUsize::new(0),
        })
    }

    /// Path of a snapshot, whether it exists or not.
    pub fn path(&self, key: &str) -> PathBuf {
        self.dir.join(key)
    }

    /// Path of other data of the same project.
    pub fn sibling(&self, name: &str) -> PathBuf {
        self.dir.with_file_name(name)
    }

    /// Names of all snapshots.
    pub fn keys(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| is_key(name)).collect()
    }

    /// Path of the newest snapshot; `None` if there are none.
    pub fn newest(&self) -> Option<PathBuf> {
        let paths = self.keys().into_iter().map(|key| self.path(&key));
        paths.max_by_key(|path| {
            let time = fs::metadata(path).and_then(|meta| meta.modified());
            (time.ok(), path.clone())
        })
    }

    /// Whether a snapshot exists.
    pub fn has(&self, key: &str) -> bool {
        is_key(key) && self.path(key).is_dir()
    }

    /// Creates an empty directory to write to, which is removed when the returned value is dropped.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn begin(&self) -> io::Result<Partial> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.dir.join(format!("{PARTIAL_PREFIX}{number}"));
        fs::create_dir(&path)?;
        Ok(Partial(path))
    }

    /// Renames a partial snapshot to its final name. If that exists already, it is kept.
    ///
    /// # Errors
    /// If it cannot be synced or renamed.
    pub fn finalize(&self, partial: Partial, key: &str) -> io::Result<PathBuf> {
        if !is_key(key) {
            return Err(io::Error::other(format!("`{key}` cannot be a name")));
        }
        let path = self.path(key);
        if path.is_dir() {
            return Ok(path);
        }
        sync_files(&partial.0)?;
        if let Err(error) = fs::rename(&partial.0, &path) {
            // Another deployment of the same files may have finished first.
            return if path.is_dir() { Ok(path) } else { Err(error) };
        }
        sync_dir(&path);
        Ok(path)
    }

    /// Renames all snapshots except the wanted ones, and returns them for removal.
    ///
    /// # Errors
    /// If the directory cannot be listed.
    pub fn withdraw(&self, matches: impl Fn(&str) -> bool) -> io::Result<Vec<Partial>> {
        let mut withdrawn = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str().filter(|name| is_key(name)) else {
                continue;
            };
            if matches(name) {
                continue;
            }
            // Renamed before removal, so that a partially removed snapshot is never used.
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let partial = self.dir.join(format!("{PARTIAL_PREFIX}{number}"));
            if fs::rename(self.path(name), &partial).is_ok() {
                withdrawn.push(Partial(partial));
            }
        }
        Ok(withdrawn)
    }
}

/// Letters and digits only, so that the name cannot be a path.
fn is_key(key: &str) -> bool {
    (1..=128).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Syncs all files below a directory, with a single system call where possible.
fn sync_files(dir: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let all = rustix::fs::syncfs(File::open(dir)?);
        if all.is_ok() {
            return Ok(());
        }
    }
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                dirs.push(entry.path());
            } else {
                File::open(entry.path())?.sync_all()?;
            }
        }
        let _ = File::open(&dir).and_then(|dir| dir.sync_all());
    }
    Ok(())
}

/// A directory that is not a snapshot: it is being written or removed.
#[derive(Debug)]
pub struct Partial(PathBuf);

impl Partial {
    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // It does not exist anymore if it was renamed.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_snapshots_exist_and_partial_ones_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let snapshots = Snapshots::open(dir.path()).unwrap();
        let partial = snapshots.begin().unwrap();
        fs::create_dir(partial.path().join("a")).unwrap();
        fs::write(partial.path().join("a/b"), "text").unwrap();
        assert!(!snapshots.has("abc1"));
        let path = snapshots.finalize(partial, "abc1").unwrap();
        assert_eq!(fs::read_to_string(path.join("a/b")).unwrap(), "text");
        assert!(snapshots.has("abc1"));
        drop(snapshots.begin().unwrap());
        std::mem::forget(snapshots.begin().unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        let snapshots = Snapshots::open(dir.path()).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert_eq!(snapshots.withdraw(|key| key == "abc1").unwrap().len(), 0);
        drop(snapshots.withdraw(|key| key != "abc1").unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn snapshot_names_are_not_paths() {
        let dir = tempfile::tempdir().unwrap();
        let snapshots = Snapshots::open(dir.path()).unwrap();
        for key in ["", "..", "a/b", ".partial-0", "a b"] {
            assert!(!snapshots.has(key), "{key}");
            let partial = snapshots.begin().unwrap();
            assert!(snapshots.finalize(partial, key).is_err(), "{key}");
        }
    }
}
