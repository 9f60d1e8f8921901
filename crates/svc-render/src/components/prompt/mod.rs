//! `Prompt`: a text to copy for an assistant.

use svc_mdx::plain_text;

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::article::Children;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

const PROPS: &[Prop] = &[
    required(
        "description",
        PropKind::Rich,
        "What the prompt does, Markdown",
    ),
    prop("actions", PropKind::List, "copy, cursor"),
    prop("icon", PropKind::Icon, "Icon before the description"),
    prop("iconType", PropKind::Text, "Style of the icon"),
];

pub(super) static PROMPT: Component = Component {
    name: "prompt",
    tags: &[Spec {
        tag: "Prompt",
        props: PROPS,
        render,
    }],
    css: include_str!("prompt.css"),
    js: None,
    docs: include_str!("prompt.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let icon = element.icon(cx);
    let description = match element.text("description") {
        Some(text) => {
            cx.say(&text);
            markdown::plain_inline(&text)
        }
        None => element.rich(cx, "description"),
    };
    cx.toc_off += 1;
    let body = cx.children(element.children);
    cx.toc_off -= 1;
    let text = match element.children {
        Children::Nodes(nodes) => plain_text(nodes),
        Children::None | Children::Parts(_) => body.to_text(),
    };
    let mut out = Html::new();
    out.lit("<div class=\"svc-prompt prompt\" data-svc-code><div class=\"svc-prompt-head\">");
    out.add(&icon)
        .lit("<div class=\"svc-prompt-description\">")
        .add(&description)
        .lit("</div>");
    out.lit("<button type=\"button\" class=\"svc-prompt-copy\" data-svc-copy hidden>")
        .esc(cx.texts.copy_prompt)
        .lit("</button>");
    out.lit("</div><details class=\"svc-prompt-more\"><summary>")
        .esc(cx.texts.show_prompt)
        .lit("</summary>");
    out.lit("<div class=\"svc-prompt-body\">")
        .add(&body)
        .lit("</div></details>");
    out.lit("<span hidden data-svc-copy-text>")
        .esc(text.trim())
        .lit("</span></div>\n");
    out
}
