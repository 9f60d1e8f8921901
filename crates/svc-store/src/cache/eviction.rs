//! A second-chance cache with random sampling and a size limit.
//!
//! When space is needed, entries are sampled at random; the first one that was not used since it
//! was last sampled is evicted. The full size is used, an access pattern that slightly exceeds the
//! size does not evict everything, and frequently used entries survive a scan of many others.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// An entry of the cache.
pub(super) trait CacheEntry {
    /// Key of the entry.
    type Key: Clone + Eq + Hash;

    fn key(&self) -> &Self::Key;

    /// Approximate size in bytes.
    fn size(&self) -> usize;
}

/// Maximum number of samples per eviction.
const SAMPLES: usize = 8;

#[derive(Debug)]
pub(super) struct SecondChanceCache<E: CacheEntry> {
    index: HashMap<E::Key, usize>,
    /// The entries, each with a flag whether it was used since it was last sampled.
    entries: Vec<(Box<E>, bool)>,
    rng: u64,
    size: usize,
}

impl<E: CacheEntry> Default for SecondChanceCache<E> {
    fn default() -> Self {
        Self {
            index: HashMap::new(),
            entries: Vec::new(),
            rng: 0,
            size: 0,
        }
    }
}

impl<E: CacheEntry> SecondChanceCache<E> {
    pub(super) fn get<Q: Eq + Hash + ?Sized>(&mut self, name: &Q) -> Option<&E>
    where
        E::Key: Borrow<Q>,
    {
        let slot = *self.index.get(name)?;
        let (entry, used) = self.entries.get_mut(slot)?;
        *used = true;
        Some(entry)
    }

    /// Inserts an entry and evicts others until the size is at most `max_size`. An entry that is larger
    /// itself is not inserted.
    pub(super) fn insert(&mut self, entry: E, max_size: usize) {
        self.remove(entry.key());
        let weight = entry.size();
        if weight > max_size {
            return;
        }
        while self.size + weight > max_size {
            self.evict_one();
        }
        self.size += weight;
        self.index.insert(entry.key().clone(), self.entries.len());
        self.entries.push((Box::new(entry), false));
    }

    pub(super) fn remove<Q: Eq + Hash + ?Sized>(&mut self, name: &Q)
    where
        E::Key: Borrow<Q>,
    {
        if let Some(slot) = self.index.remove(name) {
            self.swap_remove(slot);
        }
    }

    /// Evicts one entry.
    fn evict_one(&mut self) {
        let mut slot = self.sample();
        for _ in 1..SAMPLES {
            let sampled = self.entries.get_mut(slot);
            if !sampled.is_some_and(|(_, used)| std::mem::take(used)) {
                break;
            }
            slot = self.sample();
        }
        if let Some((entry, _)) = self.entries.get(slot) {
            self.index.remove(entry.key());
            self.swap_remove(slot);
        }
    }

    /// Index of a random entry; the sequence is the same in every run.
    fn sample(&mut self) -> usize {
        self.rng = self
            .rng
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let lot = usize::try_from(self.rng >> 33).unwrap_or(0);
        lot % self.entries.len().max(1)
    }

    /// Removes an entry that is no longer in the index.
    fn swap_remove(&mut self, slot: usize) {
        let (removed, _) = self.entries.swap_remove(slot);
        self.size -= removed.size();
        if let Some((entry, _)) = self.entries.get(slot)
            && let Some(index) = self.index.get_mut(entry.key())
        {
            *index = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct TestEntry(u32, usize);

    impl CacheEntry for TestEntry {
        type Key = u32;

        fn key(&self) -> &u32 {
            &self.0
        }

        fn size(&self) -> usize {
            self.1
        }
    }

    fn assert_consistent(cache: &SecondChanceCache<TestEntry>, max_size: usize) {
        let weight: usize = cache.entries.iter().map(|(entry, _)| entry.1).sum();
        assert_eq!(
            (cache.size, cache.index.len()),
            (weight, cache.entries.len())
        );
        assert!(weight <= max_size, "{weight}");
        for (slot, (entry, _)) in cache.entries.iter().enumerate() {
            assert_eq!(cache.index.get(&entry.0), Some(&slot));
        }
    }

    /// Counts the names that are cached and inserts the others.
    fn count_hits(
        cache: &mut SecondChanceCache<TestEntry>,
        names: std::ops::Range<u32>,
        max_size: usize,
    ) -> usize {
        let mut hits = 0;
        for name in names {
            if cache.get(&name).is_some() {
                hits += 1;
            } else {
                cache.insert(TestEntry(name, 10), max_size);
            }
        }
        assert_consistent(cache, max_size);
        hits
    }

    #[test]
    fn the_full_size_is_used_in_any_access_order() {
        let mut cache = SecondChanceCache::default();
        for round in 0..5 {
            assert_eq!(
                count_hits(&mut cache, 0..100, 1_000),
                if round == 0 { 0 } else { 100 }
            );
        }
        // Slightly more than fits does not evict all of them.
        count_hits(&mut cache, 0..110, 1_000);
        assert!(count_hits(&mut cache, 0..110, 1_000) > 50);
    }

    #[test]
    fn unused_entries_are_evicted() {
        let mut cache = SecondChanceCache::default();
        for _ in 0..3 {
            count_hits(&mut cache, 0..100, 1_000);
        }
        for _ in 0..20 {
            count_hits(&mut cache, 1_000..1_080, 1_000);
        }
        assert_eq!(count_hits(&mut cache, 1_000..1_080, 1_000), 80);
    }

    #[test]
    fn used_entries_survive_a_scan() {
        let mut cache = SecondChanceCache::default();
        for name in 0..1_000 {
            cache.insert(TestEntry(name + 10, 10), 1_000);
            count_hits(&mut cache, 0..5, 1_000);
        }
        assert_eq!(count_hits(&mut cache, 0..5, 1_000), 5);
    }

    #[test]
    fn entries_of_any_size_are_replaced_and_removed() {
        let mut cache = SecondChanceCache::default();
        cache.insert(TestEntry(1, 400), 1_000);
        cache.insert(TestEntry(2, 400), 1_000);
        cache.insert(TestEntry(1, 600), 1_000);
        assert_eq!(cache.get(&1), Some(&TestEntry(1, 600)));
        cache.insert(TestEntry(3, 1_001), 1_000);
        assert_eq!(cache.get(&3), None);
        cache.insert(TestEntry(4, 1_000), 1_000);
        assert!(cache.get(&1).is_none() && cache.get(&2).is_none());
        assert_consistent(&cache, 1_000);
        cache.remove(&4);
        cache.remove(&4);
        assert_eq!((cache.size, cache.entries.len()), (0, 0));
    }
}
