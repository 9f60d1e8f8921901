//! `Columns`, `CardGroup` and `Column`: a grid.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, ParentContext};
use crate::html::Html;
use crate::markdown;

props! { PROPS:
    COLS = prop("cols", Number, "Columns on wide screens, 1 to 4; default: 2");
}

pub(super) static COLUMNS: Component = Component {
    name: "columns",
    tags: &[
        Spec {
            tag: "Columns",
            props: PROPS,
            render,
        },
        Spec {
            tag: "CardGroup",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Column",
            props: &[],
            render: column,
        },
    ],
    css: include_str!("columns.css"),
    js: None,
    docs: include_str!("columns.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let cols = element.number(COLS).unwrap_or(2.0).clamp(1.0, 4.0);
    let cols = match cols {
        n if n < 1.5 => "1",
        n if n < 2.5 => "2",
        n if n < 3.5 => "3",
        _ => "4",
    };
    cx.frames.swap(ParentContext::Columns);
    let body = cx.children(element.children);
    let group = if element.tag == "CardGroup" {
        "card-group "
    } else {
        ""
    };
    let attributes = markdown::html_attributes(cx, element.props, &["id", "style"]);
    let mut out = Html::new();
    out.lit("<div").attr(
        "class",
        format!("svc-columns columns {group}{}", element.class()).trim_end(),
    );
    out.add(&attributes)
        .attr("data-cols", cols)
        .lit(">")
        .add(&body)
        .lit("</div>\n");
    out
}

fn column(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let body = cx.children(element.children);
    let mut out = Html::new();
    out.lit("<div class=\"svc-column column\">")
        .add(&body)
        .lit("</div>\n");
    out
}
