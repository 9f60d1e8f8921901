//! Cache of results per commit. Commits are immutable, so entries never become stale.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use gix::ObjectId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_source::write_atomic;

/// Maximum number of cached results of a kind.
const MAX_ENTRIES: usize = 64;

#[derive(Debug, Serialize, Deserialize)]
struct CacheEntry<T> {
    format: u32,
    #[serde(rename = "subfolder")]
    key: String,
    value: T,
}

/// Reads the cached result of a commit. `of` identifies the other inputs, such as the subfolder.
/// Returns `None` if there is no valid entry.
pub(crate) fn read<T: DeserializeOwned>(dir: &Path, commit: ObjectId, of: &str) -> Option<T> {
    let text = fs::read(dir.join(format!("{commit}.json"))).ok()?;
    let cached: CacheEntry<T> = serde_json::from_slice(&text).ok()?;
    (cached.format == 1 && cached.key == of).then_some(cached.value)
}

/// Writes a result to the cache. Errors are ignored: the result is computed again the next time.
pub(crate) fn store<T: Serialize>(dir: &Path, commit: ObjectId, of: &str, value: &T) {
    let cached = CacheEntry {
        format: 1,
        key: of.to_owned(),
        value,
    };
    let Ok(text) = serde_json::to_vec(&cached) else {
        return;
    };
    let _ = fs::create_dir_all(dir);
    let _ = write_atomic(&dir.join(format!("{commit}.json")), &text);
    let mut all: Vec<_> = fs::read_dir(dir)
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
