//! `RequestExample` and `ResponseExample`: code in the side column.

use super::code_group::{collect, group};
use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;

props! { PROPS:
    DROPDOWN = prop("dropdown", Flag, "A dropdown instead of tabs");
}

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
    cx.out.has_request_example = true;
    let label = cx.texts.request;
    example(cx, element, "request-example", label)
}

fn response(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let label = cx.texts.response;
    example(cx, element, "response-example", label)
}

/// The code in the side column, or inline in layouts without one.
fn example(cx: &mut Ctx<'_>, element: &Element<'_>, id: &'static str, label: &'static str) -> Html {
    let (panels, rest) = collect(cx, element);
    let mut html = Html::literal("<div class=\"svc-request-example\"");
    html.attr_if("id", cx.ids.hook(id)).lit(">");
    let shown = group(cx, panels, label, element.flag(DROPDOWN));
    html.add(&shown).add(&rest).lit("</div>");
    if cx.page.without_aside {
        return html;
    }
    cx.out.aside.add(&html);
    Html::new()
}
