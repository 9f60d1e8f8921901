//! JSON pointers (RFC 6901).

use std::borrow::Cow;

use crate::{Node, Value};

/// The node a pointer names; the empty pointer is the root.
pub fn at_pointer<'a>(root: &'a Node, pointer: &str) -> Option<&'a Node> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer
        .strip_prefix('/')?
        .split('/')
        .try_fold(root, |node, segment| {
            // Few keys have letters that need an escape.
            let key = if segment.contains('~') {
                Cow::Owned(unescape_pointer(segment))
            } else {
                Cow::Borrowed(segment)
            };
            match &node.value {
                Value::Object(object) => object.get(&key),
                Value::Array(items) => items.get(key.parse::<usize>().ok()?),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
            }
        })
}

/// One segment as it stands in a pointer.
pub fn escape_pointer(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The key that a segment of a pointer means.
pub fn unescape_pointer(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
