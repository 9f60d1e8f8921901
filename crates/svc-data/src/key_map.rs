//! A map that preserves the order of its keys.

use indexmap::{IndexMap, map};

/// Maximum number of entries of a list. Up to this size a linear search is faster than hashing, and
/// a list needs less memory: with an [`IndexMap`] for all maps, reading `docs.json` takes 20 % longer,
/// loading an OpenAPI document of 13 MB 25 %, and rendering pages 5 % (`cargo xtask bench`).
const MAX_LIST_LEN: usize = 16;

/// A map that preserves insertion order. Small maps, which are the majority, are lists; large ones
/// have a hash index.
///
/// ```
/// use svc_data::KeyMap;
/// let mut map = KeyMap::new();
/// assert_eq!(map.insert("b", 1), None);
/// assert_eq!(map.insert("a", 2), None);
/// assert_eq!(map.insert("b", 3), Some(1));
/// *map.get_or_insert_with("c", || 4).unwrap() += 1;
/// assert_eq!(map.iter().collect::<Vec<_>>(), [("b", &3), ("a", &2), ("c", &5)]);
/// assert_eq!(map.remove("a"), Some(2));
/// map.retain(|key, _| key != "c");
/// assert_eq!((map.len(), map.get("b")), (1, Some(&3)));
/// let texts = map.map_values(|key, value| format!("{key}{value}"));
/// assert_eq!(texts.values().collect::<Vec<_>>(), ["b3"]);
/// ```
#[derive(Debug, Clone)]
pub struct KeyMap<V> {
    store: Store<V>,
}

#[derive(Debug, Clone)]
enum Store<V> {
    List(Vec<(Box<str>, V)>),
    Map(Box<IndexMap<Box<str>, V>>),
}

impl<V> Default for KeyMap<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V> KeyMap<V> {
    /// Creates an empty map.
    pub const fn new() -> Self {
        Self {
            store: Store::List(Vec::new()),
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match &self.store {
            Store::List(list) => list.len(),
            Store::Map(index) => index.len(),
        }
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key, or `None` if the key is missing.
    pub fn get(&self, key: &str) -> Option<&V> {
        match &self.store {
            Store::List(list) => list
                .iter()
                .find(|(k, _)| &**k == key)
                .map(|(_, value)| value),
            Store::Map(index) => index.get(key),
        }
    }

    /// Returns a mutable reference to the value of a key, or `None` if the key is missing.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        match &mut self.store {
            Store::List(list) => list
                .iter_mut()
                .find(|(k, _)| &**k == key)
                .map(|(_, value)| value),
            Store::Map(index) => index.get_mut(key),
        }
    }

    /// Returns true if the map contains the key.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Inserts a value and returns the previous one. An existing key keeps its position.
    pub fn insert(&mut self, key: impl Into<Box<str>> + AsRef<str>, value: V) -> Option<V> {
        if let Store::List(list) = &mut self.store {
            let existing = list.iter_mut().find(|(k, _)| **k == *key.as_ref());
            if let Some((_, existing)) = existing {
                return Some(std::mem::replace(existing, value));
            }
            if list.len() < MAX_LIST_LEN {
                list.push((key.into(), value));
                return None;
            }
            let index = std::mem::take(list).into_iter().collect();
            self.store = Store::Map(Box::new(index));
        }
        match &mut self.store {
            Store::Map(index) => index.insert(key.into(), value),
            // Unreachable: a list was converted to a map above.
            Store::List(_) => None,
        }
    }

    /// Returns the value of a key; if the key is missing, `value` is called and its result
    /// inserted.
    pub fn get_or_insert_with(&mut self, key: &str, value: impl FnOnce() -> V) -> Option<&mut V> {
        if !self.contains_key(key) {
            self.insert(key, value());
        }
        self.get_mut(key)
    }

    /// Removes a key and returns its value. The other entries keep their order.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        match &mut self.store {
            Store::List(list) => {
                let at = list.iter().position(|(k, _)| &**k == key)?;
                Some(list.remove(at).1)
            }
            Store::Map(index) => index.shift_remove(key),
        }
    }

    /// Retains only the entries for which `predicate` returns true.
    pub fn retain(&mut self, mut predicate: impl FnMut(&str, &V) -> bool) {
        match &mut self.store {
            Store::List(list) => list.retain(|(key, value)| predicate(key, value)),
            Store::Map(index) => index.retain(|key, value| predicate(key, value)),
        }
    }

    /// Iterates over keys and values in order.
    pub fn iter(&self) -> Iter<'_, V> {
        Iter {
            store: match &self.store {
                Store::List(list) => IterInner::List(list.iter()),
                Store::Map(index) => IterInner::Map(index.iter()),
            },
        }
    }

    /// Iterates over the values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Converts every value with `change`. A list of values of the same size reuses its memory.
    #[must_use]
    pub fn map_values<W>(self, mut change: impl FnMut(&str, V) -> W) -> KeyMap<W> {
        let store = match self.store {
            Store::List(list) => Store::List(
                list.into_iter()
                    .map(|(key, value)| {
                        let value = change(&key, value);
                        (key, value)
                    })
                    .collect(),
            ),
            Store::Map(index) => Store::Map(Box::new(
                index
                    .into_iter()
                    .map(|(key, value)| {
                        let value = change(&key, value);
                        (key, value)
                    })
                    .collect(),
            )),
        };
        KeyMap { store }
    }
}

