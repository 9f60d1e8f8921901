//! Cache of image variants, in memory and in the data directory, so that a deployment with the same
//! images does not create them again.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use clap::Args;
use svc_site::VariantStore;

use crate::{data_files, permissions};

/// Command-line options for image variants, shared by all programs that serve a site.
#[derive(Debug, Clone, Default, Args)]
pub struct VariantArgs {
    /// Do not offer smaller variants of images to small screens
    #[arg(long)]
    without_image_variants: bool,
}

impl VariantArgs {
    /// Whether variants are enabled.
    pub const fn is_enabled(&self) -> bool {
        !self.without_image_variants
    }
}

/// Limits of a [`VariantCache`].
#[derive(Debug, Clone, Copy)]
struct CacheLimits {
    /// Maximum number of bytes in memory.
    memory: usize,
    /// Maximum total size of the files, in bytes.
    disk: u64,
    /// Maximum number of files.
    files: usize,
}

const DEFAULT_LIMITS: CacheLimits = CacheLimits {
    memory: 32 << 20,
    disk: 512 << 20,
    files: 50_000,
};
/// Maximum size of a file in bytes: a variant is smaller than its image.
const MAX_FILE_BYTES: u64 = 16 << 20;
/// Estimated overhead of an entry in bytes.
const ENTRY_BYTES: usize = 200;

/// Cache of the image variants of all sites of a server. The oldest entries are evicted.
#[derive(Debug)]
pub struct VariantCache {
    limits: CacheLimits,
    memory: Mutex<Memory>,
    dir: Option<PathBuf>,
    /// Disk usage, determined before the first write.
    disk_usage: OnceLock<Mutex<DiskUsage>>,
}

#[derive(Debug, Default)]
struct Memory {
    entries: HashMap<String, Arc<[u8]>>,
    /// Insertion order.
    names: VecDeque<String>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct DiskUsage {
    files: usize,
    bytes: u64,
}

impl VariantCache {
    /// A cache in the directory `images` of the data directory; only in memory if `data` is `None`.
    pub fn new(data: Option<&Path>) -> Self {
        Self::with_limits(data, DEFAULT_LIMITS)
    }

    fn with_limits(data: Option<&Path>, limits: CacheLimits) -> Self {
        Self {
            limits,
            memory: Mutex::default(),
            dir: data.map(|data| data.join("images")),
            disk_usage: OnceLock::new(),
        }
    }

    /// The file of an entry.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        let fits = name.bytes().all(is_plain) && !name.starts_with('.') && name.len() < 100;
        let dir = self.dir.as_ref().filter(|_| fits)?;
        // A symbolic link could lead to a directory of another user.
        let is_dir = fs::symlink_metadata(dir).is_ok_and(|metadata| metadata.is_dir());
        is_dir.then(|| dir.join(name))
    }

    fn remember(&self, name: &str, bytes: &Arc<[u8]>) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let size = |bytes: &Arc<[u8]>| bytes.len() + ENTRY_BYTES;
        if memory.entries.contains_key(name) || size(bytes) > self.limits.memory {
            return;
        }
        memory.bytes += size(bytes);
        memory.entries.insert(name.to_owned(), Arc::clone(bytes));
        memory.names.push_back(name.to_owned());
        while memory.bytes > self.limits.memory {
            let Some(oldest) = memory.names.pop_front() else {
                return;
            };
            if let Some(gone) = memory.entries.remove(&oldest) {
                memory.bytes -= size(&gone);
            }
        }
    }

    /// Writes a file. If this fails, the variant is created again later.
    fn write(&self, dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
        permissions::create(dir)?;
        let Some(file) = self.file(name) else {
            return Ok(());
        };
        let is_new = !file.exists();
        let stored = self
            .disk_usage
            .get_or_init(|| Mutex::new(DiskUsage::of(dir)));
        data_files::replace(&file, bytes)?;
        let mut stored = stored.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new {
            stored.files += 1;
            stored.bytes += bytes.len() as u64;
        }
        if stored.files > self.limits.files || stored.bytes > self.limits.disk {
            *stored = self.evict(dir)?;
        }
        Ok(())
    }

    /// Evicts the oldest files until an eighth of the space is free, and returns the usage of the
    /// others.
    fn evict(&self, dir: &Path) -> io::Result<DiskUsage> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = files(dir).collect();
        files.sort();
        let mut stored = DiskUsage {
            files: files.len(),
            bytes: files.iter().map(|(_, bytes, _)| bytes).sum(),
        };
        let limit = (self.limits.files / 8 * 7, self.limits.disk / 8 * 7);
        for (_, bytes, path) in files {
            if stored.files <= limit.0 && stored.bytes <= limit.1 {
                break;
            }
            fs::remove_file(path)?;
            stored.files -= 1;
            stored.bytes -= bytes;
        }
        Ok(stored)
    }
}

