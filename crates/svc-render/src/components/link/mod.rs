//! `Link`: a link as a tag.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

const PROPS: &[Prop] = &[
    required("href", PropKind::Text, "Where it leads"),
    prop("target", PropKind::Text, "Where it opens"),
    prop("rel", PropKind::Text, "Relation"),
];

pub(super) static LINK: Component = Component {
    name: "link",
    tags: &[Spec {
        tag: "Link",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("link.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let href = element.text("href").unwrap_or_default();
    let target = markdown::target(cx, &href, element.place("href"));
    let body = cx.inline_children(element.children);
    let mut out = Html::new();
    out.lit("<a")
        .attr("class", format!("link {}", element.class()).trim_end());
    if let Some(target) = &target {
        markdown::link_attributes(target, &mut out);
    }
    out.lit(">").add(&body).lit("</a>");
    out
}
