//! `Expandable`: collapsible nested properties.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::i18n::{Messages, split_placeholder};

props! { PROPS:
    TITLE = prop("title", Rich, "Name of the contents; default: “properties”");
    DEFAULT_OPEN = prop("defaultOpen", Flag, "Expanded initially");
}

pub(super) static EXPANDABLE: Component = Component {
    name: "expandable",
    tags: &[Spec {
        tag: "Expandable",
        props: PROPS,
        render,
    }],
    css: include_str!("expandable.css"),
    js: Some(include_str!("expandable.js")),
    docs: include_str!("expandable.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.rich_text(cx, TITLE);
    let body = cx.outside_toc(|cx| cx.children(element.children));
    expandable(cx.texts, &title, element.flag(DEFAULT_OPEN), &body)
}

/// Content below a title that expands it.
pub(crate) fn expandable(texts: &Messages, title: &Html, open: bool, body: &Html) -> Html {
    let (show, shown) = split_placeholder(texts.show_part);
    let (hide, hidden) = split_placeholder(texts.hide_part);
    let mut out = Html::new();
    out.lit("<details class=\"svc-expandable expandable\"")
        .flag("open", open);
    out.lit("><summary class=\"svc-expandable-summary\">");
    either(show, hide, &mut out);
    if title.is_blank() {
        out.esc(texts.properties);
    } else {
        out.add(title);
    }
    either(shown, hidden, &mut out);
    out.lit("</summary><div class=\"svc-expandable-body\">")
        .add(body)
        .lit("</div></details>\n");
    out
}

/// Texts for the collapsed and the expanded state; the style sheet shows one of them.
fn either(show: &str, hide: &str, out: &mut Html) {
    if show.is_empty() && hide.is_empty() {
        return;
    }
    out.lit("<span class=\"svc-expandable-show\">")
        .esc(show)
        .lit("</span><span class=\"svc-expandable-hide\">")
        .esc(hide)
        .lit("</span>");
}
