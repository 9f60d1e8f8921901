//! Where an export may be written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use svc_source::{EXPORT_MARKER, LoadOptions};

use super::writer::{Writer, with_path};

/// What the marker says to whoever opens it.
const MARKER_TEXT: &str = "svc build wrote this folder; svc does not read it as part of a site.\n";

/// Makes the folder for an export of the site in `root`. Gives its path without links.
///
/// # Errors
/// When it is the folder of the site or holds it, when it holds files of the site, or when it cannot
/// be made.
pub fn create_export_dir(root: &Path, out: &Path) -> io::Result<PathBuf> {
    let root = root
        .canonicalize()
        .map_err(|error| with_path(root, &error))?;
    fs::create_dir_all(out).map_err(|error| with_path(out, &error))?;
    let folder = out.canonicalize().map_err(|error| with_path(out, &error))?;
    let name = out.display();
    if root.starts_with(&folder) {
        return Err(dir_error(format!(
            "`{name}` holds the site itself, and the export would be written over it; choose another folder"
        )));
    }
    // Exports of versions that did not write the marker have these files.
    let exported = |file: &str| folder.join(file).is_file();
    if exported(EXPORT_MARKER) || (exported("index.html") && exported("404.html")) {
        return Ok(folder);
    }
    let Ok(inside) = folder.strip_prefix(&root) else {
        return Ok(folder);
    };
    let listing = svc_source::list(&root, &LoadOptions::default())?.value;
    match listing
        .files
        .iter()
        .find(|file| Path::new(&*file.name).starts_with(inside))
    {
        Some(file) => Err(dir_error(format!(
            "`{name}` holds `{}`, a file of the site; choose an empty folder",
            file.name
        ))),
        None => Ok(folder),
    }
}

fn dir_error(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// Marks the folder, so that its files are never taken for pages.
pub(super) fn write_marker(writer: &Writer<'_>) -> io::Result<()> {
    writer.write(EXPORT_MARKER, MARKER_TEXT.as_bytes())
}
