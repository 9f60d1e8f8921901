//! `Tooltip`: an explanation that is shown on hover or focus.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

props! { PROPS:
    TIP = required("tip", Rich, "The explanation");
    HEADLINE = prop("headline", Rich, "A line above it");
    CTA = prop("cta", Rich, "Text of a link below it");
    HREF = prop("href", Text, "Target of that link");
}

pub(super) static TOOLTIP: Component = Component {
    name: "tooltip",
    tags: &[Spec {
        tag: "Tooltip",
        props: PROPS,
        render,
    }],
    css: include_str!("tooltip.css"),
    js: Some(include_str!("tooltip.js")),
    docs: include_str!("tooltip.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let body = cx.inline_children(element.children);
    // The explanation is part of the search text, after the end of the sentence.
    let text = std::mem::take(&mut cx.out.text);
    let headline = element.rich_text(cx, HEADLINE);
    let tip = element.rich_text(cx, TIP);
    let cta = element.rich_text(cx, CTA);
    let explanation = std::mem::replace(&mut cx.out.text, text);
    let explanation = explanation.since(0);
    if !explanation.is_empty() {
        let explanation = explanation.replace('\n', " — ");
        cx.out.text.push(&format!(" ({explanation}) "));
    }
    cx.out.text.last_char = 'x';
    let target = element
        .text(HREF)
        .and_then(|href| markdown::target(cx, &href, element.span_of(HREF)));
    let group = cx.ids.next_group();
    let id = format!("svc-tooltip-{group}");
    let mut out = Html::new();
    out.lit("<span class=\"svc-tooltip tooltip\" data-svc-tooltip>");
    out.lit("<span class=\"svc-tooltip-word\" tabindex=\"0\"")
        .attr("aria-describedby", &id);
    out.lit(">")
        .add(&body)
        .lit("</span><span class=\"svc-tooltip-tip\" role=\"tooltip\"");
    out.attr("id", &id).lit(">");
    if !headline.is_blank() {
        out.lit("<strong class=\"svc-tooltip-headline\">")
            .add(&headline)
            .lit("</strong>");
    }
    out.add(&tip);
    if let Some(target) = &target
        && !cta.is_blank()
    {
        out.lit(" <a class=\"svc-tooltip-cta\"");
        markdown::link_attributes(target, &mut out);
        out.lit(">").add(&cta).lit("</a>");
    }
    out.lit("</span></span>");
    out
}
