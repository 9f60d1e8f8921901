//! In-memory cache with a limit on its total size.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::statistics::LookupCounters;

/// Maximum total size of the entries in bytes; the cache is cleared when it is exceeded.
const MAX_CACHE_BYTES: usize = 32 << 20;

/// Values by URL path, cleared when their total size exceeds [`MAX_CACHE_BYTES`].
#[derive(Debug)]
pub(crate) struct SizedCache<T> {
    entries: Mutex<Entries<T>>,
    counters: Arc<LookupCounters>,
}

#[derive(Debug)]
struct Entries<T> {
    map: HashMap<String, Arc<T>>,
    bytes: usize,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self {
            map: HashMap::new(),
            bytes: 0,
        }
    }
}

impl<T> SizedCache<T> {
    /// An empty cache whose lookups are counted.
    pub(crate) fn new(counters: &Arc<LookupCounters>) -> Self {
        Self {
            entries: Mutex::default(),
            counters: Arc::clone(counters),
        }
    }

    /// Bytes and number of the entries.
    pub(crate) fn size(&self) -> (usize, usize) {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        (entries.bytes, entries.map.len())
    }

    /// The cached value for `path`, or the result of `make`, which is stored. `size` returns the
    /// bytes of a value. `None` when `make` returns `None`.
    pub(crate) fn get_or_make(
        &self,
        path: &str,
        make: impl FnOnce() -> Option<T>,
        size: impl FnOnce(&T) -> usize,
    ) -> Option<Arc<T>> {
        let store = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = store().map.get(path) {
            self.counters.hit();
            return Some(Arc::clone(ready));
        }
        self.counters.miss();
        // The lock is not held while the value is made.
        let value = Arc::new(make()?);
        let mut entries = store();
        if entries.bytes > MAX_CACHE_BYTES {
            *entries = Entries::default();
        }
        entries.bytes += size(&value) + path.len();
        entries.map.insert(path.to_owned(), Arc::clone(&value));
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{MAX_CACHE_BYTES, SizedCache};

    #[test]
    fn entries_are_cached_until_the_size_limit_is_exceeded() {
        let cache: SizedCache<u8> = SizedCache::new(&Arc::default());
        let get = |path: &str, value: u8, size: usize| {
            *cache
                .get_or_make(path, || Some(value), |_| size)
                .expect("it is made")
        };
        assert_eq!((get("a", 1, 10), get("a", 2, 10)), (1, 1));
        assert!(cache.get_or_make("b", || None, |_| 0).is_none());
        assert_eq!(get("b", 3, MAX_CACHE_BYTES), 3);
        assert_eq!((get("c", 4, 1), get("a", 5, 1)), (4, 5));
    }
}
