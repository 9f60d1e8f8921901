//! Things that were used lately, up to a weight.
//!
//! Where room is needed a few are drawn by lot: the first of them that was not used since it was
//! drawn before goes. All of the weight is used; somewhat more things than fit, in whatever order,
//! do not push out all of each other; and what is used often outlives a look at many others.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Something that is kept.
pub(super) trait CacheEntry {
    /// What it is found by.
    type Key: Clone + Eq + Hash;

    fn key(&self) -> &Self::Key;

    /// Bytes that it takes, about.
    fn size(&self) -> usize;
}

/// Draws for the room of one.
const SAMPLES: usize = 8;

#[derive(Debug)]
pub(super) struct SecondChanceCache<E: CacheEntry> {
    index: HashMap<E::Key, usize>,
    /// Each thing, and whether it was used since it was drawn.
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
        let place = *self.index.get(name)?;
        let (entry, used) = self.entries.get_mut(place)?;
        *used = true;
        Some(entry)
    }

    /// Adds something; whatever then is more than `most` goes. What is heavier alone is not kept.
    pub(super) fn insert(&mut self, entry: E, most: usize) {
        self.remove(entry.key());
        let weight = entry.size();
        if weight > most {
            return;
        }
        while self.size + weight > most {
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
        if let Some(place) = self.index.remove(name) {
            self.swap_remove(place);
        }
    }

    /// Lets one go.
    fn evict_one(&mut self) {
        let mut place = self.sample();
        for _ in 1..SAMPLES {
            let drawn = self.entries.get_mut(place);
            if !drawn.is_some_and(|(_, used)| std::mem::take(used)) {
                break;
            }
            place = self.sample();
        }
        if let Some((entry, _)) = self.entries.get(place) {
            self.index.remove(entry.key());
            self.swap_remove(place);
        }
    }

    /// Any place; the same ones in every run.
    fn sample(&mut self) -> usize {
        self.rng = self
            .rng
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let lot = usize::try_from(self.rng >> 33).unwrap_or(0);
        lot % self.entries.len().max(1)
    }

    /// Takes out what has no name any more.
    fn swap_remove(&mut self, place: usize) {
        let (gone, _) = self.entries.swap_remove(place);
        self.size -= gone.size();
        if let Some((moved, _)) = self.entries.get(place)
            && let Some(known) = self.index.get_mut(moved.key())
        {
            *known = place;
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

    fn assert_consistent(lately: &SecondChanceCache<TestEntry>, most: usize) {
        let weight: usize = lately.entries.iter().map(|(thing, _)| thing.1).sum();
        assert_eq!(
            (lately.size, lately.index.len()),
            (weight, lately.entries.len())
        );
        assert!(weight <= most, "{weight}");
        for (place, (thing, _)) in lately.entries.iter().enumerate() {
            assert_eq!(lately.index.get(&thing.0), Some(&place));
        }
    }

    /// How many of these names are found; the others are added.
    fn count_hits(
        lately: &mut SecondChanceCache<TestEntry>,
        names: std::ops::Range<u32>,
        most: usize,
    ) -> usize {
        let mut found = 0;
        for name in names {
            if lately.get(&name).is_some() {
                found += 1;
            } else {
                lately.insert(TestEntry(name, 10), most);
            }
        }
        assert_consistent(lately, most);
        found
    }

    #[test]
    fn as_many_stay_as_fit_in_whatever_order_they_come() {
        let mut lately = SecondChanceCache::default();
        for round in 0..5 {
            assert_eq!(
                count_hits(&mut lately, 0..100, 1_000),
                if round == 0 { 0 } else { 100 }
            );
        }
        // A few more than fit do not push out all of them.
        count_hits(&mut lately, 0..110, 1_000);
        assert!(count_hits(&mut lately, 0..110, 1_000) > 50);
    }

    #[test]
    fn what_is_no_longer_used_makes_room() {
        let mut lately = SecondChanceCache::default();
        for _ in 0..3 {
            count_hits(&mut lately, 0..100, 1_000);
        }
        for _ in 0..20 {
            count_hits(&mut lately, 1_000..1_080, 1_000);
        }
        assert_eq!(count_hits(&mut lately, 1_000..1_080, 1_000), 80);
    }

    #[test]
    fn what_is_used_outlives_a_look_at_many_others() {
        let mut lately = SecondChanceCache::default();
        for name in 0..1_000 {
            lately.insert(TestEntry(name + 10, 10), 1_000);
            count_hits(&mut lately, 0..5, 1_000);
        }
        assert_eq!(count_hits(&mut lately, 0..5, 1_000), 5);
    }

    #[test]
    fn things_of_any_weight_are_replaced_and_removed() {
        let mut lately = SecondChanceCache::default();
        lately.insert(TestEntry(1, 400), 1_000);
        lately.insert(TestEntry(2, 400), 1_000);
        lately.insert(TestEntry(1, 600), 1_000);
        assert_eq!(lately.get(&1), Some(&TestEntry(1, 600)));
        lately.insert(TestEntry(3, 1_001), 1_000);
        assert_eq!(lately.get(&3), None);
        lately.insert(TestEntry(4, 1_000), 1_000);
        assert!(lately.get(&1).is_none() && lately.get(&2).is_none());
        assert_consistent(&lately, 1_000);
        lately.remove(&4);
        lately.remove(&4);
        assert_eq!((lately.size, lately.entries.len()), (0, 0));
    }
}
