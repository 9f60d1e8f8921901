//! The accessible name of an element: what a screen reader announces (a subset of "Accessible Name
//! and Description Computation 1.2").

use crate::ctx::marks::WITHOUT_ALT;
use crate::html_markdown::nodes::{Element, Node};

/// What a screen reader announces of an element.
#[derive(Debug, Default)]
pub(super) struct Name {
    /// The name with single spaces; empty if there is none.
    pub(super) text: String,
    /// Whether the element contains an image without alternative text, which is reported itself.
    pub(super) lacks_alt: bool,
}

impl Name {
    /// The name of an element from its labels and its content.
    pub(super) fn of(element: &Element<'_>) -> Self {
        let mut name = Self::default();
        match label(element) {
            Some(label) => name.text = label,
            None => name.push(&element.children),
        }
        if name.text.trim().is_empty()
            && let Some(title) = element.attribute("title")
        {
            name.text = title.into_owned();
        }
        let words: Vec<&str> = name.text.split_whitespace().collect();
        name.text = words.join(" ");
        name
    }

    fn push(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            match node {
                Node::Text(text) => self.text.push_str(text),
                Node::Element(element) => self.push_element(element),
            }
        }
    }

    fn push_element(&mut self, element: &Element<'_>) {
        if element.attribute("aria-hidden").as_deref() == Some("true") {
            return;
        }
        // The link of a heading to itself has a label of its own.
        if element.has_class("svc-anchor") {
            return self.push(&element.children);
        }
        if let Some(label) = label(element) {
            self.text.push_str(&label);
            return;
        }
        match element.tag {
            "img" => {
                self.lacks_alt |= element.has(WITHOUT_ALT) || !element.has("alt");
                self.text
                    .push_str(&element.attribute("alt").unwrap_or_default());
            }
            "br" => self.text.push(' '),
            // A value of the reader, or what a component shows in the browser, is not known.
            _ if element.has("data-svc-user") || element.tag == "svc-island" => {
                self.text.push('…');
            }
            _ => {
                // Blocks are separate words.
                let is_block = element.is_block();
                self.text.push_str(if is_block { " " } else { "" });
                self.push(&element.children);
                self.text.push_str(if is_block { " " } else { "" });
            }
        }
    }
}

/// The label that an attribute sets. The text of the elements that `aria-labelledby` names is not
/// known, only that there is one.
pub(super) fn label(element: &Element<'_>) -> Option<String> {
    let filled = |name: &str| {
        let value = element.attribute(name)?;
        (!value.trim().is_empty()).then(|| value.into_owned())
    };
    filled("aria-label").or_else(|| filled("aria-labelledby").map(|_| "…".to_owned()))
}
