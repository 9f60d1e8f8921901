//! Children of an element, independent of its source.

use svc_mdx::{Kind, Node};

use super::expression::value;
use crate::ctx::{Ctx, MAX_DEPTH};
use crate::evaluate::{JsxChild, Value};
use crate::html::Html;
use crate::islands::Branch;
use crate::markdown;

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
            Children::Nodes(nodes) => markdown::nodes(self, nodes),
            Children::Branch(branch) => branch.html(self),
            Children::Parts(parts) => {
                let mut out = Html::new();
                if self.depth >= MAX_DEPTH {
                    return out;
                }
                self.depth += 1;
                for part in parts {
                    match part {
                        JsxChild::Text(text) => {
                            if !self.charge(text.len()) {
                                break;
                            }
                            let text = self.with_variables(text).into_owned();
                            self.search_text.push_str(&text);
                            out.esc(&text);
                        }
                        JsxChild::Value(inner) => {
                            let html = value(self, inner);
                            out.add(&html);
                        }
                    }
                }
                self.depth -= 1;
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
            return markdown::nodes(self, inner);
        }
        self.children(children)
    }
}
