//! Elements of islands, written without additions so that the browser can hydrate them.

use serde_json::{Map, Value as Json};
use svc_diagnostics::Span;

use super::attributes::{number, push, write_url};
use super::html_element::blocked_element;
use super::names;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::style;

/// The allowed spelling of an element; `None` if it is not allowed in pages.
pub(crate) fn island_element(cx: &mut Ctx<'_>, tag: &str) -> Option<&'static str> {
    let known_name = names::ELEMENTS.get(tag);
    let known_name = known_name.or((tag == "style").then_some("style"));
    if known_name.is_none() {
        blocked_element(cx, tag, Span::default(), "it is removed");
    }
    known_name
}

/// Whether an element is void.
pub(crate) fn is_void(name: &str) -> bool {
    names::VOID.contains(&name)
}

/// Attributes with `true` and `false` as values.
fn is_enumerated(name: &str) -> bool {
    name.starts_with("aria-")
        || name.starts_with("data-")
        || matches!(name, "contenteditable" | "draggable" | "spellcheck")
}

/// Writes the attributes of an element.
pub(crate) fn island_attributes(
    cx: &mut Ctx<'_>,
    element: &'static str,
    props: &Map<String, Json>,
    out: &mut Html,
) {
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in props.iter().take(200) {
        let Some(html) = attribute(name) else {
            continue;
        };
        let text = match value {
            Json::Object(entries) if html == "style" => declarations(entries),
            Json::Bool(flag) if is_enumerated(&html) => flag.to_string(),
            Json::Bool(true) => String::new(),
            Json::Number(amount) => number(amount.as_f64().unwrap_or(0.0)),
            Json::String(text) => text.clone(),
            Json::Null | Json::Bool(false) | Json::Array(_) | Json::Object(_) => continue,
        };
        if seen.contains(&html) {
            continue;
        }
        let hides = (html == "name" && !names::may_have_name(element))
            || (html == "id" && names::is_reserved_id(&text));
        if hides {
            continue;
        }
        if names::URL_ATTRIBUTES.contains(&html.as_str()) {
            write_url(cx, &html, &text, element, Span::default(), out);
        } else {
            push(&html, &text, out);
        }
        seen.push(html);
    }
}

/// The HTML spelling of an attribute; `None` for event handlers, which run only in the browser.
fn attribute(name: &str) -> Option<String> {
    if let Some(known) = names::attribute(name) {
        return Some(known);
    }
    let lower = name.to_ascii_lowercase();
    let plain = !lower.is_empty() && lower.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let closed =
        lower.starts_with("on") || matches!(lower.as_str(), "srcdoc" | "formaction" | "is");
    (plain && !closed && !lower.starts_with("data-")).then_some(lower)
}

/// Formats a style object as declarations. They are not restricted, because the component is
/// trusted code.
fn declarations(entries: &Map<String, Json>) -> String {
    let mut out = String::new();
    for (name, value) in entries {
        let text = match value {
            Json::Number(amount) => {
                let amount = amount.as_f64().unwrap_or(0.0);
                if amount == 0.0 || style::is_unitless(name) {
                    number(amount)
                } else {
                    format!("{}px", number(amount))
                }
            }
            Json::String(text) if !text.is_empty() => text.clone(),
            _ => continue,
        };
        let name = style::hyphenated(name);
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !name.chars().all(plain) || text.contains([';', '{', '}']) {
            continue;
        }
        if !out.is_empty() {
            out.push(';');
        }
        out.push_str(&name);
        out.push(':');
        out.push_str(text.trim());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_have_html_spelling_and_handlers_are_removed() {
        for (name, html) in [
            ("className", Some("class")),
            ("contentEditable", Some("contenteditable")),
            ("autoCapitalize", Some("autocapitalize")),
            ("strokeWidth", Some("stroke-width")),
            ("onClick", None),
            ("onclick", None),
            ("srcDoc", None),
            ("data-svc-copy", None),
            ("a b", None),
            ("a\"b", None),
        ] {
            assert_eq!(attribute(name).as_deref(), html, "{name}");
        }
    }

    #[test]
    fn a_style_object_becomes_declarations() {
        let entries = serde_json::json!({
            "marginTop": 4, "lineHeight": 1.5, "--x": 2, "color": "red; x: y", "WebkitMask": "none",
            "background": "url(/a.png)"
        });
        let Json::Object(entries) = entries else {
            panic!("an object");
        };
        assert_eq!(
            declarations(&entries),
            "margin-top:4px;line-height:1.5;--x:2;-webkit-mask:none;background:url(/a.png)"
        );
    }
}
