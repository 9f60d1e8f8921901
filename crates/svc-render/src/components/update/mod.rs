//! `Update`: one entry of a changelog.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::article::TocItem;
use crate::ctx::Ctx;
use crate::html::Html;

const PROPS: &[Prop] = &[
    required("label", PropKind::Rich, "Date or version"),
    prop("description", PropKind::Rich, "A line below the label"),
    prop("tags", PropKind::List, "Labels to filter by"),
    prop("rss", PropKind::Any, "Title and description in the feed"),
    prop(
        "id",
        PropKind::Text,
        "Anchor; made from the label otherwise",
    ),
    prop("date", PropKind::Text, "Date"),
];

pub(super) static UPDATE: Component = Component {
    name: "update",
    tags: &[Spec {
        tag: "Update",
        props: PROPS,
        render,
    }],
    css: include_str!("update.css"),
    js: None,
    docs: include_str!("update.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let label = element.text("label").unwrap_or_default();
    let shown = element.rich(cx, "label");
    let description = element.rich(cx, "description");
    let wanted = element
        .text("id")
        .unwrap_or_else(|| svc_source::heading_id(&label));
    let id = cx.unique_id(&wanted);
    if cx.toc_off == 0 && !label.is_empty() {
        cx.toc.push(TocItem {
            depth: 1,
            id: id.clone(),
            text: label,
        });
    }
    let tags = element.props.texts("tags");
    for tag in &tags {
        cx.say(tag);
    }
    cx.toc_off += 1;
    let body = cx.children(element.children);
    cx.toc_off -= 1;
    let mut out = Html::new();
    out.lit("<section class=\"svc-update update\"")
        .attr("id", &id);
    out.lit("><div class=\"svc-update-side\"><a class=\"svc-update-label\"");
    out.attr("href", &format!("#{id}"))
        .lit(">")
        .add(&shown)
        .lit("</a>");
    if !description.is_blank() {
        out.lit("<div class=\"svc-update-description\">")
            .add(&description)
            .lit("</div>");
    }
    if !tags.is_empty() {
        out.lit("<div class=\"svc-update-tags\">");
        for tag in &tags {
            out.lit("<span class=\"svc-update-tag\">")
                .esc(tag)
                .lit("</span>");
        }
        out.lit("</div>");
    }
    out.lit("</div><div class=\"svc-update-body\">")
        .add(&body)
        .lit("</div></section>\n");
    out
}
