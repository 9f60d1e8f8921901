//! Generated values of a tree.

use svc_data::{KeyMap, Member, Node, Object, Value};
use svc_diagnostics::Span;

/// Members in the order of the text.
pub(crate) type Map = KeyMap<Member>;

pub(crate) fn string(span: Span, text: &str) -> Node {
    Node::new(span, Value::String(text.into()))
}

pub(crate) fn object(span: Span) -> Node {
    Node::new(span, Value::Object(Object::default()))
}
