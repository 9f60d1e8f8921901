//! Links to other sites that were found recently.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Name of the file in the data directory of a site.
const FILE: &str = "links.json";
/// Maximum size of the file in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Times in seconds at which links were found, by their URLs. Links that were not found are
/// requested every time. A cache that cannot be read or written has no effect.
#[derive(Debug)]
pub(super) struct LinkCache {
    file: Option<PathBuf>,
    found: BTreeMap<String, u64>,
}

impl LinkCache {
    /// Reads the links that were found within `max_age`.
    pub(super) fn open(data: Option<&Path>, max_age: Duration) -> Self {
        let file = data.map(|dir| dir.join(FILE));
        let read = |file: &PathBuf| {
            let size = fs::metadata(file).ok()?.len();
            let text = (size <= MAX_BYTES).then(|| fs::read_to_string(file).ok())??;
            serde_json::from_str(&text).ok()
        };
        let mut found: BTreeMap<String, u64> = file.as_ref().and_then(read).unwrap_or_default();
        let oldest = now().saturating_sub(max_age.as_secs());
        found.retain(|_, at| *at > oldest);
        Self { file, found }
    }

    pub(super) fn contains(&self, url: &str) -> bool {
        self.found.contains_key(url)
    }

    pub(super) fn insert(&mut self, url: &str) {
        self.found.insert(url.to_owned(), now());
    }

    /// Writes the cache.
    pub(super) fn save(&self) {
        let Some(file) = &self.file else {
            return;
        };
        let Ok(text) = serde_json::to_string(&self.found) else {
            return;
        };
        // Two runs at the same time must not mix their lines.
        let partial = file.with_extension(format!("{}.partial", std::process::id()));
        let dir = file.parent().map(fs::create_dir_all);
        let written = dir.is_some_and(|made| made.is_ok()) && fs::write(&partial, text).is_ok();
        if written {
            let _ = fs::rename(&partial, file);
        }
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_links_are_known_until_they_are_too_old() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("new");
        let day = Duration::from_secs(86_400);
        let mut cache = LinkCache::open(Some(&data), day);
        assert!(!cache.contains("https://a.example/"));
        cache.insert("https://a.example/");
        cache.save();
        assert!(LinkCache::open(Some(&data), day).contains("https://a.example/"));
        let none = LinkCache::open(Some(&data), Duration::ZERO);
        assert!(!none.contains("https://a.example/"));
        fs::write(data.join(FILE), "not json").unwrap();
        assert!(!LinkCache::open(Some(&data), day).contains("https://a.example/"));
        LinkCache::open(None, day).save();
    }
}
