//! Detects changes in a folder.

use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use svc_source::{FileList, LoadOptions};

/// Hash of the names and metadata of the files of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DirFingerprint(u64);

/// Computes the fingerprint of the files of a site.
///
/// # Errors
/// If the directory cannot be listed.
pub(crate) fn fingerprint_dir(root: &Path, options: &LoadOptions) -> io::Result<DirFingerprint> {
    svc_source::list(root, options).map(|listing| fingerprint(&listing.value))
}

/// Fingerprint of a file listing. A file that was removed meanwhile has no size.
pub(super) fn fingerprint(listing: &FileList) -> DirFingerprint {
    let mut hasher = DefaultHasher::new();
    for file in &listing.files {
        let meta = fs::symlink_metadata(&file.path);
        (&file.name, meta.ok().as_ref().map(metadata_key)).hash(&mut hasher);
    }
    DirFingerprint(hasher.finish())
}

/// Metadata that identifies a version of a file. Programs can set the modification time, but not
/// the change time (`ctime`) and the inode number.
pub(super) fn metadata_key(meta: &Metadata) -> impl Hash + PartialEq + use<> {
    #[cfg(unix)]
    let trace = {
        use std::os::unix::fs::MetadataExt as _;
        (meta.ctime(), meta.ctime_nsec(), meta.ino())
    };
    #[cfg(not(unix))]
    let trace = ();
    (meta.len(), meta.modified().ok(), meta.is_file(), trace)
}

/// Lock file of a running Git command in a directory or its parents.
pub(super) fn git_lock(root: &Path) -> Option<PathBuf> {
    let git = root.ancestors().take(32).find_map(|dir| {
        let git = dir.join(".git");
        let meta = fs::symlink_metadata(&git).ok()?;
        if meta.is_dir() {
            return Some(git);
        }
        // A linked worktree has a file `.git` with the path of its directory.
        let text = (meta.is_file() && meta.len() < 4096)
            .then(|| fs::read_to_string(&git).ok())
            .flatten()?;
        Some(dir.join(text.strip_prefix("gitdir:")?.trim()))
    })?;
    ["index.lock", "HEAD.lock"]
        .map(|name| git.join(name))
        .into_iter()
        .find(|lock| fs::symlink_metadata(lock).is_ok())
}
