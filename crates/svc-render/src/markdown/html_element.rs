//! HTML elements in a page: an allowlist, with URLs resolved.

use svc_diagnostics::{DiagnosticCode, Span};

use super::heading::{Heading, heading_with};
use super::image::{Actions, Image, image_html};
use super::link::{self, LinkTarget};
use super::{embed, names, style};
use crate::article::{Props, Tag};
use crate::components;
use crate::ctx::{Ctx, ParentContext};
use crate::evaluate::Value;
use crate::html::Html;

/// An HTML element that is not allowed in pages.
pub(crate) static BLOCKED_ELEMENT: DiagnosticCode =
    DiagnosticCode::warning("html-blocked", "an HTML element is not allowed in pages");

/// An HTML attribute that is not allowed in pages, or not with this value.
pub(crate) static BLOCKED_ATTRIBUTE: DiagnosticCode = DiagnosticCode::warning(
    "html-attribute-blocked",
    "an attribute of an HTML element is not allowed in pages",
);

fn report_blocked(cx: &mut Ctx<'_>, name: &str, element: &str, span: Span, hint: &str) {
    let message = format!("attribute `{name}` of `<{element}>` is not allowed");
    cx.report(&BLOCKED_ATTRIBUTE, span, message, hint);
}

/// Renders an HTML element.
pub(crate) fn html_element(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let name = tag.name;
    if name == "style" && cx.is_trusted_program() {
        return style_sheet(cx, tag);
    }
    if names::SILENT.contains(&name) {
        blocked(cx, tag, "its content is removed");
        return Html::new();
    }
    let Some(known) = names::ELEMENTS.iter().find(|known| **known == name) else {
        blocked(cx, tag, "only its content is rendered");
        return cx.children(tag.children);
    };
    match *known {
        "img" => image(cx, tag),
        "a" => anchor(cx, tag),
        "h1" | "h2" | "h3" | "h4" => heading(cx, tag),
        known => element(cx, tag, known),
    }
}

pub(super) fn blocked_element(cx: &mut Ctx<'_>, name: &str, span: Span, consequence: &str) {
    if cx.report_once(&BLOCKED_ELEMENT, name) {
        let message = format!("`<{name}>` is not allowed in a page; {consequence}");
        let component = components::tags().find(|tag| tag.eq_ignore_ascii_case(name));
        let hint = component.map_or_else(
            || "use Markdown or a component".to_owned(),
            |tag| format!("did you mean `<{tag}>`?"),
        );
        cx.report(&BLOCKED_ELEMENT, span, message, hint);
    }
}

fn blocked(cx: &mut Ctx<'_>, tag: &Tag<'_>, consequence: &str) {
    blocked_element(cx, tag.name, tag.span, consequence);
}

/// Whether an element is phrasing content.
pub(crate) fn is_phrasing(name: &str) -> bool {
    matches!(
        name,
        "b" | "i"
            | "em"
            | "strong"
            | "span"
            | "a"
            | "code"
            | "kbd"
            | "sub"
            | "sup"
            | "small"
            | "u"
            | "s"
            | "abbr"
            | "mark"
            | "br"
            | "wbr"
            | "q"
            | "cite"
            | "var"
            | "samp"
            | "time"
    )
}

fn element(cx: &mut Ctx<'_>, tag: &Tag<'_>, name: &'static str) -> Html {
    let blocky = !is_phrasing(name);
    if blocky {
        cx.break_search_text();
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
        cx.break_search_text();
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
    cx.parents.push(ParentContext::Link);
    let inner = cx.inline_children(tag.children);
    cx.parents.pop();
    out.add(&inner).lit("</a>");
    out
}

fn image(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let props = &tag.props;
    let src = props.text("src").unwrap_or_default();
    let alt = props.text("alt").unwrap_or_default();
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
            alt: &alt,
            attributes,
            no_zoom: props.flag("noZoom"),
            actions: Actions::of(props),
            span: props.span("src").unwrap_or(tag.span),
            ..Image::default()
        },
    )
}

