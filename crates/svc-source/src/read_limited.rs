//! Reads of files with a limit.

use std::fs;
use std::io;
use std::path::Path;

/// Reads a regular file of at most `limit` bytes; `None` for others and if it cannot be read. Reading
/// a pipe would block, and a link could point anywhere.
pub fn read_regular(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let is_regular = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    is_regular.then(|| read_limited(path, limit).ok().flatten())?
}

/// Reads a file; `None` if it exceeds `limit` bytes, even if it grows during the read.
pub(crate) fn read_limited(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut file = fs::File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if meta.len() > limit {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0).saturating_add(1));
    io::Read::read_to_end(
        &mut io::Read::take(&mut file, limit.saturating_add(1)),
        &mut bytes,
    )?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}