/// Maps are equal if the same keys have equal values; the order does not matter.
impl<V: PartialEq> PartialEq for KeyMap<V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(key, value)| other.get(key).is_some_and(|existing| existing == value))
    }
}

impl<V> FromIterator<(Box<str>, V)> for KeyMap<V> {
    fn from_iter<I: IntoIterator<Item = (Box<str>, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

/// Iterator over the keys and values of a [`KeyMap`], in order.
#[derive(Debug)]
pub struct Iter<'a, V> {
    store: IterInner<'a, V>,
}

#[derive(Debug)]
enum IterInner<'a, V> {
    List(std::slice::Iter<'a, (Box<str>, V)>),
    Map(map::Iter<'a, Box<str>, V>),
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (&'a str, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.store {
            IterInner::List(list) => list.next().map(|(key, value)| (&**key, value)),
            IterInner::Map(index) => index.next().map(|(key, value)| (&**key, value)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.store {
            IterInner::List(list) => list.size_hint(),
            IterInner::Map(index) => index.size_hint(),
        }
    }
}

impl<V> ExactSizeIterator for Iter<'_, V> {}

impl<'a, V> IntoIterator for &'a KeyMap<V> {
    type Item = (&'a str, &'a V);
    type IntoIter = Iter<'a, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Owning iterator over the keys and values of a [`KeyMap`], in order.
#[derive(Debug)]
pub struct IntoIter<V> {
    store: IntoIterInner<V>,
}

#[derive(Debug)]
enum IntoIterInner<V> {
    List(std::vec::IntoIter<(Box<str>, V)>),
    Map(map::IntoIter<Box<str>, V>),
}

impl<V> Iterator for IntoIter<V> {
    type Item = (Box<str>, V);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.store {
            IntoIterInner::List(list) => list.next(),
            IntoIterInner::Map(index) => index.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.store {
            IntoIterInner::List(list) => list.size_hint(),
            IntoIterInner::Map(index) => index.size_hint(),
        }
    }
}

impl<V> ExactSizeIterator for IntoIter<V> {}

impl<V> IntoIterator for KeyMap<V> {
    type Item = (Box<str>, V);
    type IntoIter = IntoIter<V>;

    fn into_iter(self) -> Self::IntoIter {
        IntoIter {
            store: match self.store {
                Store::List(list) => IntoIterInner::List(list.into_iter()),
                Store::Map(index) => IntoIterInner::Map(index.into_iter()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize) -> KeyMap<usize> {
        (0..count)
            .map(|n| (n.to_string().into_boxed_str(), n))
            .collect()
    }

    #[test]
    fn small_and_large_maps_preserve_insertion_order() {
        for count in [
            1,
            2,
            MAX_LIST_LEN - 1,
            MAX_LIST_LEN,
            MAX_LIST_LEN + 1,
            MAX_LIST_LEN + 2,
            100,
        ] {
            let mut map = of(count);
            assert_eq!(map.len(), count);
            assert_eq!(map.insert("0", 7), Some(0));
            assert_eq!((map.len(), map.get("0")), (count, Some(&7)));
            assert_eq!(map.iter().next(), Some(("0", &7)));
            let keys: Vec<String> = map.iter().map(|(key, _)| key.to_owned()).collect();
            let expected: Vec<String> = (0..count).map(|n| n.to_string()).collect();
            assert_eq!(keys, expected);
            assert_eq!(map.get("x"), None);
            let doubled = map.map_values(|key, value| format!("{key}{value}"));
            assert_eq!(doubled.values().next().map(String::as_str), Some("07"));
            assert_eq!(doubled.into_iter().len(), count);
        }
    }

    #[test]
    fn removing_an_entry_preserves_the_order_of_the_others() {
        for count in [3, MAX_LIST_LEN, 50] {
            let mut map = of(count);
            assert_eq!((map.remove("1"), map.remove("1")), (Some(1), None));
            let values: Vec<usize> = map.values().copied().collect();
            let expected: Vec<usize> = (0..count).filter(|n| *n != 1).collect();
            assert_eq!(values, expected);
            map.retain(|key, _| key != "0");
            assert_eq!(map.iter().next(), Some(("2", &2)));
            assert_eq!(map.get_or_insert_with("new", || 5), Some(&mut 5));
            assert_eq!(map.get_or_insert_with("new", || 6), Some(&mut 5));
        }
    }

    #[test]
    fn equality_ignores_the_order() {
        let one: KeyMap<u8> = [("a".into(), 1), ("b".into(), 2)].into_iter().collect();
        let two: KeyMap<u8> = [("b".into(), 2), ("a".into(), 1)].into_iter().collect();
        let three: KeyMap<u8> = [("b".into(), 2), ("a".into(), 2)].into_iter().collect();
        assert_eq!(one, two);
        assert_ne!(one, three);
        assert_ne!(of(3), of(4));
    }
}
