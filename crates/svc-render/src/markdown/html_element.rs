//! HTML elements in a page: an allowlist, with URLs resolved.

use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code};

use super::attributes::write_attributes;
use super::heading::{Heading, heading_with};
use super::image::{Actions, Image, image_html};
use super::{embed, names};
use crate::article::tag::{Props, Tag};
use crate::ctx::{Ctx, ParentContext};
use crate::html::{Html, is_phrasing};

/// An HTML element that is not allowed in pages.
pub(crate) static BLOCKED_ELEMENT: DiagnosticCode = diagnostic_code!(
    warning,
    "html-blocked",
    "an HTML element is not allowed in pages"
);

/// Renders an HTML element.
pub(crate) fn html_element(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let name = tag.name;
    if name == "style" && cx.is_trusted_program() {
        return style_sheet(cx, tag);
    }
    if names::SILENT.contains(name) {
        blocked(cx, tag, "its content is removed");
        return Html::new();
    }
    let Some(known) = names::ELEMENTS.get(name) else {
        blocked(cx, tag, "only its content is rendered");
        return cx.children(tag.children);
    };
    match known {
        "img" => image(cx, tag),
        "a" => anchor(cx, tag),
        "h1" | "h2" | "h3" | "h4" => heading(cx, tag),
        known => element(cx, tag, known),
    }
}

pub(super) fn blocked_element(cx: &mut Ctx<'_>, name: &str, span: Span, consequence: &str) {
    if cx.out.is_first(&BLOCKED_ELEMENT, name) {
        let message = format!("`<{name}>` is not allowed in a page; {consequence}");
        let component = (cx.modules.similar_tag)(name);
        let hint = component.map_or_else(
            || "use Markdown or a component".to_owned(),
            |tag| format!("did you mean `<{tag}>`?"),
        );
        cx.report(&BLOCKED_ELEMENT, span, message, hint);
        if let Some(tag) = component {
            cx.fix_tags(name, tag);
        }
    }
}

fn blocked(cx: &mut Ctx<'_>, tag: &Tag<'_>, consequence: &str) {
    blocked_element(cx, tag.name, tag.span, consequence);
}

fn element(cx: &mut Ctx<'_>, tag: &Tag<'_>, name: &'static str) -> Html {
    let blocky = !is_phrasing(name);
    if blocky {
        cx.out.text.break_line();
    }
    let mut out = Html::new();
    out.lit("<").lit(name);
    attributes(cx, &tag.props, name, &mut out);
    match name {
        "iframe" => embed::frame(cx, &tag.props, &mut out),
        "video" => embed::video(cx, &tag.props, &mut out),
        _ => {}
    }
    if name == "button" && tag.props.get("type").is_none() {
        out.lit(" type=\"button\"");
    }
    if names::VOID.contains(&name) {
        out.lit(">");
        return out;
    }
    out.lit(">");
    let inner = match name {
        // Markdown paragraphs in a `<p>` would be nested paragraphs.
        "p" | "summary" | "figcaption" | "label" | "button" => cx.inline_children(tag.children),
        _ => cx.children(tag.children),
    };
    out.add(&inner);
    out.lit("</").lit(name).lit(">");
    if blocky {
        cx.out.text.break_line();
        out.lit("\n");
    }
    out
}

/// Renders a `<style>` element of a file that may contain style sheets. Its text is raw; text that
/// would end the element is removed.
fn style_sheet(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let css = cx.raw_text(tag.children);
    if css.contains("</") {
        blocked(cx, tag, "its content is removed");
        return Html::new();
    }
    let mut out = Html::new();
    if css.trim().is_empty() || !cx.charge(css.len()) {
        return out;
    }
    out.lit("<style");
    write_attributes(cx, &tag.props, "style", &[], &mut out);
    out.lit(">").add(&Html::trusted(css)).lit("</style>\n");
    out
}

fn anchor(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let mut out = Html::new();
    out.lit("<a");
    attributes(cx, &tag.props, "a", &mut out);
    out.lit(">");
    cx.frames.push(ParentContext::Link);
    let inner = cx.inline_children(tag.children);
    cx.frames.pop();
    out.add(&inner).lit("</a>");
    out
}

fn image(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let props = &tag.props;
    let src = props.text("src").unwrap_or_default();
    // `alt` without a value is empty.
    let alt = props
        .get("alt")
        .map(|_| props.text("alt").unwrap_or_default());
    let mut attributes = Html::new();
    let skipped = [
        "src",
        "alt",
        "noZoom",
        "loading",
        "decoding",
        "actions",
        "actionsPlacement",
    ];
    write_attributes(cx, props, "img", &skipped, &mut attributes);
    image_html(
        cx,
        &Image {
            src: &src,
            alt: alt.as_deref(),
            attributes,
            no_zoom: props.flag("noZoom"),
            actions: Actions::of(props),
            span: props.span("src").unwrap_or(tag.span),
            ..Image::default()
        },
    )
}

fn heading(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    cx.out.text.break_line();
    let from = cx.out.text.len();
    let html = cx.inline_children(tag.children);
    let text = cx.out.text.since(from).to_owned();
    cx.out.text.break_line();
    let depth = tag
        .name
        .as_bytes()
        .get(1)
        .map_or(2, |digit| digit.saturating_sub(b'0'));
    let id = tag.props.text("id");
    let class = tag
        .props
        .text("className")
        .or_else(|| tag.props.text("class"));
    let heading = Heading {
        depth,
        id: id.as_deref(),
        text: &text,
        html,
        no_anchor: tag.props.flag("noAnchor"),
        class: class.as_deref(),
    };
    heading_with(cx, &heading)
}

fn attributes(cx: &mut Ctx<'_>, props: &Props, element: &'static str, out: &mut Html) {
    write_attributes(cx, props, element, &[], out);
}
