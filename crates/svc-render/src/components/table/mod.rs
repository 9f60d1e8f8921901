//! `Table`: a table as an element.

use super::component::{Component, Element, Spec};
use crate::ctx::Ctx;
use crate::html::Html;

pub(super) static TABLE: Component = Component {
    name: "table",
    tags: &[Spec {
        tag: "Table",
        props: &[],
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("table.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let body = cx.children(element.children);
    if !body.as_str().trim_start().starts_with("<t") {
        // A Markdown table inside has its own scroll container.
        return body;
    }
    let mut out = Html::new();
    out.lit("<div class=\"svc-table\" tabindex=\"0\" role=\"group\"")
        .attr("aria-label", cx.texts.table)
        .lit("><table>");
    out.add(&body).lit("</table></div>\n");
    out
}
