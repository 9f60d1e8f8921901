//! References: `#/components/schemas/Pet`.

use std::borrow::Cow;

use svc_data::{Node, at_pointer, percent};

/// Maximum length of a chain of references.
pub(crate) const MAX_HOPS: usize = 32;

/// Why a reference cannot be resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceError {
    /// It refers to another document.
    External,
    /// Its target does not exist.
    Unresolved,
}

/// The reference of a node, if it is one.
pub(crate) fn of(node: &Node) -> Option<&str> {
    node.get("$ref")?.as_str()
}

/// The JSON pointer of a reference inside of the document.
pub(crate) fn pointer(reference: &str) -> Option<Cow<'_, str>> {
    let fragment = reference.strip_prefix('#')?;
    Some(percent::decode(fragment))
}

/// Resolves one reference: the node that it refers to, and its pointer.
pub(crate) fn target<'a, 'r>(
    root: &'a Node,
    reference: &'r str,
) -> Result<(&'a Node, Cow<'r, str>), ReferenceError> {
    let pointer = pointer(reference).ok_or(ReferenceError::External)?;
    at_pointer(root, &pointer)
        .map(|node| (node, pointer))
        .ok_or(ReferenceError::Unresolved)
}

/// Resolves a chain of references. None if a target does not exist or the references form a cycle.
/// The pointer is None if the node itself is not a reference.
pub(crate) fn follow<'a>(
    root: &'a Node,
    node: &'a Node,
) -> Option<(&'a Node, Option<Cow<'a, str>>)> {
    let mut now = (node, None);
    for _ in 0..MAX_HOPS {
        let Some(reference) = of(now.0) else {
            return Some(now);
        };
        let (next, pointer) = target(root, reference).ok()?;
        now = (next, Some(pointer));
    }
    None
}

/// Resolves references; a node with an unresolved reference is returned unchanged.
pub(crate) fn resolve<'a>(root: &'a Node, node: &'a Node) -> &'a Node {
    follow(root, node).map_or(node, |(target, _)| target)
}

/// The last segment of a reference: `Pet` of `#/components/schemas/Pet`.
pub(crate) fn name(reference: &str) -> String {
    let decoded = percent::decode(reference);
    svc_data::unescape_pointer(decoded.rsplit('/').next().unwrap_or(""))
}

/// The name of the component schema that a reference refers to.
pub(crate) fn schema_name(reference: &str) -> Option<String> {
    let pointer = pointer(reference)?;
    let name = pointer.strip_prefix("/components/schemas/")?;
    (!name.contains('/')).then(|| svc_data::unescape_pointer(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointer_segments_are_decoded_in_the_order_of_the_standard() {
        assert_eq!(name("#/paths/~1a~1%7Bb%7D"), "/a/{b}");
        assert_eq!(
            schema_name("#/components/schemas/A%20b").as_deref(),
            Some("A b")
        );
        assert_eq!(schema_name("#/components/schemas/A/properties/b"), None);
        assert_eq!(pointer("other.yaml#/a"), None);
    }
}
