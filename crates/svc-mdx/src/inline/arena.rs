//! The large parts of inline content, kept apart from the items that name them by their place.

use svc_diagnostics::Span;

use crate::{Kind, Node, jsx::Tag};

use super::to_u32;

/// Nodes, tags and changed text that wait for their place in the tree. Parts are taken out in any
/// order; their slots go when the items that named them do.
#[derive(Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    tags: Vec<Option<Tag>>,
    replacements: Vec<Replacement>,
}

/// Text that is not what stands at `start..end`.
#[derive(Debug, Default)]
pub(super) struct Replacement {
    pub(super) value: String,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Arena {
    pub(super) fn add_node(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        to_u32(self.nodes.len() - 1)
    }

    pub(super) fn take_node(&mut self, place: u32) -> Node {
        let gone = Node::new(Span::default(), Kind::Break);
        match self.nodes.get_mut(place as usize) {
            Some(node) => std::mem::replace(node, gone),
            None => gone,
        }
    }

    /// Forgets the nodes from `place` on, which were all taken.
    pub(super) fn forget_nodes(&mut self, place: u32) {
        self.nodes.truncate(place as usize);
    }

    pub(super) fn add_tag(&mut self, tag: Tag) -> u32 {
        self.tags.push(Some(tag));
        to_u32(self.tags.len() - 1)
    }

    pub(super) fn take_tag(&mut self, place: u32) -> Option<Tag> {
        self.tags.get_mut(place as usize)?.take()
    }

    pub(super) fn add_replacement(&mut self, changed: Replacement) -> u32 {
        self.replacements.push(changed);
        to_u32(self.replacements.len() - 1)
    }

    pub(super) fn replacement_mut(&mut self, place: u32) -> Option<&mut Replacement> {
        self.replacements.get_mut(place as usize)
    }

    pub(super) fn take_replacement(&mut self, place: u32) -> Replacement {
        self.replacement_mut(place)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Ready for the next piece of content.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.tags.clear();
        self.replacements.clear();
    }
}
