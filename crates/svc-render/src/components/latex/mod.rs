//! `Latex`: a formula as a tag.

use svc_mdx::plain_text;

use super::{Component, Element, Spec};
use crate::article::Children;
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
    let source = match element.children {
        Children::None => String::new(),
        Children::Nodes(nodes) => plain_text(nodes),
        Children::Parts(parts) => parts
            .iter()
            .take(1_000)
            .filter_map(|part| match part {
                JsxChild::Text(text) => Some(text.as_str()),
                JsxChild::Value(Value::String(text)) => Some(text),
                JsxChild::Value(_) => None,
            })
            .collect(),
    };
    formula(cx, source.trim(), false)
}
