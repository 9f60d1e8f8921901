//! Schemas as lists of parts that apply together.

use svc_data::Node;

use crate::reference;
use crate::{ApiDocument, SchemaRef};

/// A schema and its location.
#[derive(Debug, Clone)]
pub(super) struct Seed<'a> {
    pub(super) node: &'a Node,
    pub(super) pointer: String,
}

impl<'a> Seed<'a> {
    pub(super) fn of(document: &'a ApiDocument, schema_ref: &Option<SchemaRef>) -> Vec<Self> {
        let node_at = schema_ref.as_ref().and_then(|schema_ref| {
            let node = document.node(schema_ref)?;
            let pointer = schema_ref.pointer().to_owned();
            Some(Self { node, pointer })
        });
        node_at.into_iter().collect()
    }

    fn below(&self, key: &str) -> String {
        format!("{}/{}", self.pointer, svc_data::escape_pointer(key))
    }

    pub(super) fn child(&self, key: &str) -> Option<Self> {
        let node = self.node.get(key)?;
        Some(Self {
            node,
            pointer: self.below(key),
        })
    }

    pub(super) fn items(&self, key: &str) -> impl Iterator<Item = Self> {
        let items = self
            .node
            .get(key)
            .and_then(Node::as_array)
            .unwrap_or_default();
        let pointer = self.below(key);
        items.iter().enumerate().map(move |(at, node)| Self {
            node,
            pointer: format!("{pointer}/{at}"),
        })
    }

    pub(super) fn members(&self, key: &str) -> impl Iterator<Item = (&'a str, Self)> {
        let members = self.node.get(key).and_then(Node::as_object);
        let pointer = self.below(key);
        members
            .into_iter()
            .flat_map(|members| members.iter())
            .map(move |(name, node)| {
                let pointer = format!("{pointer}/{}", svc_data::escape_pointer(name));
                (name, Self { node, pointer })
            })
    }

    /// Resolves a reference without sibling keys.
    pub(super) fn resolved(&self, document: &'a ApiDocument) -> Self {
        let plain = self
            .node
            .as_object()
            .is_some_and(|object| object.len() == 1);
        let target = plain
            .then(|| reference::follow(&document.root, self.node))
            .flatten();
        match target {
            Some((node, Some(pointer))) => Self {
                node,
                pointer: pointer.into_owned(),
            },
            _ => self.clone(),
        }
    }
}

/// The parts of a schema that apply together.
#[derive(Default)]
pub(super) struct FlatSchema<'a> {
    pub(super) parts: Vec<Seed<'a>>,
    /// The alternatives of each `oneOf` and `anyOf`, without null.
    pub(super) choices: Vec<Vec<Seed<'a>>>,
    /// Whether null is one of the alternatives.
    pub(super) nullable: bool,
    /// Whether the schema allows no value.
    pub(super) never: bool,
}

impl<'a> FlatSchema<'a> {
    /// The value of a keyword in the outermost part that has it, and that part.
    pub(super) fn last(&self, key: &str) -> Option<&'a Node> {
        self.parts.iter().find_map(|part| part.node.get(key))
    }

    pub(super) fn all(&self, key: &'a str) -> impl Iterator<Item = &'a Node> {
        self.parts.iter().filter_map(move |part| part.node.get(key))
    }
}
