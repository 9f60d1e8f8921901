//! Why a backup could not be written, checked or restored.

use std::io;
use std::path::{Path, PathBuf};

use svc_store::TransferError;

/// Error of a backup, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    /// A file cannot be read or written.
    #[error("{path}: {error}", path = .path.display())]
    Io { path: PathBuf, error: io::Error },
    /// The archive is not complete or not what its checksums say.
    #[error("`{archive}` is damaged: {reason}; use another backup", archive = .archive.display())]
    Damaged { archive: PathBuf, reason: String },
    /// The store cannot be read or written.
    #[error("the store: {0}")]
    Store(#[from] TransferError),
    /// The command would destroy something, or cannot work; with a hint.
    #[error("{0}")]
    Refused(String),
}

impl BackupError {
    /// The error of an operation on a file.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }

    /// The error of reading an archive: one of the archive itself, unless the disk fails.
    pub(super) fn reading(archive: &Path) -> impl FnOnce(io::Error) -> Self {
        let archive = archive.to_owned();
        move |error| match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::StorageFull
            | io::ErrorKind::ReadOnlyFilesystem => Self::Io {
                path: archive,
                error,
            },
            _ => Self::Damaged {
                archive,
                reason: error.to_string(),
            },
        }
    }
}
