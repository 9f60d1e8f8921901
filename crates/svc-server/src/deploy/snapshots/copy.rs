//! Copies the files of a folder into a snapshot.

use std::fs::{self, File, FileTimes};
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use sha2::{Digest as _, Sha256};
use svc_diagnostics::Diagnostic;
use svc_source::{FileEntry, FileList};

use super::fingerprint::metadata_key;
use super::secure_dir::SecureDir;

/// Maximum total size of the files in bytes.
pub(super) const MAX_TOTAL_BYTES: u64 = 16 << 30;
/// Maximum size in bytes of a file that is read completely before it is compared and written.
const MAX_BUFFERED_BYTES: u64 = 1 << 20;
/// Number of neighboring files that a thread copies at a time.
const BATCH_SIZE: usize = 64;
/// Maximum number of threads; the disk gains nothing from more.
const MAX_THREADS: usize = 4;

/// Error of copying.
pub(super) enum CopyError {
    /// A file has changed since it was listed.
    Changed,
    /// The total size exceeds the limit.
    Large,
    /// The copy cannot be written.
    Write(io::Error),
}

/// Hash of a file, or the reason why it is skipped.
type CopyResult = Result<[u8; 32], Box<Diagnostic>>;

/// Copies all files and returns the hash of their names and contents. Unchanged files are
/// hard-linked from the earlier snapshot `before`, which saves disk space, and rebuilds can skip
/// them.
pub(super) fn copy(
    listing: &FileList,
    into: &Path,
    before: Option<&Path>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<String, CopyError> {
    let job = CopyJob {
        listing,
        into,
        before,
        remaining: AtomicU64::new(MAX_TOTAL_BYTES),
        next: AtomicUsize::new(0),
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut batches = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(MAX_THREADS))
            .map(|_| scope.spawn(|| job.run()))
            .collect();
        let mut all = job.run();
        for other in others {
            let more = other.join().unwrap_or(Err(CopyError::Changed));
            all = match (all, more) {
                (Ok(mut all), Ok(more)) => {
                    all.extend(more);
                    Ok(all)
                }
                (Err(reason), _) | (_, Err(reason)) => Err(reason),
            };
        }
        all
    })?;
    batches.sort_by_key(|(start, _)| *start);
    let mut digest = Sha256::new();
    let copied = batches.into_iter().flat_map(|(_, batch)| batch);
    for (file, copied) in listing.files.iter().zip(copied) {
        match copied {
            Ok(hash) => {
                digest.update((file.name.len() as u64).to_le_bytes());
                digest.update(file.name.as_bytes());
                digest.update(hash);
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    let full = digest.finalize();
    Ok(hex::encode(full.get(..16).unwrap_or_default()))
}

/// State shared by the threads.
struct CopyJob<'a> {
    listing: &'a FileList,
    into: &'a Path,
    before: Option<&'a Path>,
    /// Number of bytes that may still be copied.
    remaining: AtomicU64,
    /// Index of the next file.
    next: AtomicUsize,
}

/// Reusable buffers of a thread.
struct CopyBuffers {
    dir: SecureDir,
    buffer: Vec<u8>,
    /// Contents of a small file.
    contents: Vec<u8>,
    /// Directory that was created last.
    parent: PathBuf,
}

impl CopyJob<'_> {
    /// Copies batches until none are left; returns each with the index of its first file.
    fn run(&self) -> Result<Vec<(usize, Vec<CopyResult>)>, CopyError> {
        let files = &self.listing.files;
        let mut hands = CopyBuffers {
            dir: SecureDir::new(&self.listing.root).map_err(|_| CopyError::Changed)?,
            buffer: vec![0; 64 << 10],
            contents: Vec::new(),
            parent: PathBuf::new(),
        };
        let mut results = Vec::new();
        loop {
            let start = self.next.fetch_add(BATCH_SIZE, Ordering::Relaxed);
            let end = files.len().min(start.saturating_add(BATCH_SIZE));
            let Some(batch) = files.get(start..end).filter(|batch| !batch.is_empty()) else {
                return Ok(results);
            };
            let copied = batch.iter().map(|file| self.file(file, &mut hands));
            let copied = copied.collect::<Result<Vec<CopyResult>, CopyError>>();
            // Stops the other threads.
            let copied = copied.inspect_err(|_| self.next.store(files.len(), Ordering::Relaxed));
            results.push((start, copied?));
        }
    }

    fn file(&self, file: &FileEntry, hands: &mut CopyBuffers) -> Result<CopyResult, CopyError> {
        let relative = file.path.strip_prefix(&self.listing.root);
        let relative = relative.map_err(|_| CopyError::Changed)?;
        let mut source = match hands.dir.file(relative) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let diagnostic = svc_source::unreadable(&file.name, &error);
                return Ok(Err(Box::new(diagnostic)));
            }
            Err(_) => return Err(CopyError::Changed),
        };
        let meta = source.metadata().map_err(|_| CopyError::Changed)?;
        let length = meta.len();
        let take = |left: u64| left.checked_sub(length);
        let order = Ordering::Relaxed;
        let taken = self.remaining.fetch_update(order, order, take);
        taken.map_err(|_| CopyError::Large)?;
        let path = self.into.join(&*file.name);
        if let Some(parent) = path.parent().filter(|parent| **parent != hands.parent) {
            fs::create_dir_all(parent).map_err(CopyError::Write)?;
            parent.clone_into(&mut hands.parent);
        }
        let (buffer, contents) = (&mut hands.buffer, &mut hands.contents);
        let mut target = None;
        let hash = if length <= MAX_BUFFERED_BYTES {
            contents.clear();
            copy_bytes(&mut source, contents, buffer, length)?
        } else {
            let target = target.insert(File::create(&path).map_err(CopyError::Write)?);
            copy_bytes(&mut source, target, buffer, length)?
        };
        let after = source.metadata().map_err(|_| CopyError::Changed)?;
        if metadata_key(&after) != metadata_key(&meta) {
            return Err(CopyError::Changed);
        }
        let old = self.before.map(|before| before.join(&*file.name));
        if target.is_none() && old.is_some_and(|old| is_linked(&old, contents, &path)) {
            return Ok(Ok(hash));
        }
        let target = match target {
            Some(target) => target,
            None => write_new(&path, contents).map_err(CopyError::Write)?,
        };
        // Modification times are used for `Last-Modified`.
        if let Ok(modified) = meta.modified() {
            let _ = target.set_times(FileTimes::new().set_modified(modified));
        }
        Ok(Ok(hash))
    }
}

