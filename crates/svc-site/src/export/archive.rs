//! Export as a ZIP archive.

use std::fs;
use std::io;
use std::path::Path;

use super::compress::is_compressible;
use super::error::with_path;
use super::manifest::ExportedFile;
use crate::zip::Zip;

/// Writes the files of an export in the directory `out` into a ZIP archive at `to`, and returns its
/// size in bytes. The same files give the same bytes. The archive is written to a temporary file
/// and renamed when it is complete.
///
/// # Errors
/// When a file cannot be read or the archive cannot be written.
pub fn archive(out: &Path, files: &[ExportedFile], to: &Path) -> io::Result<u64> {
    let mut name = to.as_os_str().to_owned();
    name.push(".new");
    let temporary = Path::new(&name);
    let write = || {
        let file = fs::File::create(temporary).map_err(|error| with_path(to, &error))?;
        let mut zip = Zip::new(io::BufWriter::new(file));
        for one in files {
            let path = out.join(&one.path);
            let added = match is_compressible(&one.path) {
                true => fs::read(&path).and_then(|bytes| zip.add_deflated(&one.path, &bytes)),
                false => fs::File::open(&path).and_then(|file| zip.add_stored(&one.path, file)),
            };
            added.map_err(|error| with_path(&path, &error))?;
        }
        let file = zip.finish().map_err(|error| with_path(to, &error))?;
        let bytes = file.get_ref().metadata()?.len();
        drop(file);
        fs::rename(temporary, to).map_err(|error| with_path(to, &error))?;
        Ok(bytes)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(temporary);
    })
}
