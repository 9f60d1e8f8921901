//! Opens files below a directory without following symbolic links, even if directories are replaced
//! concurrently.

use std::fs::File;
use std::io;
use std::path::Path;

/// A directory below which files are opened. Descriptors of subdirectories are reused for
/// consecutive files.
#[derive(Debug)]
pub(super) struct SecureDir {
    #[cfg(unix)]
    root: File,
    #[cfg(not(unix))]
    root: std::path::PathBuf,
    /// Open subdirectories of the previous file with their names.
    #[cfg(unix)]
    open: Vec<(std::ffi::OsString, File)>,
}

impl SecureDir {
    /// Opens the root directory.
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            root: File::open(root)?,
            #[cfg(not(unix))]
            root: root.to_owned(),
            #[cfg(unix)]
            open: Vec::new(),
        })
    }

    /// Opens a regular file by its path relative to the root. A symbolic link in the path or a file
    /// of another type is an error; opening a named pipe does not block.
    #[cfg(unix)]
    pub(super) fn file(&mut self, path: &Path) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let mut names: Vec<_> = Vec::new();
        for part in path.components() {
            let std::path::Component::Normal(name) = part else {
                return Err(io::Error::other("the path leaves the folder"));
            };
            names.push(name);
        }
        let Some(name) = names.pop() else {
            return Err(io::Error::other("the path is empty"));
        };
        let same = self
            .open
            .iter()
            .zip(&names)
            .take_while(|((open, _), name)| open == *name)
            .count();
        self.open.truncate(same);
        let common = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
        for name in names.get(same..).unwrap_or_default() {
            let flags = common | OFlags::DIRECTORY;
            let dir = openat(self.dir(), *name, flags, Mode::empty())?;
            self.open.push(((*name).to_owned(), dir.into()));
        }
        let flags = common | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file: File = openat(self.dir(), name, flags, Mode::empty())?.into();
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(file)
    }

    /// As on Unix, but without protection against concurrent replacement.
    #[cfg(not(unix))]
    pub(super) fn file(&mut self, path: &Path) -> io::Result<File> {
        let path = self.root.join(path);
        if !std::fs::symlink_metadata(&path)?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        File::open(path)
    }

    #[cfg(unix)]
    fn dir(&self) -> &File {
        self.open.last().map_or(&self.root, |(_, dir)| dir)
    }
}