impl DiskUsage {
    fn of(dir: &Path) -> Self {
        files(dir).fold(Self::default(), |sum, (_, bytes, _)| Self {
            files: sum.files + 1,
            bytes: sum.bytes + bytes,
        })
    }
}

/// Regular files of a directory: modification time, size and path.
fn files(dir: &Path) -> impl Iterator<Item = (SystemTime, u64, PathBuf)> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        // Metadata of the entry itself: symbolic links are not followed.
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let time = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some((time, metadata.len(), entry.path()))
    })
}

impl VariantStore for VariantCache {
    fn recent(&self, name: &str) -> Option<Arc<[u8]>> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.entries.get(name).cloned()
    }

    fn get(&self, name: &str) -> Option<Arc<[u8]>> {
        if let Some(known) = self.recent(name) {
            return Some(known);
        }
        let bytes = data_files::read(&self.file(name)?, MAX_FILE_BYTES)
            .ok()?
            .into();
        self.remember(name, &bytes);
        Some(bytes)
    }

    fn contains(&self, name: &str) -> bool {
        let is_file =
            |path: PathBuf| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        self.recent(name).is_some() || self.file(name).is_some_and(is_file)
    }

    fn put(&self, name: &str, bytes: Arc<[u8]>) {
        self.remember(name, &bytes);
        if let Some(dir) = &self.dir {
            let _ = self.write(dir, name, &bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(length: usize) -> Arc<[u8]> {
        vec![7; length].into()
    }

    #[test]
    fn variants_survive_a_restart() {
        let data = tempfile::tempdir().unwrap();
        let cache = VariantCache::new(Some(data.path()));
        assert!(cache.get("a-480.webp").is_none());
        cache.put("a-480.webp", bytes(10));
        cache.put("a-960.webp", bytes(0));
        let next = VariantCache::new(Some(data.path()));
        assert!(next.recent("a-480.webp").is_none() && next.contains("a-480.webp"));
        assert_eq!(next.get("a-480.webp"), Some(bytes(10)));
        assert_eq!(next.get("a-960.webp"), Some(bytes(0)));
        assert!(next.recent("a-480.webp").is_some());
        // Without a directory, entries live as long as the cache.
        let memory = VariantCache::new(None);
        memory.put("a-480.webp", bytes(10));
        assert_eq!(memory.get("a-480.webp"), Some(bytes(10)));
    }

    #[test]
    fn cache_names_and_symlinks_reach_no_other_file() {
        let data = tempfile::tempdir().unwrap();
        let cache = VariantCache::new(Some(data.path()));
        for name in ["../a", "a/b", ".a", ""] {
            cache.put(name, bytes(9));
        }
        assert_eq!(fs::read_dir(data.path().join("images")).unwrap().count(), 0);
        let secret = data.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        #[cfg(unix)]
        {
            let link = |name: &str| {
                std::os::unix::fs::symlink(&secret, data.path().join("images").join(name)).unwrap();
            };
            link("b-480.webp");
            assert!(cache.get("b-480.webp").is_none() && !cache.contains("b-480.webp"));
            // Replaces the link instead of writing through it.
            cache.put("b-480.webp", bytes(9));
            assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
            assert!(VariantCache::new(Some(data.path())).contains("b-480.webp"));
        }
    }

    #[test]
    fn the_oldest_variants_are_evicted() {
        let data = tempfile::tempdir().unwrap();
        let limits = CacheLimits {
            memory: 4 * (100 + ENTRY_BYTES),
            disk: 2_000,
            files: 16,
        };
        let cache = VariantCache::with_limits(Some(data.path()), limits);
        let dir = data.path().join("images");
        for number in 0..40 {
            cache.put(&format!("{number}-480.webp"), bytes(100));
            // Files with the same modification time have no order.
            let file = fs::File::open(dir.join(format!("{number}-480.webp"))).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number);
            file.set_modified(time).unwrap();
            assert!(files(&dir).count() <= 16);
            assert!(cache.memory.lock().unwrap().entries.len() <= 4);
        }
        assert!(cache.contains("39-480.webp") && !cache.contains("3-480.webp"));
        assert!(cache.recent("39-480.webp").is_some() && cache.recent("35-480.webp").is_none());
        for number in 40..60 {
            cache.put(&format!("{number}-480.webp"), bytes(500));
            assert!(files(&dir).map(|(_, bytes, _)| bytes).sum::<u64>() <= 2_000);
        }
    }
}
