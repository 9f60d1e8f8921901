//! `Panel`: content beside the text.

use super::{Component, Element, Spec};
use crate::ctx::Ctx;
use crate::html::Html;

pub(super) static PANEL: Component = Component {
    name: "panel",
    tags: &[Spec {
        tag: "Panel",
        props: &[],
        render,
    }],
    css: include_str!("panel.css"),
    js: None,
    docs: include_str!("panel.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let before = std::mem::take(&mut cx.aside);
    let body = cx.children(element.children);
    // Examples inside a panel stay at its end.
    let inner = std::mem::replace(&mut cx.aside, before);
    cx.aside
        .lit("<div class=\"svc-panel panel\" id=\"panel\">")
        .add(&body)
        .add(&inner)
        .lit("</div>");
    Html::new()
}
