//! `RequestExample` and `ResponseExample`: code beside the text.

use super::code_group::{collect, group};
use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;

const PROPS: &[Prop] = &[prop(
    "dropdown",
    PropKind::Flag,
    "Languages in a list instead of tabs",
)];

pub(super) static REQUEST_EXAMPLE: Component = Component {
    name: "request_example",
    tags: &[
        Spec {
            tag: "RequestExample",
            props: PROPS,
            render: request,
        },
        Spec {
            tag: "ResponseExample",
            props: PROPS,
            render: response,
        },
    ],
    css: "",
    js: None,
    docs: include_str!("request_example.md"),
};

fn request(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let (panels, rest) = collect(cx, element);
    let mut html = Html::literal("<div class=\"svc-request-example\" id=\"request-example\">");
    let texts = cx.texts;
    let shown = group(cx, panels, texts.request);
    html.add(&shown).add(&rest).lit("</div>");
    cx.aside.add(&html);
    Html::new()
}

fn response(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let (panels, rest) = collect(cx, element);
    let mut html = Html::literal("<div class=\"svc-request-example\" id=\"response-example\">");
    let texts = cx.texts;
    let shown = group(cx, panels, texts.response);
    html.add(&shown).add(&rest).lit("</div>");
    cx.aside.add(&html);
    Html::new()
}
