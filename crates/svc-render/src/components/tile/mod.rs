//! `Tile`: a linked image with a title below.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, ParentContext};
use crate::html::Html;
use crate::markdown;

props! { PROPS:
    HREF = required("href", Text, "Link target");
    TITLE = prop("title", Rich, "Title");
    DESCRIPTION = prop("description", Rich, "A line below the title");
}

pub(super) static TILE: Component = Component {
    name: "tile",
    tags: &[Spec {
        tag: "Tile",
        props: PROPS,
        render,
    }],
    css: include_str!("tile.css"),
    js: None,
    docs: include_str!("tile.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.frames.swap(ParentContext::Tile);
    let image = cx.children(element.children);
    let title = element.rich_text(cx, TITLE);
    let description = element.rich_text(cx, DESCRIPTION);
    let target = element
        .text(HREF)
        .and_then(|href| markdown::target(cx, &href, element.span_of(HREF)));
    let mut out = Html::new();
    out.lit("<a").attr(
        "class",
        format!("svc-tile tile {}", element.class()).trim_end(),
    );
    if let Some(target) = &target {
        markdown::author_attributes(target, element.props, &mut out);
    }
    out.lit("><span class=\"svc-tile-picture\">")
        .add(&image)
        .lit("</span>");
    if !title.is_blank() {
        out.lit("<span class=\"svc-tile-title\">")
            .add(&title)
            .lit("</span>");
    }
    if !description.is_blank() {
        out.lit("<span class=\"svc-tile-description\">")
            .add(&description)
            .lit("</span>");
    }
    out.lit("</a>\n");
    out
}
