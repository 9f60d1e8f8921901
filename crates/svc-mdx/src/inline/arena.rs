//! Storage of the large parts of inline content, which items refer to by index.

use svc_diagnostics::Span;

use crate::{Kind, Node, jsx::Tag, source::to_u32};

/// Nodes, tags and replaced text that are not yet in the tree. Entries are taken in any order;
/// their slots are freed together with the items that refer to them.
#[derive(Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    tags: Vec<Option<Tag>>,
    replacements: Vec<Replacement>,
}

/// Text that replaces the source text at `start..end`.
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

    pub(super) fn take_node(&mut self, index: u32) -> Node {
        let placeholder = Node::new(Span::default(), Kind::Break);
        match self.nodes.get_mut(index as usize) {
            Some(node) => std::mem::replace(node, placeholder),
            None => placeholder,
        }
    }

    /// Removes the nodes from `index` on, all of which were taken.
    pub(super) fn forget_nodes(&mut self, index: u32) {
        self.nodes.truncate(index as usize);
    }

    pub(super) fn add_tag(&mut self, tag: Tag) -> u32 {
        self.tags.push(Some(tag));
        to_u32(self.tags.len() - 1)
    }

    pub(super) fn take_tag(&mut self, index: u32) -> Option<Tag> {
        self.tags.get_mut(index as usize)?.take()
    }

    pub(super) fn add_replacement(&mut self, changed: Replacement) -> u32 {
        self.replacements.push(changed);
        to_u32(self.replacements.len() - 1)
    }

    pub(super) fn replacement_mut(&mut self, index: u32) -> Option<&mut Replacement> {
        self.replacements.get_mut(index as usize)
    }

    pub(super) fn take_replacement(&mut self, index: u32) -> Replacement {
        self.replacement_mut(index)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Clears the arena for the next piece of content.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.tags.clear();
        self.replacements.clear();
    }
}
