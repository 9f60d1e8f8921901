//! `Latex`: a formula as an element.

use svc_mdx::{Kind, Node};

use super::component::{Component, Element, Spec};
use crate::article::children::Children;
use crate::ctx::Ctx;
use crate::evaluate::{JsxChild, Value};
use crate::html::Html;
use crate::markdown::formula;

pub(super) static LATEX: Component = Component {
    name: "latex",
    tags: &[Spec {
        tag: "Latex",
        props: &[],
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("latex.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let mut span = element.span;
    let source = match element.children {
        Children::None => String::new(),
        Children::Nodes(nodes) => {
            if let (Some(first), Some(last)) = (nodes.first(), nodes.last()) {
                span = first.span.to(last.span);
            }
            quoted(nodes).unwrap_or_else(|| {
                // Braces, underscores and asterisks are part of the formula, not Markdown.
                let written = cx.scope.slice(span);
                written.to_owned()
            })
        }
        Children::Parts(parts) => parts
            .iter()
            .take(1_000)
            .filter_map(|part| match part {
                JsxChild::Text(text) => Some(text.as_str()),
                JsxChild::Value(Value::String(text)) => Some(text),
                JsxChild::Value(_) => None,
            })
            .collect(),
        Children::Branch(branch) => branch.text(),
    };
    formula(cx, source.trim(), false, span)
}

/// The text of `{"…"}` or of a template literal, if it is the only child.
fn quoted(nodes: &[Node]) -> Option<String> {
    let mut all = nodes
        .iter()
        .filter(|node| !matches!(&node.kind, Kind::Text(text) if text.trim().is_empty()));
    let (Some(node), None) = (all.next(), all.next()) else {
        return None;
    };
    if let Kind::Paragraph(children) = &node.kind {
        return match children.as_slice() {
            [only] if matches!(only.kind, Kind::Expression { .. }) => {
                quoted(std::slice::from_ref(only))
            }
            _ => None,
        };
    }
    let Kind::Expression { value, .. } = &node.kind else {
        return None;
    };
    let text = value.trim();
    if let Some(raw) = text.strip_prefix("String.raw`") {
        return Some(raw.strip_suffix('`')?.to_owned());
    }
    ['`', '"', '\'']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
        .map(|text| text.replace("\\\\", "\\"))
}
