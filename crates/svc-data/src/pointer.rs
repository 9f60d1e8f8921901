//! JSON pointers (RFC 6901).

use std::borrow::Cow;

use crate::{Node, Value};

/// Returns the node that a JSON pointer (RFC 6901) identifies, or `None` if there is no such node.
/// The empty pointer identifies the root.
///
/// ```
/// use svc_data::{Limits, at_pointer, parse_json};
/// use svc_diagnostics::SourceFile;
/// let file = SourceFile::new("a.json", r#"{"paths": {"/a": [7]}}"#);
/// let root = parse_json(&file, &Limits::default()).value;
/// let node = at_pointer(&root, "/paths/~1a/0");
/// assert_eq!(node.and_then(|node| node.to_text()).as_deref(), Some("7"));
/// assert_eq!(at_pointer(&root, "/paths/b"), None);
/// ```
pub fn at_pointer<'a>(root: &'a Node, pointer: &str) -> Option<&'a Node> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer
        .strip_prefix('/')?
        .split('/')
        .try_fold(root, |node, segment| {
            // Most keys contain no escapes.
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

/// Escapes a key as a segment of a JSON pointer: `~` becomes `~0` and `/` becomes `~1` (RFC 6901,
/// section 3).
///
/// ```
/// assert_eq!(svc_data::escape_pointer("/a~"), "~1a~0");
/// ```
pub fn escape_pointer(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Unescapes a segment of a JSON pointer: `~1` becomes `/` and `~0` becomes `~` (RFC 6901, section
/// 4).
///
/// ```
/// assert_eq!(svc_data::unescape_pointer("~1a~0"), "/a~");
/// ```
pub fn unescape_pointer(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
