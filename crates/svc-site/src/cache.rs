//! What was made lately and may be asked for again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept; then everything is forgotten.
const MAX_CACHE_BYTES: usize = 32 << 20;

/// Things that were made, by their address.
#[derive(Debug)]
pub(crate) struct SizedCache<T>(Mutex<Entries<T>>);

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

impl<T> Default for SizedCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> SizedCache<T> {
    /// What is kept at an address, else what `make` gives; `size` tells how large that is.
    pub(crate) fn get_or_make(
        &self,
        path: &str,
        make: impl FnOnce() -> Option<T>,
        size: impl FnOnce(&T) -> usize,
    ) -> Option<Arc<T>> {
        let store = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = store().map.get(path) {
            return Some(Arc::clone(ready));
        }
        // Others are served meanwhile.
        let made = Arc::new(make()?);
        let mut kept = store();
        if kept.bytes > MAX_CACHE_BYTES {
            *kept = Entries::default();
        }
        kept.bytes += size(&made) + path.len();
        kept.map.insert(path.to_owned(), Arc::clone(&made));
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CACHE_BYTES, SizedCache};

    #[test]
    fn what_was_made_stays_until_there_is_too_much() {
        let kept: SizedCache<u8> = SizedCache::default();
        let made = |path: &str, value: u8, size: usize| {
            *kept
                .get_or_make(path, || Some(value), |_| size)
                .expect("it is made")
        };
        assert_eq!((made("a", 1, 10), made("a", 2, 10)), (1, 1));
        assert!(kept.get_or_make("b", || None, |_| 0).is_none());
        assert_eq!(made("b", 3, MAX_CACHE_BYTES), 3);
        assert_eq!((made("c", 4, 1), made("a", 5, 1)), (4, 5));
    }
}
