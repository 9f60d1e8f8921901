//! The files that the arguments of `svc format` name.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use svc_site::{CONFIGS, enclosing_site};
use svc_source::{LoadOptions, list};

use super::super::output::with_path;

/// A file to format.
#[derive(Debug)]
pub(super) struct File {
    /// Path on disk; `None` for standard input.
    pub(super) path: Option<PathBuf>,
    /// Path for messages, relative to the current folder if the argument is.
    pub(super) shown: String,
    /// Path in its site.
    pub(super) name: String,
}

impl File {
    /// The error with the path of the file.
    pub(super) fn error(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.shown))
    }

    /// Reads the text.
    ///
    /// # Errors
    /// If the file cannot be read, is too large, or is not UTF-8.
    pub(super) fn read(&self) -> io::Result<String> {
        let max = LoadOptions::default().max_text_bytes;
        let mut bytes = Vec::new();
        match &self.path {
            Some(path) => fs::File::open(path)?
                .take(max + 1)
                .read_to_end(&mut bytes)?,
            None => io::stdin().take(max + 1).read_to_end(&mut bytes)?,
        };
        if bytes.len() as u64 > max {
            return Err(io::Error::other(format!(
                "it exceeds the limit of {max} bytes"
            )));
        }
        let text = String::from_utf8(bytes);
        text.map_err(|_| io::Error::other("it is not UTF-8; save it as UTF-8"))
    }
}

/// Returns the files of all arguments, each once, in order.
///
/// # Errors
/// If a path cannot be read, or is a file that cannot be formatted.
pub(super) fn files(paths: &[PathBuf]) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    for path in paths {
        let failed = |error: io::Error| with_path(path, &error);
        match fs::metadata(path).map_err(failed)?.is_dir() {
            true => files.extend(files_of_dir(path).map_err(failed)?),
            false => files.push(file(path)?),
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.path.clone()));
    Ok(files)
}

/// The files of a folder that the site to which it belongs does not ignore.
fn files_of_dir(dir: &Path) -> io::Result<Vec<File>> {
    let below = dir.canonicalize()?;
    let root = enclosing_site(&below).unwrap_or(&below);
    let prefix = below.strip_prefix(root).unwrap_or(Path::new(""));
    let listed = list(root, &LoadOptions::default())?.value;
    let files = listed.files.into_iter().filter_map(|entry| {
        let inside = Path::new(&*entry.name).strip_prefix(prefix).ok()?;
        is_formatted(&entry.name).then(|| File {
            path: Some(entry.path),
            shown: shown(&dir.join(inside)),
            name: entry.name.to_string(),
        })
    });
    Ok(files.collect())
}

/// A file that is named itself is formatted even if it is ignored.
fn file(path: &Path) -> io::Result<File> {
    let name = name_of(path)?;
    Ok(File {
        path: Some(path.canonicalize()?),
        shown: shown(path),
        name,
    })
}

/// Standard input with the name of a file.
///
/// # Errors
/// If files of this name cannot be formatted.
pub(super) fn stdin(name: &str) -> io::Result<File> {
    Ok(File {
        path: None,
        shown: name.to_owned(),
        name: name_of(Path::new(name))?,
    })
}

fn name_of(path: &Path) -> io::Result<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match is_formatted(&name) {
        true => Ok(name.into_owned()),
        false => Err(io::Error::other(format!(
            "{}: only pages (.mdx, .md) and docs.json are formatted",
            path.display()
        ))),
    }
}

fn is_formatted(name: &str) -> bool {
    CONFIGS.contains(&name) || name.ends_with(".mdx") || name.ends_with(".md")
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}
