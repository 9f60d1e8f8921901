//! Atomic replacement of files: the new contents are written to a temporary file in the same
//! directory, which is renamed when it is complete.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Prefix of the names of temporary files.
const TEMP_PREFIX: &str = ".tmp-svc-";

/// New contents of a file. Until they are committed, the file is unchanged. The temporary file has
/// a unique name, is not opened through a symbolic link, and is removed when this is dropped.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("list.txt");
/// use std::io::Write as _;
/// use svc_source::AtomicFile;
/// let mut new = AtomicFile::create(&path)?;
/// new.file().write_all(b"one")?;
/// assert!(!path.exists());
/// new.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"one");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    temp: NamedTempFile,
    path: PathBuf,
}

impl AtomicFile {
    /// Creates a temporary file with the usual permissions of new files.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_with_mode(path, 0o666)
    }

    /// Creates a temporary file that only its owner may read and write.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_private(path: &Path) -> io::Result<Self> {
        Self::create_with_mode(path, 0o600)
    }

    fn create_with_mode(path: &Path, mode: u32) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(TEMP_PREFIX).append(true);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let temp = builder.tempfile_in(dir_of(path)).map_err(without_path)?;
        Ok(Self {
            temp,
            path: path.to_owned(),
        })
    }

    /// The temporary file, open for reading and appending.
    pub fn file(&mut self) -> &mut File {
        self.temp.as_file_mut()
    }

    /// Replaces the file, so that it is complete even after a power failure. A symbolic link is
    /// replaced, not followed. Returns the open file.
    ///
    /// # Errors
    /// If the contents cannot be synced or the temporary file cannot be renamed.
    pub fn commit(self) -> io::Result<File> {
        self.temp.as_file().sync_all()?;
        let path = self.path.clone();
        let file = self.commit_unsynced()?;
        sync_dir(&path);
        Ok(file)
    }

    /// Like [`commit`](Self::commit), but does not wait for the disk: for files that can be written
    /// again.
    ///
    /// # Errors
    /// If the temporary file cannot be renamed.
    pub fn commit_unsynced(self) -> io::Result<File> {
        self.temp.persist(&self.path).map_err(|error| error.error)
    }
}

/// Replaces the contents of a file with [`AtomicFile`].
///
/// # Errors
/// If the file cannot be written; it is then unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = AtomicFile::create(path)?;
    new.file().write_all(bytes)?;
    new.commit().map(drop)
}

/// Removes temporary files that a killed process left in a directory. No other process may be
/// writing to it.
pub fn remove_temporary_files(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(TEMP_PREFIX.as_bytes())
        {
            // Files that cannot be removed do no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Syncs the directory of a file, so that a rename survives a power failure. Ignored on systems
/// that do not support it.
pub fn sync_dir(path: &Path) {
    let _ = File::open(dir_of(path)).and_then(|dir| dir.sync_all());
}

fn dir_of(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    }
}

/// The error of the system without the temporary path, which the user does not know.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split(" at path ").next().unwrap_or(&text);
    io::Error::new(error.kind(), reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let names = entries.map(name).map(|name| name.into_string().unwrap());
        names.collect()
    }

    #[test]
    fn a_dropped_file_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut new = AtomicFile::create(&path).unwrap();
        new.file().write_all(b"half").unwrap();
        assert_eq!(names(dir.path()).len(), 2);
        drop(new);
        assert_eq!(names(dir.path()), ["a"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[test]
    fn a_failed_rename_removes_the_temporary_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::create_dir_all(path.join("full")).unwrap();
        write_atomic(&path, b"new").unwrap_err();
        assert_eq!(names(dir.path()), ["a"]);
        let error = write_atomic(&dir.path().join("b/c"), b"new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(TEMP_PREFIX), "{error}");
    }

    #[test]
    fn files_of_killed_processes_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".tmp-svc-1"), "half").unwrap();
        fs::write(dir.path().join("a"), "whole").unwrap();
        remove_temporary_files(dir.path());
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_replaced_and_private_files_are_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&other, "other").unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        AtomicFile::create_private(&path).unwrap().commit().unwrap();
        let data = fs::symlink_metadata(&path).unwrap();
        assert!(data.is_file());
        assert_eq!(data.permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read(&other).unwrap(), b"other");
    }
}
