//! Atomic writes of files in one directory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use svc_source::AtomicFile;

use super::ContentEncoding;
use super::compress::{compress, is_compressible};
use super::error::with_path;
use super::manifest::ExportedFile;
use super::names::can_be_file;
use super::relative::{Relative, as_binary_script, as_script};
use super::start_page;

#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) root: &'a Path,
    pub(super) relative: Option<Relative<'a>>,
    pub(super) encodings: &'a [ContentEncoding],
    /// The script element of the start page.
    start_tag: Option<String>,
    files: Mutex<BTreeMap<String, ExportedFile>>,
    dirs: Mutex<BTreeSet<PathBuf>>,
    /// Paths that are not valid file names.
    skipped: Mutex<BTreeSet<String>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        root: &'a Path,
        relative: Option<Relative<'a>>,
        encodings: &'a [ContentEncoding],
        start_tag: Option<String>,
    ) -> Self {
        Self {
            root,
            relative,
            encodings,
            start_tag,
            files: Mutex::default(),
            dirs: Mutex::default(),
            skipped: Mutex::default(),
        }
    }

    /// Writes an HTML page.
    pub(super) fn page(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let html = start_page::with_script(self.start_tag.as_deref(), path, bytes);
        match &self.relative {
            Some(relative) => self.write(path, &relative.page(path, &html)),
            None => self.write(path, &html),
        }
    }

    /// Writes a page that is served for paths of any depth, so its links begin at the root.
    pub(super) fn absolute_page(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.text(path, bytes)
    }

    /// Writes a generated text file.
    pub(super) fn text(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match &self.relative {
            Some(_) => self.write(path, &Relative::absolute(bytes)),
            None => self.write(path, bytes),
        }
    }

    /// Writes a text that scripts of the site read; in code and HTML it gets relative URLs.
    pub(super) fn for_scripts(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let Some(relative) = &self.relative else {
            return self.write(path, bytes);
        };
        let ends = |ending: &str| path.ends_with(ending);
        let bytes = if ends(".html") {
            relative.page(path, bytes)
        } else if ends(".js") {
            relative.relativize(path, bytes)
        } else {
            Relative::absolute(bytes)
        };
        self.write(path, &bytes)?;
        let script = format!("{path}.js");
        match std::str::from_utf8(&bytes) {
            Ok(text) if can_be_file(script.trim_start_matches('/')) => {
                self.put(&script, as_script(text).as_bytes())
            }
            _ => Ok(()),
        }
    }

    /// Writes a compressed file that scripts of the site read.
    pub(super) fn binary_for_scripts(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(path, bytes)?;
        if self.relative.is_some() {
            self.put(&format!("{path}.js"), as_binary_script(bytes).as_bytes())?;
        }
        Ok(())
    }

    /// Writes a file and its precompressed copies. The last write to a path wins.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(path, bytes)?;
        if self.encodings.is_empty() || !is_compressible(path) {
            return Ok(());
        }
        for encoding in self.encodings {
            let packed = compress(bytes, *encoding)?;
            let copy = format!("{path}.{}", encoding.extension());
            if packed.len() < bytes.len() && can_be_file(copy.trim_start_matches('/')) {
                self.put(&copy, &packed)?;
            }
        }
        Ok(())
    }

    /// Copies a file.
    pub(super) fn copy(&self, path: &str, from: &Path) -> io::Result<()> {
        let with_file = |error: io::Error| with_path(from, &error);
        let mut file = fs::File::open(from).map_err(with_file)?;
        if !self.encodings.is_empty() && is_compressible(path) {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(with_file)?;
            return self.write(path, &bytes);
        }
        self.stream(path, &mut file)
    }

    fn put(&self, path: &str, mut bytes: &[u8]) -> io::Result<()> {
        self.stream(path, &mut bytes)
    }

    /// Replaces a file atomically.
    fn stream(&self, path: &str, from: &mut dyn io::Read) -> io::Result<()> {
        let created = self.target(path).and_then(|target| {
            let target = target.map(|target| match AtomicFile::create(&target) {
                Ok(new) => Ok((new, target)),
                Err(error) => Err(with_path(&target, &error)),
            });
            target.transpose()
        });
        let (mut new, target) = match created {
            Ok(Some(created)) => created,
            // An invalid name must not prevent the other files from being written.
            Ok(None) => return self.skip(path),
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
                return self.skip(path);
            }
            Err(error) => return Err(error),
        };
        let mut hash = Sha256::new();
        let mut bytes = 0_u64;
        let mut write = || {
            let mut buffer = vec![0; 64 << 10];
            loop {
                let count = match from.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error),
                };
                let piece = buffer.get(..count).unwrap_or_default();
                hash.update(piece);
                new.file().write_all(piece)?;
                bytes += count as u64;
            }
            Ok(())
        };
        let copied = write();
        // The lock covers the rename, so that the manifest entry and the file come from the same
        // writer.
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        // An export can be repeated, so it does not wait for the disk after each file.
        if let Err(error) = copied.and_then(|()| new.commit_unsynced()) {
            if error.kind() == io::ErrorKind::InvalidFilename {
                return self.skip(path);
            }
            return Err(with_path(&target, &error));
        }
        let path = path.trim_start_matches('/').to_owned();
        let file = ExportedFile {
            path: path.clone(),
            bytes,
            sha256: format!("{:x}", hash.finalize()),
        };
        files.insert(path, file);
        Ok(())
    }

    fn skip(&self, path: &str) -> io::Result<()> {
        let mut skipped = self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        skipped.insert(path.trim_start_matches('/').to_owned());
        Ok(())
    }

    /// The paths that were not written because they are not valid file names.
    pub(super) fn skipped(&self) -> Vec<String> {
        let skipped = self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        skipped.iter().cloned().collect()
    }

    /// The file system path for a path of the site; its directory is created. `None` for a path
    /// that is not a valid file name.
    fn target(&self, path: &str) -> io::Result<Option<PathBuf>> {
        let path = path.trim_start_matches('/');
        if !can_be_file(path) {
            return Ok(None);
        }
        let target = self.root.join(path);
        if let Some(dir) = target.parent() {
            let mut dirs = self.dirs.lock().unwrap_or_else(PoisonError::into_inner);
            if !dirs.contains(dir) {
                fs::create_dir_all(dir).map_err(|error| with_path(dir, &error))?;
                dirs.insert(dir.to_owned());
            }
        }
        Ok(Some(target))
    }

    /// The written files, sorted by path.
    pub(super) fn finish(self) -> Vec<ExportedFile> {
        let files = self.files.into_inner();
        let files = files.unwrap_or_else(PoisonError::into_inner);
        files.into_values().collect()
    }
}
