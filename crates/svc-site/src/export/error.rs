//! Errors of files.

use std::io;
use std::path::Path;

/// Adds the path of the file to an error.
pub(super) fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
