//! Storage of image variants, and the images without them.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of images of a site that may exceed the limits before no more variants are rendered: each
/// one takes the full time limit.
const MAX_FAILURES: u32 = 3;

/// Storage of rendered variants by name. A name always refers to the same bytes. An empty value
/// means that the variant is not smaller than its image.
pub trait VariantStore: Debug + Send + Sync {
    /// A variant from memory. `None` when it is not there.
    fn recent(&self, name: &str) -> Option<Arc<[u8]>>;
    /// A variant from memory or disk. `None` when it is not stored.
    fn get(&self, name: &str) -> Option<Arc<[u8]>>;
    /// Whether a variant is stored.
    fn contains(&self, name: &str) -> bool;
    /// Stores a variant.
    fn put(&self, name: &str, bytes: Arc<[u8]>);
}

/// Images without variants because rendering failed, by digest.
#[derive(Debug, Default)]
pub(crate) struct UnusableImages {
    digests: Mutex<HashSet<String>>,
    /// Number of images that exceeded limits of time or memory.
    failures: AtomicU32,
}

impl UnusableImages {
    pub(crate) fn contains(&self, digest: &str) -> bool {
        let known = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        self.failures.load(Ordering::Relaxed) >= MAX_FAILURES || known.contains(digest)
    }

    pub(crate) fn insert(&self, digest: &str, exceeded: bool) {
        let mut known = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(digest.to_owned()) && exceeded {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
    }
}
