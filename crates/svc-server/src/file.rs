//! A file that is sent in chunks and is only open while a chunk is read.
//!
//! A slow client occupies the memory of a chunk, but no file descriptor.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use hyper::body::Bytes;
use tokio::sync::Semaphore;

/// Limits the number of open files of all clients.
static READERS: Semaphore = Semaphore::const_new(32);

/// Identity of a file; a file that was replaced or modified has another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    node: (u64, u64),
}

impl FileIdentity {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            node: (metadata.dev(), metadata.ino()),
        }
    }
}

/// The range of a file that is still to be sent.
#[derive(Debug, Clone)]
pub(crate) struct FilePart {
    path: Arc<Path>,
    identity: FileIdentity,
    start: u64,
    remaining: u64,
}

impl FilePart {
    /// The complete file.
    ///
    /// # Errors
    /// If the file does not exist or its metadata cannot be read.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(Self {
            path: path.into(),
            identity: FileIdentity::of(&metadata),
            start: 0,
            remaining: metadata.len(),
        })
    }

    /// A range of this range.
    pub(crate) fn part(self, start: u64, length: u64) -> Self {
        let start = start.min(self.remaining);
        Self {
            start: self.start + start,
            remaining: length.min(self.remaining - start),
            ..self
        }
    }

    /// Number of bytes that are still to be sent.
    pub(crate) const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Time of the last modification.
    pub(crate) const fn modified(&self) -> Option<SystemTime> {
        self.identity.modified
    }

    /// Skips bytes at the start of the range.
    pub(crate) fn skip(&mut self, bytes: usize) {
        let bytes = (bytes as u64).min(self.remaining);
        self.start += bytes;
        self.remaining -= bytes;
    }

    /// Reads the next bytes: at least one and at max `max`.
    ///
    /// # Errors
    /// If the file cannot be read, was truncated or was replaced. The length was already sent, so
    /// the connection must be closed.
    pub(crate) async fn read(self, max: usize) -> io::Result<Bytes> {
        let _reader = READERS.acquire().await.map_err(io::Error::other)?;
        let read = tokio::task::spawn_blocking(move || self.read_now(max));
        read.await.map_err(io::Error::other)?
    }

    fn read_now(&self, max: usize) -> io::Result<Bytes> {
        let mut file = File::open(&self.path)?;
        if FileIdentity::of(&file.metadata()?) != self.identity {
            return Err(io::Error::other("the file changed while it was sent"));
        }
        file.seek(SeekFrom::Start(self.start))?;
        let count = usize::try_from(self.remaining).unwrap_or(max).min(max);
        let mut bytes = vec![0; count];
        file.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn chunks_are_read_until_the_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.bin");
        std::fs::write(&path, b"0123456789").unwrap();
        let mut part = FilePart::open(&path).unwrap().part(2, 7);
        assert_eq!(part.remaining(), 7);
        let first = part.clone().read(4).await.unwrap();
        part.skip(first.len());
        let second = part.clone().read(4).await.unwrap();
        assert_eq!((&first[..], &second[..]), (&b"2345"[..], &b"678"[..]));
        let other = dir.path().join("b.bin");
        std::fs::write(&other, b"abcdefghij").unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert!(part.clone().read(4).await.is_err());
        assert!(FilePart::open(dir.path()).is_err());
        let rest = FilePart::open(&path).unwrap().part(8, 99);
        assert_eq!(&rest.read(99).await.unwrap()[..], b"ij");
    }
}
