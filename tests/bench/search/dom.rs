//! Elements of an HTML page.

use html5ever::tendril::TendrilSink as _;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// An element, or the document itself, whose name is empty.
#[derive(Clone)]
pub(crate) struct Element(Handle);

/// A child of an element.
pub(crate) enum Child {
    Text(String),
    Element(Element),
}

impl Element {
    /// Parses a page.
    pub(crate) fn parse(html: &str) -> Self {
        let parser = parse_document(RcDom::default(), ParseOpts::default());
        Self(parser.one(html).document)
    }

    pub(crate) fn name(&self) -> &str {
        match &self.0.data {
            NodeData::Element { name, .. } => &name.local,
            _ => "",
        }
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let NodeData::Element { attrs, .. } = &self.0.data else {
            return None;
        };
        let attributes = attrs.borrow();
        let attribute = attributes.iter().find(|attr| &*attr.name.local == name)?;
        Some(attribute.value.to_string())
    }

    pub(crate) fn has_class(&self, class: &str) -> bool {
        let classes = self.attribute("class").unwrap_or_default();
        classes.split_whitespace().any(|name| name == class)
    }

    /// Returns the child elements and texts, without comments.
    pub(crate) fn children(&self) -> Vec<Child> {
        let children = self.0.children.borrow();
        let child = |node: &Handle| match &node.data {
            NodeData::Text { contents } => Some(Child::Text(contents.borrow().to_string())),
            NodeData::Element { .. } => Some(Child::Element(Self(node.clone()))),
            _ => None,
        };
        children.iter().filter_map(child).collect()
    }

    /// Returns the child elements with this name.
    pub(crate) fn children_named(&self, name: &str) -> Vec<Self> {
        let children = self.children().into_iter();
        let elements = children.filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        });
        elements.filter(|element| element.name() == name).collect()
    }

    /// Returns all elements below this one that match, in their order.
    pub(crate) fn select(&self, matches: &dyn Fn(&Self) -> bool) -> Vec<Self> {
        let mut selected = Vec::new();
        for child in self.children() {
            if let Child::Element(element) = child {
                if matches(&element) {
                    selected.push(element.clone());
                }
                selected.extend(element.select(matches));
            }
        }
        selected
    }

    /// Returns the text of the element and of all elements below it.
    pub(crate) fn text(&self) -> String {
        let children = self.children().into_iter();
        let texts = children.map(|child| match child {
            Child::Text(text) => text,
            Child::Element(element) => element.text(),
        });
        texts.collect()
    }
}
