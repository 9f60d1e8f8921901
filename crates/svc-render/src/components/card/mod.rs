//! `Card`: a titled box that can be a link.

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown::{self, Picture};

const PROPS: &[Prop] = &[
    prop("title", PropKind::Rich, "Heading of the card"),
    prop("description", PropKind::Rich, "Text below the heading"),
    prop("icon", PropKind::Icon, "Icon above the heading"),
    prop("iconType", PropKind::Text, "Style of the icon"),
    prop("color", PropKind::Text, "Colour of the icon"),
    prop("href", PropKind::Text, "Where a click leads"),
    prop("horizontal", PropKind::Flag, "Icon beside the text"),
    prop("img", PropKind::Text, "Picture at the top"),
    prop("cta", PropKind::Rich, "Words of a link at the bottom"),
    prop(
        "arrow",
        PropKind::Flag,
        "Arrow in the corner; by itself on links to other sites",
    ),
    prop(
        "type",
        PropKind::Text,
        "note, warning, info, tip, check or danger",
    ),
    prop("disabled", PropKind::Flag, "Pale, without link"),
    prop("target", PropKind::Text, "Where the link opens"),
    prop("as", PropKind::Text, "Element of the title"),
];

pub(super) static CARD: Component = Component {
    name: "card",
    tags: &[Spec {
        tag: "Card",
        props: PROPS,
        render,
    }],
    css: include_str!("card.css"),
    js: None,
    docs: include_str!("card.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let props = element.props;
    cx.pause();
    let icon = element.icon(cx);
    let title = element.rich(cx, "title");
    let description = element.rich(cx, "description");
    let image = element.text("img").map(|src| {
        let picture = Picture {
            src: &src,
            no_zoom: true,
            span: element.place("img"),
            ..Picture::default()
        };
        markdown::picture(cx, &picture)
    });
    let body = cx.children(element.children);
    let cta = element.rich(cx, "cta");
    cx.pause();
    let disabled = props.flag("disabled");
    let target = element.text("href").filter(|_| !disabled);
    let target = target.and_then(|href| markdown::target(cx, &href, element.place("href")));
    // A link cannot hold another one: then only the title is the link, and covers the card.
    let nested = body.as_str().contains("<a ") || body.as_str().contains("<button");
    let whole = target.is_some() && !nested;
    let external = target.as_ref().is_some_and(|target| target.external);
    let mut out = Html::new();
    out.lit(if whole { "<a" } else { "<div" });
    out.attr(
        "class",
        format!("svc-card card {}", element.class()).trim_end(),
    );
    out.attr_if("data-type", element.text("type").as_deref());
    out.flag("data-horizontal", props.flag("horizontal"))
        .flag("data-disabled", disabled);
    out.flag("data-link", target.is_some());
    if let Some(target) = target.as_ref().filter(|_| whole) {
        markdown::link_attributes(target, &mut out);
    }
    out.lit(">");
    if let Some(image) = &image {
        out.lit("<span class=\"svc-card-image\">")
            .add(image)
            .lit("</span>");
    }
    out.lit("<div class=\"svc-card-inner\">");
    if !icon.is_empty() {
        out.lit("<div class=\"svc-card-icon\"");
        if let Some(color) = props.color("color") {
            out.attr("style", &format!("color:{color}"));
        }
        out.lit(">").add(&icon).lit("</div>");
    }
    out.lit("<div class=\"svc-card-text\">");
    if !title.is_blank() {
        out.lit("<p class=\"svc-card-title\">");
        match target.as_ref().filter(|_| !whole) {
            Some(target) => {
                out.lit("<a class=\"svc-card-cover\"");
                markdown::link_attributes(target, &mut out);
                out.lit(">").add(&title).lit("</a>");
            }
            None => {
                out.add(&title);
            }
        }
        out.lit("</p>");
    }
    if !description.is_blank() || !body.is_blank() {
        out.lit("<div class=\"svc-card-body\">")
            .add(&description)
            .add(&body)
            .lit("</div>");
    }
    if !cta.is_blank() {
        out.lit("<p class=\"svc-card-cta\">")
            .add(&cta)
            .lit(" <span aria-hidden=\"true\">→</span></p>");
    }
    out.lit("</div>");
    if props.flag_or("arrow", external) && target.is_some() {
        out.lit("<span class=\"svc-card-arrow\" aria-hidden=\"true\">↗</span>");
    }
    out.lit("</div>")
        .lit(if whole { "</a>\n" } else { "</div>\n" });
    out
}
