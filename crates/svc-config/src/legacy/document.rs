//! The two documents of a conversion, and changes of values.

use svc_data::{Member, Node, Value};
use svc_diagnostics::Span;

use crate::tree::{Map, object};

/// The older document, from which keys are taken.
pub(super) struct OldDocument {
    pub(super) span: Span,
    pub(super) map: Map,
}

impl OldDocument {
    pub(super) fn take(&mut self, key: &str) -> Option<Member> {
        self.map.remove(key)
    }

    /// Removes and returns the value at a path of keys.
    pub(super) fn take_path(&mut self, path: &[&str]) -> Option<Node> {
        let (last, parents) = path.split_last()?;
        let mut map = &mut self.map;
        for key in parents {
            map = map.get_mut(key)?.value.as_map_mut()?;
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
    pub(super) fn put(&mut self, path: &[&str], value: Node) {
        let Some((last, parents)) = path.split_last() else {
            return;
        };
        let span = value.span;
        let mut map = &mut self.map;
        for key in parents {
            let member = map.get_or_insert_with(key, || Member {
                key_span: span,
                value: object(span),
            });
            let Some(inner) = member.and_then(|member| member.value.as_map_mut()) else {
                return;
            };
            map = inner;
        }
        map.insert(
            *last,
            Member {
                key_span: span,
                value,
            },
        );
    }
}

/// Renames keys of an object.
pub(super) fn rename(tree: Node, names: &[(&str, &str)]) -> Node {
    let Value::Object(map) = tree.value else {
        return tree;
    };
    let map: Map = map
        .into_members()
        .map(|(key, member)| {
            let name = names
                .iter()
                .find(|(old, _)| *old == &*key)
                .map(|(_, new)| (*new).into());
            (name.unwrap_or(key), member)
        })
        .collect();
    Node {
        span: tree.span,
        value: Value::Object(map.into()),
    }
}

/// Maps the items of an array.
pub(super) fn each(tree: Node, change: impl Fn(Node) -> Node) -> Node {
    let Value::Array(items) = tree.value else {
        return tree;
    };
    let items = items.into_iter().map(change).collect();
    Node {
        span: tree.span,
        value: Value::Array(items),
    }
}
