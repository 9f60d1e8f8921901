//! Kinds of values.

use super::shape::{Definition, Shape};
use crate::decode::{Cx, NodeRef};

/// A kind of values: how a value is decoded, and how the schema describes it.
pub(crate) trait ValueKind: 'static {
    type Value;

    /// The name below `$defs`; None for a kind that is described in place.
    const DEFINITION: Option<Definition> = None;

    fn shape() -> Shape;

    /// None if the value is invalid; the problem is reported.
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self::Value>;
}

/// The shape of a kind where a key has it.
pub(crate) fn shape_of<K: ValueKind>() -> Shape {
    match K::DEFINITION {
        Some(definition) => definition.of(K::shape),
        None => K::shape(),
    }
}

/// The first paragraph of a doc comment on one line, as the description of a key.
pub(crate) fn description(doc: &str) -> String {
    let lines = doc.lines().map(str::trim);
    let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ")
}
