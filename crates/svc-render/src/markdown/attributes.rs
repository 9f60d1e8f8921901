//! Attributes of HTML elements: an allowlist, with URLs resolved.

use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code};

use super::link::{self, LinkTarget};
use super::{embed, names};
use crate::article::tag::Props;
use crate::ctx::Ctx;
use crate::evaluate::Value;
use crate::html::Html;
use crate::style;

/// An HTML attribute that is not allowed in pages, or not with this value.
pub(crate) static BLOCKED_ATTRIBUTE: DiagnosticCode = diagnostic_code!(
    warning,
    "html-attribute-blocked",
    "an attribute of an HTML element is not allowed in pages"
);

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

pub(super) fn write_attributes(
    cx: &mut Ctx<'_>,
    props: &Props,
    element: &'static str,
    skipped: &[&str],
    out: &mut Html,
) {
    let mut seen: Vec<String> = Vec::new();
    // URLs come last, because the added attributes depend on the author's `target` and `rel`.
    let (urls, others): (Vec<_>, Vec<_>) = props
        .iter()
        .take(200)
        .partition(|(name, _, _)| *name == "href");
    for (name, value, span) in others.into_iter().chain(urls) {
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
        Value::String(text) => cx.variables.expand(text).into_owned(),
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
        cx.ids.add_author(&text);
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

fn report_blocked(cx: &mut Ctx<'_>, name: &str, element: &str, span: Span, hint: &str) {
    let message = format!("attribute `{name}` of `<{element}>` is not allowed");
    cx.report(&BLOCKED_ATTRIBUTE, span, message, hint);
}
