//! Changes of several files that happen together.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::{AtomicFile, write_atomic};

/// Renames and replaced files that are committed together: if one of them fails, all files are as
/// they were before.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let dir = tempfile::tempdir()?;
/// # let (old, new) = (dir.path().join("a"), dir.path().join("sub/b"));
/// # std::fs::write(&old, "one")?;
/// use svc_source::FileTransaction;
/// let mut changes = FileTransaction::default();
/// changes.rename(&old, &new);
/// changes.write(&new, *b"two");
/// changes.commit()?;
/// assert_eq!(std::fs::read(&new)?, b"two");
/// assert!(!old.exists());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct FileTransaction {
    renames: Vec<(PathBuf, PathBuf)>,
    writes: Vec<(PathBuf, Vec<u8>)>,
}

/// What has been done, so that it can be undone.
#[derive(Debug, Default)]
struct Undo {
    dirs: Vec<PathBuf>,
    renames: Vec<(PathBuf, PathBuf)>,
    files: Vec<(PathBuf, Vec<u8>, Permissions)>,
}

impl FileTransaction {
    /// Renames a file or a directory. Missing parent directories are created.
    pub fn rename(&mut self, from: impl Into<PathBuf>, to: impl Into<PathBuf>) {
        self.renames.push((from.into(), to.into()));
    }

    /// Replaces the contents of an existing file, by its path after all renames. Its permissions
    /// stay, and a symbolic link is followed.
    pub fn write(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.writes.push((path.into(), bytes.into()));
    }

    /// Makes all changes.
    ///
    /// # Errors
    /// If one of them is not possible, for example because something exists at a new path. The
    /// files are then unchanged, unless the disk fails while they are restored. The error names the
    /// path.
    pub fn commit(self) -> io::Result<()> {
        let mut undo = Undo::default();
        let result = self.apply(&mut undo);
        if result.is_err() {
            undo.run();
        }
        result
    }

    fn apply(self, undo: &mut Undo) -> io::Result<()> {
        for (from, to) in self.renames {
            rename(&from, &to, undo).map_err(|error| with_path(&to, &error))?;
            undo.renames.push((from, to));
        }
        let mut ready = Vec::with_capacity(self.writes.len());
        for (path, bytes) in &self.writes {
            ready.push(prepare(path, bytes).map_err(|error| with_path(path, &error))?);
        }
        for (path, new, permissions) in ready {
            let fails = |error: io::Error| with_path(&path, &error);
            let old = fs::read(&path).map_err(fails)?;
            new.commit().map_err(fails)?;
            undo.files.push((path, old, permissions));
        }
        Ok(())
    }
}

/// Writes the new contents next to a file.
fn prepare(path: &Path, bytes: &[u8]) -> io::Result<(PathBuf, AtomicFile, Permissions)> {
    let path = path.canonicalize()?;
    let permissions = fs::metadata(&path)?.permissions();
    let mut new = AtomicFile::create(&path)?;
    new.file().write_all(bytes)?;
    new.file().set_permissions(permissions.clone())?;
    Ok((path, new, permissions))
}

fn rename(from: &Path, to: &Path, undo: &mut Undo) -> io::Result<()> {
    let exists = fs::symlink_metadata(to).is_ok();
    // On a case-insensitive file system, a name in other case is the same file.
    if exists && to.canonicalize().ok() != from.canonicalize().ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let parents = to.ancestors().skip(1);
    let missing = parents.take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists());
    let mut missing: Vec<&Path> = missing.collect();
    missing.reverse();
    for dir in missing {
        fs::create_dir(dir)?;
        undo.dirs.push(dir.to_owned());
    }
    fs::rename(from, to)
}

impl Undo {
    /// Undoes the changes, the last one first. What fails here is not reported: the first error is.
    fn run(self) {
        for (path, old, permissions) in self.files.into_iter().rev() {
            let _ = write_atomic(&path, &old);
            let _ = fs::set_permissions(&path, permissions);
        }
        for (from, to) in self.renames.into_iter().rev() {
            let _ = fs::rename(to, from);
        }
        for dir in self.dirs.into_iter().rev() {
            let _ = fs::remove_dir(dir);
        }
    }
}

fn with_path(path: &Path, error: &io::Error) -> io::Error {
    let reason = match error.kind() {
        io::ErrorKind::AlreadyExists => "it exists already".to_owned(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{}: {reason}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(dir: &Path, path: &str, text: &str) {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_failed_write_restores_everything() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "a/one", "1");
        write(dir.path(), "two", "2");
        fs::create_dir(dir.path().join("full")).unwrap();
        let mut changes = FileTransaction::default();
        changes.rename(dir.path().join("a"), dir.path().join("x/y"));
        changes.write(dir.path().join("x/y/one"), *b"new");
        changes.write(dir.path().join("two"), *b"new");
        // A directory cannot be replaced by a file; it is found out last.
        changes.write(dir.path().join("full"), *b"new");
        let error = changes.commit().unwrap_err();
        assert!(error.to_string().contains("full"), "{error}");
        assert_eq!(fs::read(dir.path().join("a/one")).unwrap(), b"1");
        assert_eq!(fs::read(dir.path().join("two")).unwrap(), b"2");
        assert!(!dir.path().join("x").exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn nothing_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "a", "1");
        write(dir.path(), "b", "2");
        let mut changes = FileTransaction::default();
        changes.rename(dir.path().join("a"), dir.path().join("b"));
        let error = changes.commit().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(dir.path().join("b")).unwrap(), b"2");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "a", "1");
        fs::set_permissions(dir.path().join("a"), Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(dir.path().join("a"), dir.path().join("link")).unwrap();
        let mut changes = FileTransaction::default();
        changes.write(dir.path().join("link"), *b"new");
        changes.commit().unwrap();
        assert!(dir.path().join("link").is_symlink());
        let file = dir.path().join("a");
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}
