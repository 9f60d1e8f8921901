//! Reading of OpenAPI documents.

use std::io;
use std::path::Path;

use svc_diagnostics::SourceFile;

/// Reads a document from disk.
pub(super) fn read(path: &Path) -> io::Result<SourceFile> {
    let with_path =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(with_path)?;
    Ok(SourceFile::new(path.display().to_string(), text))
}
