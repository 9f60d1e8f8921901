//! Whether somebody is at work in a folder.

use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use svc_source::{FileList, LoadOptions};

/// What the files of a folder look like from outside: names, and how each one looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DirFingerprint(u64);

/// Looks at the files that belong to a site.
///
/// # Errors
/// When the folder cannot be listed.
pub(crate) fn fingerprint_dir(root: &Path, options: &LoadOptions) -> io::Result<DirFingerprint> {
    svc_source::list(root, options).map(|listing| fingerprint(&listing.value))
}

/// How the files of a listing look now. One that went away counts as one without size.
pub(super) fn fingerprint(listing: &FileList) -> DirFingerprint {
    let mut hasher = DefaultHasher::new();
    for file in &listing.files {
        let meta = fs::symlink_metadata(&file.path);
        (&file.name, meta.ok().as_ref().map(metadata_key)).hash(&mut hasher);
    }
    DirFingerprint(hasher.finish())
}

/// How a file looks. Programs write the same time into every file, or set it back; but not the time
/// at which they did that, nor the number of the file that takes the place of another.
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

/// The lock file of a Git command that is at work in a folder or above it.
pub(super) fn git_lock(root: &Path) -> Option<PathBuf> {
    let git = root.ancestors().take(32).find_map(|folder| {
        let git = folder.join(".git");
        let meta = fs::symlink_metadata(&git).ok()?;
        if meta.is_dir() {
            return Some(git);
        }
        // A further work tree has a file that names its folder.
        let text = (meta.is_file() && meta.len() < 4096)
            .then(|| fs::read_to_string(&git).ok())
            .flatten()?;
        Some(folder.join(text.strip_prefix("gitdir:")?.trim()))
    })?;
    ["index.lock", "HEAD.lock"]
        .map(|name| git.join(name))
        .into_iter()
        .find(|lock| fs::symlink_metadata(lock).is_ok())
}
