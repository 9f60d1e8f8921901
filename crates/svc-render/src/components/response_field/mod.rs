//! `ResponseField`: a property of a response.

use super::component::{Component, Element, Spec};
use super::param_field::documented_field;
use super::prop::props;
use crate::ctx::{Ctx, MdxField};
use crate::html::Html;

props! { PROPS:
    NAME = prop("name", Text, "Name");
    TYPE = prop("type", Text, "Type");
    DEFAULT = prop("default", Any, "Default value");
    REQUIRED = prop("required", Flag, "Always present");
    OPTIONAL = prop("optional", Flag, "Not always present");
    DEPRECATED = prop("deprecated", Flag, "Deprecated");
    PRE = prop("pre", List, "Labels before the name");
    POST = prop("post", List, "Labels after the name");
    DEFAULT_OPEN = prop("defaultOpen", Flag, "Accepted for compatibility; has no effect");
}

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
    let own = MdxField {
        name: element.text(NAME).unwrap_or_default(),
        ..MdxField::default()
    };
    documented_field(cx, element, own, "svc-response-field response-field")
}
