//! `ResponseField`: a property of a response.

use super::param_field::{anchor, mdx_field, plain};
use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};

const PROPS: &[Prop] = &[
    prop("name", PropKind::Text, "Name"),
    prop("type", PropKind::Text, "Type"),
    prop("default", PropKind::Any, "Default value"),
    prop("required", PropKind::Flag, "Always present"),
    prop("optional", PropKind::Flag, "Not always present"),
    prop("deprecated", PropKind::Flag, "Deprecated"),
    prop("pre", PropKind::List, "Labels before the name"),
    prop("post", PropKind::List, "Labels after the name"),
    prop(
        "defaultOpen",
        PropKind::Flag,
        "Accepted for compatibility; has no effect",
    ),
];

pub(super) static RESPONSE_FIELD: Component = Component {
    name: "response_field",
    tags: &[Spec {
        tag: "ResponseField",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("response_field.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let name = element.text("name").unwrap_or_default();
    let kind = element.text("type");
    let default = plain(element.props.get("default"));
    cx.out.text.push_line(&name);
    let outer = cx.out.enter_field();
    let start = cx.out.text.len();
    let body = cx.children(element.children);
    cx.out.text.break_line();
    let own = mdx_field(cx, element, &name, start);
    cx.out.leave_field(outer, own);
    field(
        cx,
        &Field {
            name: &name,
            kind: kind.as_deref(),
            required: element.props.flag("required"),
            deprecated: element.props.flag("deprecated"),
            default: default.as_deref(),
            pre: &element.props.texts("pre"),
            post: &element.props.texts("post"),
            id: &anchor(&name),
            class: "svc-response-field response-field",
            body,
            ..Field::default()
        },
    )
}
