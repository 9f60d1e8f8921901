//! Response bodies in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::cache::SizedCache;
use crate::page::CompressedBytes;
use crate::statistics::LookupCounters;

/// Cached response bodies.
#[derive(Debug)]
pub(crate) struct Responses {
    /// Files of the repository that are in memory, by URL path. They share the memory of the source
    /// tree; only their compressed forms are additional.
    pub(crate) assets: Mutex<HashMap<String, Arc<CompressedBytes>>>,
    /// Texts that other crates compute from the site, by cache key.
    pub(crate) texts: SizedCache<String>,
    /// Generated bodies, by cache key.
    generated: SizedCache<CompressedBytes>,
    /// The pages for missing paths without suggestions, by language: the HTML before and after the
    /// suggestions.
    pub(crate) not_found: SizedCache<[String; 2]>,
}

impl Responses {
    /// Empty caches whose lookups are counted.
    pub(crate) fn new(counters: &Arc<LookupCounters>) -> Self {
        Self {
            assets: Mutex::default(),
            texts: SizedCache::new(counters),
            generated: SizedCache::new(counters),
            not_found: SizedCache::new(counters),
        }
    }

    /// Bytes and number of the bodies.
    pub(crate) fn size(&self) -> (usize, usize) {
        let sizes = [
            self.texts.size(),
            self.generated.size(),
            self.not_found.size(),
        ];
        let bytes = sizes.iter().map(|size| size.0).sum();
        (bytes, sizes.iter().map(|size| size.1).sum())
    }

    /// The cached body for `name`, or the result of `make`, which is stored.
    pub(crate) fn get_or_make(
        &self,
        name: &str,
        make: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<CompressedBytes>> {
        // Includes the compressed forms, which are produced later.
        let size = |packed: &CompressedBytes| packed.bytes.len() + packed.bytes.len() / 2;
        self.generated
            .get_or_make(name, || Some(CompressedBytes::new(make()?)), size)
    }
}
