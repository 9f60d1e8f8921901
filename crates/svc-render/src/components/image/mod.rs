//! `Image` and `ZoomImage`: images with attributes.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown::{self, Actions, Image};

const PROPS: &[Prop] = &[
    required("src", PropKind::Text, "URL or path"),
    prop("alt", PropKind::Text, "Alternative text"),
    prop("width", PropKind::Any, "Width"),
    prop("height", PropKind::Any, "Height"),
    prop("noZoom", PropKind::Flag, "Cannot be enlarged"),
    prop(
        "actions",
        PropKind::Any,
        "Buttons on the image: copy, download, or both",
    ),
    prop(
        "actionsPlacement",
        PropKind::Text,
        "bottom-center, or top or bottom with left, center or right",
    ),
];

pub(super) static IMAGE: Component = Component {
    name: "image",
    tags: &[
        Spec {
            tag: "Image",
            props: PROPS,
            render,
        },
        Spec {
            tag: "ZoomImage",
            props: PROPS,
            render: zoom,
        },
    ],
    css: "",
    js: None,
    docs: include_str!("image.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let src = element.text("src").unwrap_or_default();
    let alt = element.text("alt").unwrap_or_default();
    let title = element.text("title");
    let allowed = ["className", "class", "width", "height", "style", "id"];
    let attributes = markdown::html_attributes(cx, element.props, &allowed);
    let span = element.span_of("src");
    let title = title.as_deref();
    markdown::image_html(
        cx,
        &Image {
            src: &src,
            alt: &alt,
            title,
            attributes,
            no_zoom: element.props.flag("noZoom"),
            actions: Actions::of(element.props),
            span,
        },
    )
}

fn zoom(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    if element.props.get("src").is_some() {
        render(cx, element)
    } else {
        cx.children(element.children)
    }
}
