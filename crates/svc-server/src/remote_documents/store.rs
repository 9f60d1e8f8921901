//! Cache directory: one file per document, with a line of metadata before the text.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Value, json};
use svc_fetch::Validators;
use svc_source::AtomicFile;

/// Maximum size of a file in bytes: the largest document and the metadata.
const MAX_FILE_BYTES: u64 = (20 << 20) + MAX_HEADER_BYTES;
/// Maximum size of the metadata in bytes.
const MAX_HEADER_BYTES: u64 = 64 << 10;
/// Maximum number of cached copies, because sites stop using documents.
const MAX_FILES: usize = 200;

/// A cached document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CachedDocument {
    /// Text of the document.
    pub(super) text: Arc<str>,
    /// Validators for conditional requests.
    pub(super) validators: Validators,
    /// Time of the last successful validation, in seconds since the Unix epoch.
    pub(super) checked: u64,
}

#[derive(Debug)]
pub(super) struct DocumentStore(Option<PathBuf>);

impl DocumentStore {
    pub(super) const fn new(dir: Option<PathBuf>) -> Self {
        Self(dir)
    }

    /// Reads the copy of a document; `None` if it is missing or damaged.
    pub(super) fn read(&self, url: &str) -> Option<CachedDocument> {
        let file = fs::File::open(self.0.as_ref()?.join(name(url))).ok()?;
        let mut value = String::new();
        file.take(MAX_FILE_BYTES + 1)
            .read_to_string(&mut value)
            .ok()?;
        let (line, text) = value.split_once('\n')?;
        let about: Value = serde_json::from_str(line).ok()?;
        let string = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
        let length = about.get("bytes").and_then(Value::as_u64)?;
        // A truncated file, or one of another URL with the same hash, is ignored.
        if string("address")? != url || u64::try_from(text.len()) != Ok(length) {
            return None;
        }
        Some(CachedDocument {
            text: text.into(),
            validators: Validators {
                etag: string("etag"),
                last_modified: string("modified"),
            },
            checked: about.get("checked").and_then(Value::as_u64).unwrap_or(0),
        })
    }

    /// Writes a copy. If this fails, the document is fetched after the next start.
    pub(super) fn write(&self, url: &str, copy: &CachedDocument) {
        if let Some(dir) = &self.0 {
            let _ = write(dir, url, copy);
            let _ = evict(dir);
        }
    }
}

fn write(dir: &Path, url: &str, copy: &CachedDocument) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let about = json!({
        "address": url,
        "etag": copy.validators.etag,
        "modified": copy.validators.last_modified,
        "checked": copy.checked,
        "bytes": copy.text.len(),
    });
    let mut new = AtomicFile::create(&dir.join(name(url)))?;
    writeln!(new.file(), "{about}")?;
    new.file().write_all(copy.text.as_bytes())?;
    new.commit().map(drop)
}

/// Removes the oldest copies above the limit.
fn evict(dir: &Path) -> io::Result<()> {
    let mut files: Vec<(SystemTime, PathBuf)> = fs::read_dir(dir)?
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if files.len() > MAX_FILES {
        files.sort();
        files.truncate(files.len() - MAX_FILES);
        for (_, path) in files {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// File name for a URL: FNV-1a, because the hash must not change with the compiler.
fn name(url: &str) -> String {
    let hash = url.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}.copy")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(text: &str) -> CachedDocument {
        CachedDocument {
            text: text.into(),
            validators: Validators {
                etag: Some("\"1\"".into()),
                last_modified: None,
            },
            checked: 7,
        }
    }

    #[test]
    fn a_copy_round_trips_and_a_damaged_one_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let store = DocumentStore::new(Some(dir.path().join("hosted")));
        let url = "https://a.test/openapi.json";
        assert_eq!(store.read(url), None);
        store.write(url, &copy("{}\nmore\n"));
        assert_eq!(store.read(url), Some(copy("{}\nmore\n")));
        assert_eq!(store.read("https://a.test/other.json"), None);
        let file = dir.path().join("hosted").join(name(url));
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, &text[..text.len() - 1]).unwrap();
        assert_eq!(store.read(url), None);
    }

    #[test]
    fn old_copies_are_evicted() {
        let dir = tempfile::tempdir().unwrap();
        let store = DocumentStore::new(Some(dir.path().to_owned()));
        for number in 0..MAX_FILES + 5 {
            store.write(&format!("https://a.test/{number}"), &copy("{}"));
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), MAX_FILES);
    }
}
