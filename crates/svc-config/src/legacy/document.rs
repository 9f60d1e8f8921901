//! The two documents of a conversion, and changes of values.

use crate::files::FileSpan;
use crate::tree::{Map, Member, Tree, Value};

/// The older document, from which keys are taken.
pub(super) struct OldDocument {
    pub(super) span: FileSpan,
    pub(super) map: Map,
}

impl OldDocument {
    pub(super) fn take(&mut self, key: &str) -> Option<Member> {
        self.map.remove(key)
    }

    /// Removes and returns the value at a path of keys.
    pub(super) fn take_path(&mut self, path: &[&str]) -> Option<Tree> {
        let (last, parents) = path.split_last()?;
        let mut map = &mut self.map;
        for key in parents {
            let Value::Object(inner) = &mut map.get_mut(key)?.value.value else {
                return None;
            };
            map = inner;
        }
        map.remove(last).map(|member| member.value)
    }
}

/// The converted document.
pub(super) struct NewDocument {
    pub(super) map: Map,
}

impl NewDocument {
    /// Sets the value at a path of keys; missing parent objects are created.
    pub(super) fn put(&mut self, path: &[&str], value: Tree) {
        let Some((last, parents)) = path.split_last() else {
            return;
        };
        let span = value.span;
        let mut map = &mut self.map;
        for key in parents {
            let member = map.get_or_insert_with(key, || Member {
                key: span,
                value: Tree::object(span),
            });
            let Some(Value::Object(inner)) = member.map(|member| &mut member.value.value) else {
                return;
            };
            map = inner;
        }
        map.insert(*last, Member { key: span, value });
    }
}

/// Renames keys of an object.
pub(super) fn rename(tree: Tree, names: &[(&str, &str)]) -> Tree {
    let Value::Object(map) = tree.value else {
        return tree;
    };
    let map = map
        .into_iter()
        .map(|(key, member)| {
            let name = names
                .iter()
                .find(|(old, _)| *old == &*key)
                .map(|(_, new)| (*new).into());
            (name.unwrap_or(key), member)
        })
        .collect();
    Tree {
        span: tree.span,
        value: Value::Object(map),
    }
}

/// Maps the items of an array.
pub(super) fn each(tree: Tree, change: impl Fn(Tree) -> Tree) -> Tree {
    let Value::Array(items) = tree.value else {
        return tree;
    };
    let items = items.into_iter().map(change).collect();
    Tree {
        span: tree.span,
        value: Value::Array(items),
    }
}
