//! Size-bounded cache of generated examples.
//!
//! One error schema is often used by every operation of an API, and a page needs the example of its
//! body for the samples and for the playground. An example depends only on the document, so the
//! cache does not change the output.

use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value as Json;
use svc_data::Node;

use crate::Direction;

/// Maximum size of a generation in bytes; two generations are cached.
const MAX_GENERATION_BYTES: usize = 3 << 19;
/// Approximate size in bytes of a value without its text.
const VALUE_OVERHEAD: usize = 80;
/// Approximate size in bytes of a member without its name and value.
const MEMBER_OVERHEAD: usize = 64;

type Entries = HashMap<(Box<str>, Direction), Arc<Json>>;

/// Cache of the examples of one document, by pointer and direction.
pub(crate) struct Memo {
    /// The tree that the pointers refer to.
    root: Arc<Node>,
    generations: Mutex<Generations>,
}

/// Recently used examples, and older ones.
#[derive(Default)]
struct Generations {
    young: Entries,
    old: Entries,
    /// Approximate size of the recent ones in bytes.
    bytes: usize,
}

impl Memo {
    pub(crate) fn new(root: &Arc<Node>) -> Self {
        Self {
            root: Arc::clone(root),
            generations: Mutex::default(),
        }
    }

    /// The cached example at a pointer; None if it is not cached.
    pub(super) fn get(
        &self,
        root: &Arc<Node>,
        pointer: &str,
        direction: Direction,
    ) -> Option<Json> {
        let mut cached = self.lock(root)?;
        let key = (Box::from(pointer), direction);
        let value = match cached.young.get(&key) {
            Some(value) => Arc::clone(value),
            None => {
                let (key, value) = cached.old.remove_entry(&key)?;
                cached.insert(key, Arc::clone(&value));
                value
            }
        };
        drop(cached);
        Some(Json::clone(&value))
    }

    pub(super) fn insert(
        &self,
        root: &Arc<Node>,
        pointer: &str,
        direction: Direction,
        value: &Json,
    ) {
        if let Some(mut cached) = self.lock(root) {
            cached.insert((pointer.into(), direction), Arc::new(value.clone()));
        }
    }

    /// Locks the cache; None if it belongs to another tree.
    fn lock(&self, root: &Arc<Node>) -> Option<MutexGuard<'_, Generations>> {
        let same = Arc::ptr_eq(root, &self.root);
        // The cache is consistent between two calls, even if a thread panicked.
        same.then(|| {
            self.generations
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        })
    }
}

impl Generations {
    fn insert(&mut self, key: (Box<str>, Direction), value: Arc<Json>) {
        let bytes = key.0.len() + weight(&value);
        if bytes > MAX_GENERATION_BYTES {
            return;
        }
        if self.bytes + bytes > MAX_GENERATION_BYTES {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        if self.young.insert(key, value).is_none() {
            self.bytes += bytes;
        }
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The content depends on earlier calls.
        out.debug_struct("Memo").finish_non_exhaustive()
    }
}

/// Approximate size of a value in memory, in bytes.
fn weight(value: &Json) -> usize {
    VALUE_OVERHEAD
        + match value {
            Json::Null | Json::Bool(_) | Json::Number(_) => 0,
            Json::String(text) => text.len(),
            Json::Array(items) => items.iter().map(weight).sum(),
            Json::Object(members) => {
                let each =
                    |(name, value): (&String, &Json)| MEMBER_OVERHEAD + name.len() + weight(value);
                members.iter().map(each).sum()
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: Direction = Direction::Response;

    #[test]
    fn recently_used_examples_stay_cached() {
        let root = Arc::new(Node::default());
        let memo = Memo::new(&root);
        let value = Json::from("x".repeat(1000));
        let max_bytes = MAX_GENERATION_BYTES / 1000;
        memo.insert(&root, "/often", SIDE, &value);
        for at in 0..5 * max_bytes {
            memo.insert(&root, &format!("/{at}"), SIDE, &value);
            let often = memo.get(&root, "/often", SIDE);
            assert_eq!(often.as_ref(), Some(&value), "after {at}");
        }
        let cached = memo.lock(&root).expect("it is its tree");
        assert!(cached.bytes <= MAX_GENERATION_BYTES, "{}", cached.bytes);
        let count = cached.young.len() + cached.old.len();
        assert!((max_bytes / 2..2 * max_bytes).contains(&count), "{count}");
        drop(cached);
        assert_eq!(memo.get(&root, "/0", SIDE), None);
        assert_eq!(memo.get(&root, "/often", Direction::Request), None);
    }

    #[test]
    fn an_example_over_the_cache_size_is_not_cached() {
        let root = Arc::new(Node::default());
        let memo = Memo::new(&root);
        memo.insert(&root, "/small", SIDE, &Json::Null);
        memo.insert(
            &root,
            "/large",
            SIDE,
            &Json::from("x".repeat(MAX_GENERATION_BYTES)),
        );
        assert_eq!(memo.get(&root, "/large", SIDE), None);
        assert_eq!(memo.get(&root, "/small", SIDE), Some(Json::Null));
    }

    #[test]
    fn another_tree_has_separate_examples() {
        let (root, other) = (Arc::new(Node::default()), Arc::new(Node::default()));
        let memo = Memo::new(&root);
        memo.insert(&root, "/a", SIDE, &Json::Null);
        memo.insert(&other, "/b", SIDE, &Json::Null);
        assert_eq!(memo.get(&other, "/a", SIDE), None);
        assert_eq!(memo.get(&root, "/b", SIDE), None);
    }
}
