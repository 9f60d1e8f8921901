//! `Expandable`: nested properties that open.

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;

const PROPS: &[Prop] = &[
    prop(
        "title",
        PropKind::Rich,
        "What is inside; “properties” without it",
    ),
    prop("defaultOpen", PropKind::Flag, "Open at first"),
];

pub(super) static EXPANDABLE: Component = Component {
    name: "expandable",
    tags: &[Spec {
        tag: "Expandable",
        props: PROPS,
        render,
    }],
    css: include_str!("expandable.css"),
    js: None,
    docs: include_str!("expandable.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.rich(cx, "title");
    cx.toc_off += 1;
    let body = cx.children(element.children);
    cx.toc_off -= 1;
    expandable(&title, element.props.flag("defaultOpen"), &body)
}

/// Content below a title that opens.
pub(crate) fn expandable(title: &Html, open: bool, body: &Html) -> Html {
    let mut out = Html::new();
    out.lit("<details class=\"svc-expandable expandable\"")
        .flag("open", open);
    out.lit("><summary class=\"svc-expandable-summary\"><span class=\"svc-expandable-show\">Show ");
    out.lit("</span><span class=\"svc-expandable-hide\">Hide </span>");
    if title.is_blank() {
        out.lit("properties");
    } else {
        out.add(title);
    }
    out.lit("</summary><div class=\"svc-expandable-body\">")
        .add(body)
        .lit("</div></details>\n");
    out
}
