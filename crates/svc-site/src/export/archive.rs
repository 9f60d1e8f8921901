//! Export as a ZIP archive.

use std::fs;
use std::io;
use std::path::Path;

use svc_source::AtomicFile;

use super::compress::is_compressible;
use super::error::with_path;
use super::manifest::ExportedFile;
use crate::zip::Zip;

/// Writes the files of an export in the directory `out` into a ZIP archive at `to`, and returns its
/// size in bytes. The same files give the same bytes. An existing archive is replaced atomically.
///
/// # Errors
/// When a file cannot be read or the archive cannot be written.
pub fn archive(out: &Path, files: &[ExportedFile], to: &Path) -> io::Result<u64> {
    let failed = |error: io::Error| with_path(to, &error);
    let mut new = AtomicFile::create(to).map_err(failed)?;
    let mut zip = Zip::new(io::BufWriter::new(new.file()));
    for entry in files {
        let path = out.join(&entry.path);
        let added = match is_compressible(&entry.path) {
            true => fs::read(&path).and_then(|bytes| zip.add_deflated(&entry.path, &bytes)),
            false => fs::File::open(&path).and_then(|file| zip.add_stored(&entry.path, file)),
        };
        added.map_err(|error| with_path(&path, &error))?;
    }
    drop(zip.finish().map_err(failed)?);
    let file = new.commit().map_err(failed)?;
    Ok(file.metadata()?.len())
}
