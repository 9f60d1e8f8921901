//! Building of trees.

use svc_data::{KeyMap, Member, Node, Object, Value};
use svc_diagnostics::Span;

/// A string made from the value at a span.
pub(super) fn string(text: impl Into<Box<str>>, span: Span) -> Node {
    Node::new(span, Value::String(text.into()))
}

pub(super) const fn boolean(value: bool, span: Span) -> Node {
    Node::new(span, Value::Bool(value))
}

/// An object with members that were made from the value at a span.
pub(super) fn object<'k>(span: Span, members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    let mut object = Object::default();
    for (key, value) in members {
        object.insert(key, span, value);
    }
    Node::new(span, Value::Object(object))
}

/// The members of an object; none for other values.
pub(super) fn members(node: Node) -> KeyMap<Member> {
    match node.value {
        Value::Object(object) => object.into_map(),
        _ => KeyMap::new(),
    }
}

/// The items of an array; none for other values.
pub(super) fn items(node: Node) -> Vec<Node> {
    match node.value {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}

/// Changes each value of an object.
pub(super) fn change_values(node: &mut Node, mut change: impl FnMut(&mut Node)) {
    if let Value::Object(object) = &mut node.value {
        let members = std::mem::take(object).into_map();
        let changed = members.map_values(|_, mut member| {
            change(&mut member.value);
            member
        });
        *object = changed.into();
    }
}

/// Adds a member to an object; nothing for other values.
pub(super) fn insert(node: &mut Node, key: &str, value: Node) {
    let span = value.span;
    if let Some(members) = node.as_map_mut() {
        members.insert(
            key,
            Member {
                key_span: span,
                value,
            },
        );
    }
}

/// Renames a key in place.
pub(super) fn rename_key(node: &mut Node, old: &str, new: &str) {
    let Value::Object(object) = &mut node.value else {
        return;
    };
    let mut renamed = Object::default();
    for (key, member) in std::mem::take(object).into_members() {
        let key = if &*key == old { new } else { &*key };
        renamed.insert(key, member.key_span, member.value);
    }
    *object = renamed;
}

/// The texts of an array of strings.
pub(super) fn texts(node: Option<&Node>) -> Vec<String> {
    let items = node.and_then(Node::as_array).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}
