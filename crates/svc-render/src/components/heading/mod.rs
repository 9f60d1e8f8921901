//! `Heading`: a heading with attributes.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown::{self, heading_with};

props! { PROPS:
    LEVEL = prop("level", Number, "1 to 6; default: 2");
    ID = prop("id", Text, "Anchor; default: derived from the text");
    NO_ANCHOR = prop("noAnchor", Flag, "Without a link to itself");
}

pub(super) static HEADING: Component = Component {
    name: "heading",
    tags: &[Spec {
        tag: "Heading",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("heading.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.out.text.break_line();
    let from = cx.out.text.len();
    let html = cx.inline_children(element.children);
    let text = cx.out.text.since(from).to_owned();
    cx.out.text.break_line();
    let depth = match element.number(LEVEL).unwrap_or(2.0) {
        n if n < 1.5 => 1,
        n if n < 2.5 => 2,
        n if n < 3.5 => 3,
        n if n < 4.5 => 4,
        n if n < 5.5 => 5,
        _ => 6,
    };
    let id = element.text(ID);
    let class = element.class();
    heading_with(
        cx,
        &markdown::Heading {
            depth,
            id: id.as_deref(),
            text: &text,
            html,
            no_anchor: element.flag(NO_ANCHOR),
            class: Some(class.as_str()).filter(|class| !class.is_empty()),
        },
    )
}
