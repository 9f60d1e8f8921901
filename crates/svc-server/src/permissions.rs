//! Files that only the user who runs the server can read.

use std::fs;
use std::io;
use std::path::Path;

/// Private files of a multi-project server in its data directory.
const PRIVATE_ENTRIES: &[&str] = &[
    "acme",
    "admin.sqlite",
    "admin.sqlite-shm",
    "admin.sqlite-wal",
    "agent",
    "backup",
    "dates",
    "deployments.journal",
    "images",
    "lock",
    "projects",
    "readers.key",
    "readers.revoked",
    "restore",
    "server.id",
];

/// Makes files and directories that this process creates accessible to its user only. A library
/// must not do that to its host program.
pub(crate) fn set_private_umask() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
}

/// Creates a data directory for this user only. In an existing directory, only the permissions of
/// the server's own files are restricted, because it may contain others.
///
/// # Errors
/// If the directory cannot be created.
pub(crate) fn create_private_dir(dir: &Path) -> io::Result<()> {
    create(dir)?;
    #[cfg(unix)]
    for name in PRIVATE_ENTRIES {
        restrict_permissions(&dir.join(name));
    }
    Ok(())
}

/// Creates a directory and its parents for this user only. If created by root, they belong to the
/// owner of the parent directory, so that a command that is run as root does not lock out the
/// server.
pub(crate) fn create(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new("."));
    if !parent.is_dir() {
        create(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        // Another process has created it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {
            return Ok(());
        }
        result => result?,
    }
    give_to_owner(path, parent)
}

/// Gives a file or directory of root to the owner of a directory.
fn give_to_owner(path: &Path, of: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, lchown};
        let owner = fs::metadata(of)?;
        if fs::symlink_metadata(path)?.uid() == 0 && owner.uid() != 0 {
            lchown(path, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (path, of);
    Ok(())
}

/// Gives a file, or a directory with everything in it, to the owner of a directory if it belongs to
/// root.
///
/// # Errors
/// If the owner cannot be changed.
pub(crate) fn give_all_to_owner(path: &Path, of: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            give_all_to_owner(&entry?.path(), of)?;
        }
    }
    give_to_owner(path, of)
}

/// Removes access for all other users. A file or directory of another user is not changed.
#[cfg(unix)]
fn restrict_permissions(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    let mode = metadata.permissions().mode();
    if !metadata.is_symlink() && mode & 0o077 != 0 {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7700));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_data_directory_is_private() {
        let base = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let new = base.path().join("a/b");
        create_private_dir(&new).unwrap();
        assert_eq!((mode(&base.path().join("a")), mode(&new)), (0o700, 0o700));
        // An existing file in a directory with others.
        set(&new, 0o755);
        fs::create_dir(new.join("projects")).unwrap();
        for (name, before) in [("deployments.journal", 0o644), ("other", 0o644)] {
            fs::write(new.join(name), "").unwrap();
            set(&new.join(name), before);
        }
        set(&new.join("projects"), 0o755);
        create_private_dir(&new).unwrap();
        assert_eq!(mode(&new.join("projects")), 0o700);
        assert_eq!(mode(&new.join("deployments.journal")), 0o600);
        assert_eq!((mode(&new), mode(&new.join("other"))), (0o755, 0o644));
    }
}
