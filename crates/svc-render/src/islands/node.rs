//! Tree that a component returned.

use serde_json::{Map, Value as Json};

use crate::evaluate::JsxTag;
use crate::html::Html;

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum IslandNode {
    /// Text content.
    Text(String),
    /// An HTML element.
    Element {
        tag: String,
        props: Map<String, Json>,
        /// Inner HTML instead of children.
        html: Option<String>,
        children: Vec<Self>,
    },
    /// A built-in component, or the content of an MDX file.
    Component {
        tag: JsxTag,
        /// Number of the component in the island.
        number: u32,
        props: Map<String, Json>,
        children: Vec<Self>,
    },
    /// Rendered HTML, by its number.
    Slot(usize),
}

/// Children of a built-in component in an island.
#[derive(Debug)]
pub(crate) struct Branch<'n> {
    pub(super) island: &'n Island,
    pub(super) tag: &'n JsxTag,
    pub(super) number: u32,
    pub(super) nodes: &'n [IslandNode],
}

/// State that the nodes of one island share.
#[derive(Debug)]
pub(crate) struct Island {
    /// Number of the island on the page.
    pub(crate) number: u32,
    /// Rendered HTML that was passed to the component.
    pub(crate) slots: Vec<Html>,
}

impl Branch<'_> {
    /// Whether there are no children.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Text content of the children.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<&IslandNode> = self.nodes.iter().rev().collect();
        while let Some(node) = open.pop() {
            match node {
                IslandNode::Text(text) => out.push_str(text),
                IslandNode::Element { children, .. } | IslandNode::Component { children, .. } => {
                    open.extend(children.iter().rev());
                }
                IslandNode::Slot(number) => {
                    if let Some(html) = self.island.slots.get(*number) {
                        out.push_str(&html.to_text());
                    }
                }
            }
        }
        out
    }
}
