//! Files that only the user who runs the server may read.

use std::fs;
use std::io;
use std::path::Path;

/// What a server of projects keeps in its data folder that concerns nobody else.
const PRIVATE_ENTRIES: &[&str] = &[
    "admin.sqlite",
    "admin.sqlite-shm",
    "admin.sqlite-wal",
    "agent",
    "dates",
    "deployments.journal",
    "images",
    "lock",
    "projects",
    "server.id",
];

/// From here on, files and folders that this process makes are for its user alone. A library must not
/// do that to the program around it.
pub(crate) fn set_private_umask() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
}

/// Makes a data folder for this user alone. Of one that is there, only what is the server's own is
/// taken from others: the folder may hold more.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn create_private_dir(folder: &Path) -> io::Result<()> {
    create(folder)?;
    #[cfg(unix)]
    for name in PRIVATE_ENTRIES {
        restrict_permissions(&folder.join(name));
    }
    Ok(())
}

/// Makes a folder and those above it, for this user alone. What root makes belongs to the owner of
/// the folder that it is in, so that a command run as root does not lock the server out.
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
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {
            return Ok(());
        }
        made => made?,
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, lchown};
        let owner = fs::metadata(parent)?;
        if fs::symlink_metadata(path)?.uid() == 0 && owner.uid() != 0 {
            lchown(path, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    Ok(())
}

/// Takes a file or folder from all other users. One that belongs to somebody else stays as it is.
#[cfg(unix)]
fn restrict_permissions(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(found) = fs::symlink_metadata(path) else {
        return;
    };
    let mode = found.permissions().mode();
    if !found.is_symlink() && mode & 0o077 != 0 {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7700));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_data_folder_is_for_its_user_alone() {
        let base = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let new = base.path().join("a/b");
        create_private_dir(&new).unwrap();
        assert_eq!((mode(&base.path().join("a")), mode(&new)), (0o700, 0o700));
        // One of before, in a folder with other things.
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
