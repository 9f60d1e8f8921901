//! Reading of the old repository.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use svc_migrate::Repository;

use super::super::output::with_path;

/// Maximum number of files.
const MAX_FILES: usize = 200_000;
/// Maximum size of a file that is read as text; larger ones are only copied.
const MAX_TEXT_BYTES: u64 = 8 << 20;
/// Maximum size of all texts.
const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// Maximum nesting depth of folders.
const MAX_DEPTH: usize = 32;
/// Folders that contain no documentation.
const SKIPPED_DIRS: [&str; 8] = [
    ".git",
    "node_modules",
    "target",
    ".venv",
    "venv",
    ".tox",
    "__pycache__",
    ".docusaurus",
];

/// Reads a folder without following symbolic links.
pub(super) fn read(root: &Path) -> io::Result<Repository> {
    let mut reader = Reader {
        repository: Repository::new(),
        files: 0,
        bytes: 0,
    };
    let root = root
        .canonicalize()
        .map_err(|error| with_path(root, &error))?;
    reader.dir(&root, "", 0)?;
    Ok(reader.repository)
}

struct Reader {
    repository: Repository,
    files: usize,
    bytes: u64,
}

impl Reader {
    fn dir(&mut self, dir: &Path, prefix: &str, depth: usize) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Ok(());
        }
        let entries = fs::read_dir(dir).map_err(|error| with_path(dir, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| with_path(dir, &error))?;
            // Names that are not UTF-8 cannot be in a URL of the old site either.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let path = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}/{name}")
            };
            // The type of the entry itself: links are neither files nor folders.
            let kind = entry
                .file_type()
                .map_err(|error| with_path(&entry.path(), &error))?;
            if kind.is_dir() && !SKIPPED_DIRS.contains(&name.as_str()) {
                self.dir(&entry.path(), &path, depth + 1)?;
            } else if kind.is_file() {
                self.file(&entry.path(), &path)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, file: &Path, path: &str) -> io::Result<()> {
        self.files += 1;
        if self.files > MAX_FILES {
            let message = format!("the folder has more than {MAX_FILES} files");
            return Err(io::Error::other(message));
        }
        let mut bytes = Vec::new();
        let open = fs::File::open(file).map_err(|error| with_path(file, &error))?;
        let size = open
            .metadata()
            .map_err(|error| with_path(file, &error))?
            .len();
        if size <= MAX_TEXT_BYTES && self.bytes + size <= MAX_TOTAL_BYTES && !is_image(path) {
            let read = open.take(MAX_TEXT_BYTES).read_to_end(&mut bytes);
            read.map_err(|error| with_path(file, &error))?;
            if let Ok(text) = String::from_utf8(bytes) {
                self.bytes += size;
                self.repository.insert_text(path, &text);
                return Ok(());
            }
        }
        self.repository.insert_binary(path);
        Ok(())
    }
}

/// Files that are never read as text.
fn is_image(path: &str) -> bool {
    let ends = [
        ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".svg", ".mp4", ".woff2",
    ];
    ends.iter().any(|end| path.ends_with(end))
}
