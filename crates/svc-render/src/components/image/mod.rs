//! `Image` and `ZoomImage`: images with attributes.

use super::common::TITLE;
use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown::{self, Actions, Image};

props! { PROPS:
    SRC = required("src", Text, "URL or path");
    ALT = prop("alt", Text, "Alternative text");
    WIDTH = prop("width", Any, "Width");
    HEIGHT = prop("height", Any, "Height");
    NO_ZOOM = prop("noZoom", Flag, "Cannot be enlarged");
    ACTIONS = prop("actions", Any, "Buttons on the image: copy, download, or both");
    ACTIONS_PLACEMENT = prop("actionsPlacement", Text, "bottom-center, or top or bottom with left, center or right");
}

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
    let src = element.text(SRC).unwrap_or_default();
    let alt = element.text(ALT);
    let title = element.text(TITLE);
    let allowed = ["className", "class", "width", "height", "style", "id"];
    let attributes = markdown::html_attributes(cx, element.props, &allowed);
    let span = element.span_of(SRC);
    let title = title.as_deref();
    markdown::image_html(
        cx,
        &Image {
            src: &src,
            alt: alt.as_deref(),
            title,
            attributes,
            no_zoom: element.flag(NO_ZOOM),
            actions: Actions::of(element.props),
            span,
        },
    )
}

fn zoom(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    if element.value(SRC).is_some() {
        render(cx, element)
    } else {
        cx.children(element.children)
    }
}
