//! What was made lately and may be asked for again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept; then everything is forgotten.
const KEPT_BYTES: usize = 32 << 20;

/// Things that were made, by their address.
#[derive(Debug)]
pub(crate) struct Kept<T>(Mutex<Store<T>>);

#[derive(Debug)]
struct Store<T> {
    made: HashMap<String, Arc<T>>,
    bytes: usize,
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self {
            made: HashMap::new(),
            bytes: 0,
        }
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// What is kept at an address, else what `make` gives; `size` tells how large that is.
    pub(crate) fn get_or_make(
        &self,
        path: &str,
        make: impl FnOnce() -> Option<T>,
        size: impl FnOnce(&T) -> usize,
    ) -> Option<Arc<T>> {
        let store = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = store().made.get(path) {
            return Some(Arc::clone(ready));
        }
        // Others are served meanwhile.
        let made = Arc::new(make()?);
        let mut kept = store();
        if kept.bytes > KEPT_BYTES {
            *kept = Store::default();
        }
        kept.bytes += size(&made) + path.len();
        kept.made.insert(path.to_owned(), Arc::clone(&made));
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT_BYTES, Kept};

    #[test]
    fn what_was_made_stays_until_there_is_too_much() {
        let kept: Kept<u8> = Kept::default();
        let made = |path: &str, value: u8, size: usize| {
            *kept
                .get_or_make(path, || Some(value), |_| size)
                .expect("it is made")
        };
        assert_eq!((made("a", 1, 10), made("a", 2, 10)), (1, 1));
        assert!(kept.get_or_make("b", || None, |_| 0).is_none());
        assert_eq!(made("b", 3, KEPT_BYTES), 3);
        assert_eq!((made("c", 4, 1), made("a", 5, 1)), (4, 5));
    }
}
