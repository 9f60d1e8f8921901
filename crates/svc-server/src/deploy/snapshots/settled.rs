//! Whether somebody is at work in a folder.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use svc_source::{Listing, LoadOptions};

/// What the files of a folder look like from outside: names, sizes and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Looks(u64);

/// Looks at the files that belong to a site.
///
/// # Errors
/// When the folder cannot be listed.
pub(crate) fn look(root: &Path, options: &LoadOptions) -> io::Result<Looks> {
    svc_source::list(root, options).map(|listing| looks(&listing.value))
}

/// How the files of a listing look now. One that went away counts as one without size.
pub(super) fn looks(listing: &Listing) -> Looks {
    let mut hasher = DefaultHasher::new();
    for file in &listing.files {
        let meta = fs::symlink_metadata(&file.path).ok();
        let seen = meta.map(|meta| (meta.len(), meta.modified().ok(), meta.is_file()));
        (&file.name, seen).hash(&mut hasher);
    }
    Looks(hasher.finish())
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
