//! `View`: one of several forms of a page.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::ctx::Ctx;
use crate::html::Html;

const PROPS: &[Prop] = &[
    required("title", PropKind::Text, "Name of the form"),
    prop("icon", PropKind::Icon, "Icon before the name"),
    prop("iconType", PropKind::Text, "Style of the icon"),
];

pub(super) static VIEW: Component = Component {
    name: "view",
    tags: &[Spec {
        tag: "View",
        props: PROPS,
        render,
    }],
    css: include_str!("view.css"),
    js: Some(include_str!("view.js")),
    docs: include_str!("view.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.text("title").unwrap_or_default();
    let icon = element.icon(cx);
    cx.say(&title);
    let body = cx.children(element.children);
    let mut out = Html::new();
    out.lit("<section class=\"svc-view view\"")
        .attr("data-svc-view", &title);
    out.lit("><p class=\"svc-view-title\">")
        .add(&icon)
        .esc(&title)
        .lit("</p>")
        .add(&body);
    out.lit("</section>\n");
    out
}
