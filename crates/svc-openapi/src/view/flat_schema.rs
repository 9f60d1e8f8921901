//! A schema as the parts that apply together.

use svc_data::{Node, Object};

use super::schema_path::TracedSchema;

/// A part of a schema.
#[derive(Debug, Clone)]
pub(super) struct Part<'a> {
    pub(super) node: &'a Node,
    /// The schema with its path.
    pub(super) seed: TracedSchema<'a>,
    /// Whether its title and description are used rather than replaced by those of an outer part.
    pub(super) docs: bool,
    /// Whether it is one of several members of `allOf`.
    pub(super) member: bool,
    /// Name of the component, if it is one.
    pub(super) name: Option<String>,
    /// Bloom filter of its keys; see [`mark`].
    pub(super) keys: u64,
}

impl<'a> Part<'a> {
    /// The value of a keyword. Most schemas lack most keywords, so the filter avoids most of the
    /// lookups.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        if self.keys & mark(key) == 0 {
            None
        } else {
            self.node.get(key)
        }
    }
}

/// The filter bit of a key; keys can share a bit.
fn mark(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let (first, last) = (bytes.first().copied(), bytes.last().copied());
    let sum =
        bytes.len() * 11 + usize::from(first.unwrap_or(0)) * 3 + usize::from(last.unwrap_or(0));
    1 << (sum % 64)
}

/// The filter of the keys of an object; all bits if it has too many keys.
pub(super) fn marks(object: &Object) -> u64 {
    if object.len() > 64 {
        return u64::MAX;
    }
    object.iter().fold(0, |marks, (key, _)| marks | mark(key))
}

/// An alternative of a choice.
#[derive(Debug, Clone)]
pub(super) struct Alternative<'a> {
    pub(super) seed: TracedSchema<'a>,
}

/// All parts of a schema.
#[derive(Debug, Default)]
pub(super) struct FlatSchema<'a> {
    pub(super) parts: Vec<Part<'a>>,
    /// The choices of all parts; of each one, one alternative applies.
    pub(super) choices: Vec<Vec<Alternative<'a>>>,
    /// Whether an alternative was `null`.
    pub(super) null: bool,
    /// Whether one of the parts is `false`.
    pub(super) impossible: bool,
    /// Name of the outermost component.
    pub(super) name: Option<String>,
    /// A target that is already being expanded on an outer level, and its name.
    pub(super) recursive: Option<(&'a Node, String)>,
}
