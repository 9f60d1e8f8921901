//! Unresolved, external and cyclic references, and parts of an `allOf` that exclude each other.

use indexmap::IndexMap;
use svc_data::{Node, Object, at_pointer};
use svc_diagnostics::{Diagnostic, Span};

use super::Reader;
use crate::codes;
use crate::reference::{self, ReferenceError};

impl<'a> Reader<'a> {
    /// Checks the target of a reference.
    pub(super) fn reference_at(&mut self, node: &'a Node, pointer: &str) {
        let Some(reference) = node.as_str() else {
            return;
        };
        let span = node.span;
        match reference::target(self.root, reference) {
            Err(ReferenceError::External) => {
                let message = format!("the reference `{reference}` points outside of the document");
                let hint = match self.tool_list {
                    true => "copy the schema to `$defs`",
                    false => "run `svc openapi bundle` to combine local files into one document",
                };
                self.report(&codes::EXTERNAL_REF, pointer, span, message, hint);
            }
            Err(ReferenceError::Unresolved) => {
                let message = format!("the target of the reference `{reference}` does not exist");
                let hint = self.near(reference);
                self.report(&codes::UNRESOLVED_REF, pointer, span, message, hint);
            }
            Ok((target, _)) => {
                if reference::of(target).is_some() && self.is_circle(target) {
                    let message = format!("the reference `{reference}` refers to itself");
                    let hint = "refer to the intended object";
                    self.report(&codes::REF_CYCLE, pointer, span, message, hint);
                }
            }
        }
    }

    /// Whether references from this node form a cycle; a broken one is reported at its own
    /// location.
    fn is_circle(&self, node: &Node) -> bool {
        let mut now = node;
        for _ in 0..33 {
            let Some(reference) = reference::of(now) else {
                return false;
            };
            let Ok((next, _)) = reference::target(self.root, reference) else {
                return false;
            };
            now = next;
        }
        true
    }

    fn near(&mut self, reference: &str) -> String {
        let pointer = reference::pointer(reference)
            .unwrap_or_default()
            .into_owned();
        let owner = match self.tool_list {
            true => "`$defs` of the same schema",
            false => "`components`",
        };
        let otherwise = || format!("define it under {owner}, or correct the reference");
        let Some((parent, _)) = pointer.rsplit_once('/') else {
            return otherwise();
        };
        let root = self.root;
        let siblings = at_pointer(root, parent).and_then(Node::as_object);
        let keys = siblings
            .into_iter()
            .flat_map(|object| object.iter().map(|(key, _)| key));
        let name = reference::name(reference);
        self.suggest(&name, keys, otherwise)
    }

    /// Reports properties whose types in the parts of an `allOf` have no common value.
    pub(super) fn conflicts(
        &mut self,
        own: &'a Object,
        members: &'a [Node],
        path: &[PathSegment<'a>],
    ) {
        let mut types: IndexMap<&str, (u8, Span)> = IndexMap::new();
        let mut conflicting = Vec::new();
        let parts = members
            .iter()
            .map(|member| reference::resolve(self.root, member));
        let parts = parts
            .filter_map(Node::as_object)
            .chain(std::iter::once(own));
        for properties in parts.filter_map(|part| part.get("properties")?.as_object()) {
            for (name, node) in properties.iter() {
                if self.compared == 0 {
                    return;
                }
                self.compared -= 1;
                let node = reference::resolve(self.root, node);
                let Some(bits) = crate::view::type_set::stated_types(node) else {
                    continue;
                };
                let span = node.get("type").map_or(node.span, |node| node.span);
                let known = types.entry(name).or_insert((bits, span));
                if known.0 & bits == 0 {
                    conflicting.push((name, known.1, span));
                }
                known.0 &= bits;
            }
        }
        for (name, first, span) in conflicting {
            let message = format!("no value of `{name}` matches all parts of this `allOf`");
            let diagnostic = Diagnostic::new(&codes::CONFLICT, message)
                .at(self.line_index.location(span))
                .pointer(to_pointer(path))
                .label(self.line_index.location(first), "different type here")
                .hint("give both parts the same type");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports component schemas that refer to themselves through `allOf`, over any number of
    /// steps.
    pub(super) fn all_of_cycles(&mut self) {
        let schemas = self
            .root
            .get("components")
            .and_then(|node| node.get("schemas"));
        let Some(schemas) = schemas.and_then(Node::as_object) else {
            return;
        };
        let mut edges: IndexMap<&str, Vec<(String, Span)>> = IndexMap::new();
        for (name, node) in schemas.iter() {
            let mut references = Vec::new();
            members(node, 0, &mut references);
            if !references.is_empty() {
                edges.insert(name, references);
            }
        }
        // Depth-first with an explicit stack: chains may be as long as the document.
        let mut state: IndexMap<&str, bool> = IndexMap::new();
        for start in edges.keys() {
            if state.contains_key(start) {
                continue;
            }
            state.insert(start, true);
            let mut stack = vec![(*start, 0_usize)];
            while let Some((name, at)) = stack.last_mut() {
                let next = edges.get(name).and_then(|list| list.get(*at));
                *at += 1;
                let Some((target, span)) = next else {
                    state.insert(name, false);
                    stack.pop();
                    continue;
                };
                let Some((target, _)) = edges.get_key_value(target.as_str()) else {
                    continue;
                };
                match state.get(target) {
                    None => {
                        state.insert(target, true);
                        stack.push((target, 0));
                    }
                    Some(true) => {
                        let pointer = super::below("/components/schemas", name);
                        let message = "the schema refers to itself through `allOf`";
                        let diagnostic = Diagnostic::new(&codes::ALL_OF_CYCLE, message)
                            .at(self.line_index.location(*span))
                            .pointer(pointer)
                            .hint(format!("remove the part that refers back to `{target}`"));
                        let others = stack.iter().take(8).filter_map(|(name, at)| {
                            edges.get(name)?.get(at.checked_sub(1)?).map(|edge| edge.1)
                        });
                        let diagnostic = others.filter(|other| other != span).fold(
                            diagnostic,
                            |diagnostic, other| {
                                diagnostic
                                    .label(self.line_index.location(other), "part of the cycle")
                            },
                        );
                        self.diagnostics.push(diagnostic);
                    }
                    Some(false) => {}
                }
            }
        }
    }
}

/// The component schemas that a schema refers to in `allOf`, with the spans of the references.
fn members(node: &Node, depth: usize, references: &mut Vec<(String, Span)>) {
    for member in node
        .get("allOf")
        .and_then(Node::as_array)
        .unwrap_or_default()
    {
        if let Some(name) = reference::of(member).and_then(reference::schema_name) {
            let span = member.get("$ref").map_or(member.span, |node| node.span);
            references.push((name, span));
        } else if depth < 16 {
            members(member, depth + 1, references);
        }
    }
}

/// A segment of the path from the root.
#[derive(Debug, Clone, Copy)]
pub(super) enum PathSegment<'a> {
    Key(&'a str),
    Index(usize),
}

pub(super) fn to_pointer(path: &[PathSegment<'_>]) -> String {
    path.iter().fold(String::new(), |pointer, step| match step {
        PathSegment::Key(key) => super::below(&pointer, key),
        PathSegment::Index(at) => format!("{pointer}/{at}"),
    })
}

pub(super) fn at_ref(path: &[PathSegment<'_>]) -> String {
    to_pointer(path) + "/$ref"
}
