//! Children of an element, independent of its source.

use svc_mdx::{Kind, Node};

use crate::ctx::Ctx;
use crate::evaluate::{JsxChild, Value};
use crate::html::Html;
use crate::islands::node::Branch;

/// Children that are not rendered yet.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Children<'n> {
    /// No children.
    #[default]
    None,
    /// Children of an MDX element.
    Nodes(&'n [Node]),
    /// Children of a JSX element in an expression.
    Parts(&'n [JsxChild]),
    /// Children of an element in an island.
    Branch(&'n Branch<'n>),
}

impl Children<'_> {
    /// Whether there are no children.
    pub(crate) fn is_empty(self) -> bool {
        match self {
            Self::None => true,
            Self::Nodes(nodes) => nodes.is_empty(),
            Self::Parts(parts) => parts.is_empty(),
            Self::Branch(branch) => branch.is_empty(),
        }
    }
}

impl Ctx<'_> {
    /// Renders children as block content.
    pub(crate) fn children(&mut self, children: Children<'_>) -> Html {
        match children {
            Children::None => Html::new(),
            Children::Nodes(nodes) => self.nodes(nodes),
            Children::Branch(branch) => branch.html(self),
            Children::Parts(parts) => {
                let mut out = Html::new();
                if !self.budget.enter() {
                    return out;
                }
                for part in parts {
                    match part {
                        JsxChild::Text(text) => {
                            if !self.charge(text.len()) {
                                break;
                            }
                            let text = self.variables.expand(text);
                            self.out.text.push(&text);
                            out.esc(&text);
                        }
                        JsxChild::Value(inner) => {
                            out.add(&self.value(inner));
                        }
                    }
                }
                self.budget.leave();
                out
            }
        }
    }

    /// The source text of children that are only text.
    pub(crate) fn raw_text(&mut self, children: Children<'_>) -> String {
        let mut out = String::new();
        match children {
            Children::None => {}
            Children::Branch(branch) => out = branch.text(),
            Children::Parts(parts) => {
                for part in parts {
                    match part {
                        JsxChild::Text(text) => out.push_str(text),
                        JsxChild::Value(Value::String(text)) => out.push_str(text),
                        JsxChild::Value(_) => {}
                    }
                }
            }
            Children::Nodes(nodes) => {
                for node in nodes {
                    match &node.kind {
                        Kind::Text(text) => out.push_str(text),
                        Kind::Expression { value, .. } => {
                            if let Value::String(text) = self.evaluate(value, node.span) {
                                out.push_str(&text);
                            }
                        }
                        Kind::Paragraph(inner) => {
                            out.push_str(&self.raw_text(Children::Nodes(inner)));
                        }
                        _ => {}
                    }
                }
            }
        }
        out
    }

    /// Renders children as inline content: the tags of a single paragraph are dropped.
    pub(crate) fn inline_children(&mut self, children: Children<'_>) -> Html {
        if let Children::Nodes(
            [
                Node {
                    kind: Kind::Paragraph(inner),
                    ..
                },
            ],
        ) = children
        {
            return self.nodes(inner);
        }
        self.children(children)
    }
}