/// Hard-links a file of an earlier snapshot if it has the same contents.
fn is_linked(old: &Path, bytes: &[u8], path: &Path) -> bool {
    let length = bytes.len() as u64;
    let regular =
        fs::symlink_metadata(old).is_ok_and(|meta| meta.is_file() && meta.len() == length);
    regular
        && fs::read(old).is_ok_and(|known| known == bytes)
        // Some file systems limit the number of links or do not support them.
        && fs::hard_link(old, path).is_ok()
}

/// Creates a file with these contents.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Copies the contents of a file with a known size, and returns their hash.
fn copy_bytes(
    source: &mut File,
    target: &mut dyn io::Write,
    buffer: &mut [u8],
    length: u64,
) -> Result<[u8; 32], CopyError> {
    let mut digest = Sha256::new();
    let mut copied = 0;
    loop {
        let read = match source.read(buffer) {
            Ok(0) if copied == length => return Ok(digest.finalize().into()),
            Ok(0) => return Err(CopyError::Changed),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(CopyError::Changed),
        };
        copied += read as u64;
        if copied > length {
            return Err(CopyError::Changed);
        }
        let part = buffer.get(..read).unwrap_or_default();
        digest.update(part);
        target.write_all(part).map_err(CopyError::Write)?;
    }
}
