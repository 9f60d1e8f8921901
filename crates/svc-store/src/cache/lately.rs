//! Things that were used lately, up to a weight.
//!
//! Where room is needed a few are drawn by lot: the first of them that was not used since it was
//! drawn before goes. All of the weight is used; somewhat more things than fit, in whatever order,
//! do not push out all of each other; and what is used often outlives a look at many others.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Something that is kept.
pub(super) trait Entry {
    /// What it is found by.
    type Name: Clone + Eq + Hash;

    fn found_by(&self) -> &Self::Name;

    /// Bytes that it takes, about.
    fn weight(&self) -> usize;
}

/// Draws for the room of one.
const DRAWS: usize = 8;

#[derive(Debug)]
pub(super) struct Lately<E: Entry> {
    places: HashMap<E::Name, usize>,
    /// Each thing, and whether it was used since it was drawn.
    all: Vec<(Box<E>, bool)>,
    lot: u64,
    weight: usize,
}

impl<E: Entry> Default for Lately<E> {
    fn default() -> Self {
        Self {
            places: HashMap::new(),
            all: Vec::new(),
            lot: 0,
            weight: 0,
        }
    }
}

impl<E: Entry> Lately<E> {
    pub(super) fn get<Q: Eq + Hash + ?Sized>(&mut self, name: &Q) -> Option<&E>
    where
        E::Name: Borrow<Q>,
    {
        let place = *self.places.get(name)?;
        let (entry, used) = self.all.get_mut(place)?;
        *used = true;
        Some(entry)
    }

    /// Adds something; whatever then is more than `most` goes. What is heavier alone is not kept.
    pub(super) fn insert(&mut self, entry: E, most: usize) {
        self.remove(entry.found_by());
        let weight = entry.weight();
        if weight > most {
            return;
        }
        while self.weight + weight > most {
            self.step();
        }
        self.weight += weight;
        self.places.insert(entry.found_by().clone(), self.all.len());
        self.all.push((Box::new(entry), false));
    }

    pub(super) fn remove<Q: Eq + Hash + ?Sized>(&mut self, name: &Q)
    where
        E::Name: Borrow<Q>,
    {
        if let Some(place) = self.places.remove(name) {
            self.take(place);
        }
    }

    /// Lets one go.
    fn step(&mut self) {
        let mut place = self.draw();
        for _ in 1..DRAWS {
            let drawn = self.all.get_mut(place);
            if !drawn.is_some_and(|(_, used)| std::mem::take(used)) {
                break;
            }
            place = self.draw();
        }
        if let Some((entry, _)) = self.all.get(place) {
            self.places.remove(entry.found_by());
            self.take(place);
        }
    }

    /// Any place; the same ones in every run.
    fn draw(&mut self) -> usize {
        self.lot = self
            .lot
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let lot = usize::try_from(self.lot >> 33).unwrap_or(0);
        lot % self.all.len().max(1)
    }

    /// Takes out what has no name any more.
    fn take(&mut self, place: usize) {
        let (gone, _) = self.all.swap_remove(place);
        self.weight -= gone.weight();
        if let Some((moved, _)) = self.all.get(place)
            && let Some(known) = self.places.get_mut(moved.found_by())
        {
            *known = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Thing(u32, usize);

    impl Entry for Thing {
        type Name = u32;

        fn found_by(&self) -> &u32 {
            &self.0
        }

        fn weight(&self) -> usize {
            self.1
        }
    }

    fn is_whole(lately: &Lately<Thing>, most: usize) {
        let weight: usize = lately.all.iter().map(|(thing, _)| thing.1).sum();
        assert_eq!(
            (lately.weight, lately.places.len()),
            (weight, lately.all.len())
        );
        assert!(weight <= most, "{weight}");
        for (place, (thing, _)) in lately.all.iter().enumerate() {
            assert_eq!(lately.places.get(&thing.0), Some(&place));
        }
    }

    /// How many of these names are found; the others are added.
    fn found(lately: &mut Lately<Thing>, names: std::ops::Range<u32>, most: usize) -> usize {
        let mut found = 0;
        for name in names {
            if lately.get(&name).is_some() {
                found += 1;
            } else {
                lately.insert(Thing(name, 10), most);
            }
        }
        is_whole(lately, most);
        found
    }

    #[test]
    fn as_many_stay_as_fit_in_whatever_order_they_come() {
        let mut lately = Lately::default();
        for round in 0..5 {
            assert_eq!(
                found(&mut lately, 0..100, 1_000),
                if round == 0 { 0 } else { 100 }
            );
        }
        // A few more than fit do not push out all of them.
        found(&mut lately, 0..110, 1_000);
        assert!(found(&mut lately, 0..110, 1_000) > 50);
    }

    #[test]
    fn what_is_no_longer_used_makes_room() {
        let mut lately = Lately::default();
        for _ in 0..3 {
            found(&mut lately, 0..100, 1_000);
        }
        for _ in 0..20 {
            found(&mut lately, 1_000..1_080, 1_000);
        }
        assert_eq!(found(&mut lately, 1_000..1_080, 1_000), 80);
    }

    #[test]
    fn what_is_used_outlives_a_look_at_many_others() {
        let mut lately = Lately::default();
        for name in 0..1_000 {
            lately.insert(Thing(name + 10, 10), 1_000);
            found(&mut lately, 0..5, 1_000);
        }
        assert_eq!(found(&mut lately, 0..5, 1_000), 5);
    }

    #[test]
    fn things_of_any_weight_are_replaced_and_removed() {
        let mut lately = Lately::default();
        lately.insert(Thing(1, 400), 1_000);
        lately.insert(Thing(2, 400), 1_000);
        lately.insert(Thing(1, 600), 1_000);
        assert_eq!(lately.get(&1), Some(&Thing(1, 600)));
        lately.insert(Thing(3, 1_001), 1_000);
        assert_eq!(lately.get(&3), None);
        lately.insert(Thing(4, 1_000), 1_000);
        assert!(lately.get(&1).is_none() && lately.get(&2).is_none());
        is_whole(&lately, 1_000);
        lately.remove(&4);
        lately.remove(&4);
        assert_eq!((lately.weight, lately.all.len()), (0, 0));
    }
}