fn heading(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    cx.break_search_text();
    let from = cx.search_text.len();
    let html = cx.inline_children(tag.children);
    let text = cx.search_text.get(from..).unwrap_or("").trim().to_owned();
    cx.break_search_text();
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

/// HTML attributes that components pass through, such as `className`, `id` and `style`.
pub(crate) fn html_attributes(cx: &mut Ctx<'_>, props: &Props, allowed: &[&str]) -> Html {
    let mut out = Html::new();
    for (name, value, span) in props.iter() {
        if allowed.contains(&name)
            && let Some(html) = names::attribute(name)
        {
            write_attribute(cx, &html, value, "div", span, &mut out);
        }
    }
    out
}

fn write_attributes(
    cx: &mut Ctx<'_>,
    props: &Props,
    element: &'static str,
    skipped: &[&str],
    out: &mut Html,
) {
    let mut seen: Vec<String> = Vec::new();
    // URLs come last, because the added attributes depend on the author's `target` and `rel`.
    let (addresses, others): (Vec<_>, Vec<_>) = props
        .iter()
        .take(200)
        .partition(|(name, _, _)| *name == "href");
    for (name, value, span) in others.into_iter().chain(addresses) {
        if skipped.contains(&name) {
            continue;
        }
        let Some(html) = names::attribute(name) else {
            continue;
        };
        if !seen.contains(&html) {
            write_attribute(cx, &html, value, element, span, out);
            seen.push(html);
        }
    }
}

fn write_attribute(
    cx: &mut Ctx<'_>,
    name: &str,
    value: &Value,
    element: &'static str,
    span: Span,
    out: &mut Html,
) {
    let text = match value {
        Value::Bool(false)
        | Value::Undefined
        | Value::Null
        | Value::Function(_)
        | Value::Component(_)
        | Value::Element(_)
        | Value::Array(_) => return,
        Value::Object(object) if name == "style" => {
            let mut css = String::new();
            for (key, value) in object.iter().take(100) {
                let value = match value {
                    Value::Number(n) if *n == 0.0 || style::is_unitless(key) => number(*n),
                    Value::Number(n) => format!("{}px", number(*n)),
                    Value::String(text) => text.to_string(),
                    _ => continue,
                };
                style::push(key, value.trim(), &mut css);
            }
            css
        }
        Value::Object(_) => return,
        Value::Bool(true) if name.starts_with("aria-") || name.starts_with("data-") => {
            "true".to_owned()
        }
        Value::Bool(true) => String::new(),
        Value::Number(n) => number(*n),
        Value::String(text) => cx.with_variables(text).into_owned(),
    };
    let text = if name == "style" {
        style::sanitize(&text)
    } else {
        text
    };
    if name == "style" && text.is_empty() {
        return;
    }
    if name == "name" && !names::may_have_name(element) {
        report_blocked(
            cx,
            name,
            element,
            span,
            "use `id` instead; this name would shadow a property of the document",
        );
        return;
    }
    if name == "id" && names::is_reserved_id(&text) {
        report_blocked(
            cx,
            name,
            element,
            span,
            "choose another id; scripts of the page use this name",
        );
        return;
    }
    if name == "id" {
        cx.ids.push(text.clone());
        cx.author_ids.insert(text.clone());
    }
    if element == "iframe" && matches!(name, "allow" | "sandbox") {
        let (allowed, removed) = embed::permissions(name, &text);
        if !removed.is_empty() {
            let message = format!("`{removed}` is not allowed in `{name}` of a frame");
            let hint = "remove it; frames must not use camera, microphone, location or payment, and must not navigate the page";
            cx.report(&BLOCKED_ATTRIBUTE, span, message, hint);
        }
        push(name, &allowed, out);
        return;
    }
    if names::URL_ATTRIBUTES.contains(&name) {
        write_url(cx, name, &text, element, span, out);
        return;
    }
    if name == "srcset" {
        let parts: Vec<String> = text
            .split(',')
            .filter_map(|part| {
                let (url, size) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
                let url = link::source(cx, url, span)?;
                Some(format!("{url} {size}").trim_end().to_owned())
            })
            .collect();
        out.attr("srcset", &parts.join(", "));
        return;
    }
    push(name, &text, out);
}

pub(super) fn write_url(
    cx: &mut Ctx<'_>,
    name: &str,
    text: &str,
    element: &'static str,
    span: Span,
    out: &mut Html,
) {
    if element == "a" {
        let target = link::target(cx, text, span);
        let chosen = out.as_str().contains(" target=") || out.as_str().contains(" rel=");
        match target {
            Some(LinkTarget {
                href,
                external: true,
            }) if !chosen => {
                link::link_attributes(
                    &LinkTarget {
                        href,
                        external: true,
                    },
                    out,
                );
            }
            Some(LinkTarget { href, .. }) => {
                out.attr("href", &href);
            }
            None => {}
        }
        return;
    }
    let resolved = match (element, name) {
        ("form", _) | (_, "cite") => link::target(cx, text, span).map(|target| target.href),
        // References in SVG: to this page or to a file of the site.
        ("use" | "linearGradient" | "radialGradient" | "pattern", _) => {
            let own = svc_data::browser_scheme(text).is_none() && !text.starts_with("//");
            own.then(|| text.to_owned())
        }
        ("iframe", "src") => link::frame_source(cx, &embed::embed_url(text), span),
        ("iframe" | "video" | "audio" | "source" | "track" | "img", _) => {
            link::source(cx, text, span)
        }
        (_, "xlink:href" | "href") => link::target(cx, text, span).map(|target| target.href),
        _ => link::source(cx, text, span),
    };
    if let Some(resolved) = resolved {
        push(name, &resolved, out);
    }
}

/// Appends an allowed attribute with an escaped value.
pub(super) fn push(name: &str, value: &str, out: &mut Html) {
    let mut text = String::with_capacity(name.len() + value.len() + 8);
    text.push(' ');
    text.push_str(name);
    text.push_str("=\"");
    crate::html::escape_into(value, &mut text);
    text.push('"');
    out.add(&Html::trusted(text));
}

/// Formats a number like JavaScript.
pub(crate) fn number(number: f64) -> String {
    if number == 0.0 {
        "0".to_owned()
    } else {
        format!("{number}")
    }
}
