//! Check of the output directory of an export.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use svc_source::{EXPORT_MARKER, LoadOptions};

use super::error::with_path;
use super::writer::Writer;

/// Contents of the marker file.
const MARKER_TEXT: &str = "svc build wrote this folder; svc does not read it as part of a site.\n";

/// Creates the output directory for an export of the site in `root`. Returns its canonical path.
///
/// # Errors
/// When the directory is the site's directory or an ancestor of it, when it contains files of the
/// site, or when it cannot be created.
pub fn create_export_dir(root: &Path, out: &Path) -> io::Result<PathBuf> {
    let root = root
        .canonicalize()
        .map_err(|error| with_path(root, &error))?;
    fs::create_dir_all(out).map_err(|error| with_path(out, &error))?;
    let dir = out.canonicalize().map_err(|error| with_path(out, &error))?;
    let name = out.display();
    if root.starts_with(&dir) {
        return Err(dir_error(format!(
            "`{name}` contains the site, which the export would overwrite; choose another folder"
        )));
    }
    // Older versions did not write the marker, but these files.
    let exported = |file: &str| dir.join(file).is_file();
    if exported(EXPORT_MARKER) || (exported("index.html") && exported("404.html")) {
        return Ok(dir);
    }
    let Ok(relative) = dir.strip_prefix(&root) else {
        return Ok(dir);
    };
    let listing = svc_source::list(&root, &LoadOptions::default())?.value;
    match listing
        .files
        .iter()
        .find(|file| Path::new(&*file.name).starts_with(relative))
    {
        Some(file) => Err(dir_error(format!(
            "`{name}` contains `{}`, a file of the site; choose an empty folder",
            file.name
        ))),
        None => Ok(dir),
    }
}

fn dir_error(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// Writes the marker, so that the files of the export are never read as pages.
pub(super) fn write_marker(writer: &Writer<'_>) -> io::Result<()> {
    writer.write(EXPORT_MARKER, MARKER_TEXT.as_bytes())
}
