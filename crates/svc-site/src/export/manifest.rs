//! The list of what an export wrote: the next one removes by it what is no longer there.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::names::is_inside;
use super::writer::with_path;

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its path below the folder of the export.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
}

/// The list as JSON, one file a line.
pub fn manifest_json(files: &[ExportedFile]) -> String {
    let line = |one: &ExportedFile| {
        json!({"path": one.path, "bytes": one.bytes, "sha256": one.sha256}).to_string()
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Reads a list that [`manifest_json`] made; entries that are none of a file below a folder are left out.
///
/// # Errors
/// When the text is not such a list.
pub fn parse_manifest(text: &str) -> io::Result<Vec<ExportedFile>> {
    let odd = || io::Error::new(io::ErrorKind::InvalidData, "it is no list of written files");
    let value: Value = serde_json::from_str(text).map_err(|_| odd())?;
    let entry = |value: &Value| {
        let string = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let written = ExportedFile {
            path: string("path")?,
            bytes: value.get("bytes").and_then(Value::as_u64)?,
            sha256: string("sha256")?,
        };
        is_inside(&written.path).then_some(written)
    };
    Ok(value
        .as_array()
        .ok_or_else(odd)?
        .iter()
        .filter_map(entry)
        .collect())
}

/// Removes the files of an earlier list that the newer one does not name, and folders that are
/// empty then. A file that somebody has changed since stays. Gives the number of removed files.
///
/// # Errors
/// When a file cannot be read or removed.
pub fn remove_stale(
    out: &Path,
    before: &[ExportedFile],
    now: &[ExportedFile],
) -> io::Result<usize> {
    let kept: BTreeSet<&str> = now.iter().map(|one| one.path.as_str()).collect();
    let mut removed = 0;
    for one in before
        .iter()
        .filter(|one| !kept.contains(one.path.as_str()))
    {
        let path = out.join(&one.path);
        // A link may lead anywhere, and was not written here.
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        if !is_file || is_behind_symlink(out, &one.path) {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| with_path(&path, &error))?;
        if format!("{:x}", Sha256::digest(&bytes)) != one.sha256 {
            continue;
        }
        fs::remove_file(&path).map_err(|error| with_path(&path, &error))?;
        removed += 1;
        let mut folder = path.parent();
        while let Some(empty) = folder.filter(|folder| *folder != out && folder.starts_with(out)) {
            // A folder that still holds something cannot be removed, and stays.
            if fs::remove_dir(empty).is_err() {
                break;
            }
            folder = empty.parent();
        }
    }
    Ok(removed)
}

/// Whether a folder on the way to a file is a link.
fn is_behind_symlink(out: &Path, path: &str) -> bool {
    let mut now = out.to_path_buf();
    path.split('/').any(|part| {
        now.push(part);
        fs::symlink_metadata(&now).is_ok_and(|found| found.is_symlink())
    })
}
