//! The manifest of an export; the next export uses it to remove stale files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::error::with_path;
use super::names::is_inside;

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// Path relative to the export directory.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the contents in hexadecimal.
    pub sha256: String,
}

/// Formats a manifest as JSON, with one file per line.
pub fn manifest_json(files: &[ExportedFile]) -> String {
    let line = |file: &ExportedFile| {
        json!({"path": file.path, "bytes": file.bytes, "sha256": file.sha256}).to_string()
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Parses a manifest that [`manifest_json`] wrote. Invalid entries and paths outside of the export
/// directory are skipped.
///
/// # Errors
/// When the text is not a JSON array.
pub fn parse_manifest(text: &str) -> io::Result<Vec<ExportedFile>> {
    let invalid = || {
        io::Error::new(
            io::ErrorKind::InvalidData,
            "not a manifest of exported files",
        )
    };
    let value: Value = serde_json::from_str(text).map_err(|_| invalid())?;
    let entry = |value: &Value| {
        let string = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let file = ExportedFile {
            path: string("path")?,
            bytes: value.get("bytes").and_then(Value::as_u64)?,
            sha256: string("sha256")?,
        };
        is_inside(&file.path).then_some(file)
    };
    Ok(value
        .as_array()
        .ok_or_else(invalid)?
        .iter()
        .filter_map(entry)
        .collect())
}

/// Removes the files of the manifest `before` that the manifest `now` does not contain, and
/// directories that become empty. Files that were modified since are not removed. Returns the
/// number of removed files.
///
/// # Errors
/// When a file cannot be read or removed.
pub fn remove_stale(
    out: &Path,
    before: &[ExportedFile],
    now: &[ExportedFile],
) -> io::Result<usize> {
    let current: BTreeSet<&str> = now.iter().map(|file| file.path.as_str()).collect();
    let mut removed = 0;
    for file in before
        .iter()
        .filter(|file| !current.contains(file.path.as_str()))
    {
        let path = out.join(&file.path);
        // A symbolic link may point anywhere, and the export did not create it.
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        if !is_file || is_behind_symlink(out, &file.path) {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| with_path(&path, &error))?;
        if format!("{:x}", Sha256::digest(&bytes)) != file.sha256 {
            continue;
        }
        fs::remove_file(&path).map_err(|error| with_path(&path, &error))?;
        removed += 1;
        let mut dir = path.parent();
        while let Some(empty) = dir.filter(|dir| *dir != out && dir.starts_with(out)) {
            // Fails for a directory that is not empty.
            if fs::remove_dir(empty).is_err() {
                break;
            }
            dir = empty.parent();
        }
    }
    Ok(removed)
}

/// Whether a parent directory of `path` in `out` is a symbolic link.
fn is_behind_symlink(out: &Path, path: &str) -> bool {
    let mut now = out.to_path_buf();
    path.split('/').any(|part| {
        now.push(part);
        fs::symlink_metadata(&now).is_ok_and(|metadata| metadata.is_symlink())
    })
}
