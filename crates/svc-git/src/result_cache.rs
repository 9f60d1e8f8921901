//! Results that belong to a commit. Commits do not change, so neither do they.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

use gix::ObjectId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Results of one kind that are kept.
const MAX_ENTRIES: usize = 64;

#[derive(Debug, Serialize, Deserialize)]
struct CacheEntry<T> {
    format: u32,
    #[serde(rename = "subfolder")]
    key: String,
    value: T,
}

/// What is kept of a commit and `of` it: a folder, and what else the result depends on.
pub(crate) fn read<T: DeserializeOwned>(folder: &Path, commit: ObjectId, of: &str) -> Option<T> {
    let text = fs::read(folder.join(format!("{commit}.json"))).ok()?;
    let kept: CacheEntry<T> = serde_json::from_slice(&text).ok()?;
    (kept.format == 1 && kept.key == of).then_some(kept.value)
}

/// Keeps a result. A disk that takes none costs time, nothing else.
pub(crate) fn store<T: Serialize>(folder: &Path, commit: ObjectId, of: &str, value: &T) {
    let kept = CacheEntry {
        format: 1,
        key: of.to_owned(),
        value,
    };
    let Ok(text) = serde_json::to_vec(&kept) else {
        return;
    };
    let _ = fs::create_dir_all(folder);
    let (beside, path) = (folder.join("tmp"), folder.join(format!("{commit}.json")));
    // What stands there may be a link.
    let _ = fs::remove_file(&beside);
    let written = File::create_new(&beside).and_then(|mut file| file.write_all(&text));
    if written.is_ok() {
        let _ = fs::rename(&beside, &path);
    }
    let mut all: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| {
            let changed = entry.metadata().and_then(|data| data.modified());
            (changed.unwrap_or(SystemTime::UNIX_EPOCH), entry.path())
        })
        .collect();
    all.sort();
    let surplus = all.len().saturating_sub(MAX_ENTRIES);
    for (_, path) in all.into_iter().take(surplus) {
        let _ = fs::remove_file(path);
    }
}
