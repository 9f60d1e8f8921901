//! `ParamField` and `Param`: a parameter of an endpoint.

use super::component::MISSING_PROP;
use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::{Ctx, MdxField};
use crate::evaluate::Value;
use crate::html::Html;
use crate::ui::{Field, field};

const PROPS: &[Prop] = &[
    prop("path", PropKind::Text, "Name of a path parameter"),
    prop("query", PropKind::Text, "Name of a query parameter"),
    prop("body", PropKind::Text, "Name of a body field"),
    prop("header", PropKind::Text, "Name of a header"),
    prop("cookie", PropKind::Text, "Name of a cookie"),
    prop("name", PropKind::Text, "Name without a location"),
    prop("type", PropKind::Text, "Type"),
    prop("required", PropKind::Flag, "Required"),
    prop("optional", PropKind::Flag, "Optional"),
    prop("deprecated", PropKind::Flag, "Deprecated"),
    prop("default", PropKind::Any, "Default value"),
    prop("placeholder", PropKind::Text, "Sample value"),
    prop("initialValue", PropKind::Any, "Sample value"),
    prop("enum", PropKind::List, "Allowed values"),
    prop("pre", PropKind::List, "Labels before the name"),
    prop("post", PropKind::List, "Labels after the name"),
];

pub(super) static PARAM_FIELD: Component = Component {
    name: "param_field",
    tags: &[
        Spec {
            tag: "ParamField",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Param",
            props: PROPS,
            render,
        },
    ],
    css: "",
    js: None,
    docs: include_str!("param_field.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let locations = ["path", "query", "body", "header", "cookie"];
    let located = locations
        .iter()
        .find_map(|location| element.text(location).map(|name| (*location, name)));
    let (location, name) = match located {
        Some((location, name)) => (Some(location), name),
        None => (None, element.text("name").unwrap_or_default()),
    };
    if name.is_empty() {
        let message = format!("`{}` has no name", element.tag);
        let hint = "write `path=\"…\"`, `query=\"…\"`, `header=\"…\"`, `cookie=\"…\"`, `body=\"…\"` or `name=\"…\"`";
        cx.report(&MISSING_PROP, element.span, message, hint);
    }
    let kind = element.text("type");
    let default = plain(element.props.get("default"));
    cx.out.text.push_line(&name);
    let outer = cx.out.enter_field();
    let start = cx.out.text.len();
    let mut body = cx.children(element.children);
    cx.out.text.break_line();
    let manual = MdxField {
        location,
        values: element.props.texts("enum"),
        example: json(element.props.get("placeholder")),
        initial: json(element.props.get("initialValue")),
        ..mdx_field(cx, element, &name, start)
    };
    cx.out.leave_field(outer, manual);
    allowed(cx, &element.props.texts("enum"), &mut body);
    field(
        cx,
        &Field {
            name: &name,
            kind: kind.as_deref(),
            location,
            required: element.props.flag("required"),
            deprecated: element.props.flag("deprecated"),
            default: default.as_deref(),
            pre: &element.props.texts("pre"),
            post: &element.props.texts("post"),
            id: &anchor(&name),
            class: "svc-param-field param-field",
            body,
            ..Field::default()
        },
    )
}

/// Attributes that all kinds of fields share. `start` is the offset of the field's description in
/// the search text.
pub(in crate::components) fn mdx_field(
    cx: &Ctx<'_>,
    element: &Element<'_>,
    name: &str,
    start: usize,
) -> MdxField {
    // The text of nested fields is not part of the description.
    let text = cx.out.text.since(start);
    let first = cx.out.fields.first().map(|field| field.name.as_str());
    let own = first.and_then(|first| text.split(&format!("\n{first}\n")).next());
    MdxField {
        name: name.to_owned(),
        kind: element.text("type"),
        required: element.props.flag("required"),
        deprecated: element.props.flag("deprecated"),
        default: json(element.props.get("default")),
        description: own.unwrap_or(text).chars().take(600).collect(),
        ..MdxField::default()
    }
}

/// A value as JSON.
fn json(value: Option<&Value>) -> Option<serde_json::Value> {
    serde_json::from_str(&value?.to_json("")?).ok()
}

/// Adds the allowed values of a field.
fn allowed(cx: &mut Ctx<'_>, values: &[String], body: &mut Html) {
    if values.is_empty() {
        return;
    }
    body.lit("<p class=\"svc-api-values\">")
        .esc(cx.texts.allowed);
    for value in values {
        cx.out.text.push_line(value);
        body.lit(" <code>").esc(value).lit("</code>");
    }
    body.lit("</p>");
}

/// The anchor of a field: `param-` and the name in kebab case, as in `param-user-id` for `userId`.
pub(in crate::components) fn anchor(name: &str) -> String {
    let mut out = String::from("param-");
    let mut lower = false;
    for letter in name.chars() {
        if letter.is_uppercase() && lower {
            out.push('-');
        }
        lower = letter.is_lowercase() || letter.is_ascii_digit();
        if letter.is_alphanumeric() {
            out.extend(letter.to_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// A default value as text.
pub(in crate::components) fn plain(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.to_string()),
        Value::Number(number) => Some(format!("{number}")),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null => Some("null".to_owned()),
        Value::Array(items) => {
            let items: Vec<String> = items
                .iter()
                .take(20)
                .filter_map(|i| plain(Some(i)))
                .collect();
            Some(format!("[{}]", items.join(", ")))
        }
        Value::Object(object) => {
            let entries: Vec<String> = object
                .iter()
                .take(20)
                .filter_map(|(key, value)| Some(format!("{key}: {}", plain(Some(value))?)))
                .collect();
            Some(format!("{{ {} }}", entries.join(", ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn the_location_of_a_parameter_is_shown() {
        for place in ["path", "query", "body", "header", "cookie"] {
            let html = page(&format!(
                "<ParamField {place}=\"a\" type=\"string[]\">x</ParamField>"
            ))
            .html;
            assert!(
                html.contains(&format!(">{place}</span>")) && html.contains("string[]</span>"),
                "{html}"
            );
        }
    }

    #[test]
    fn labels_values_and_defaults_of_every_kind_are_shown() {
        let html = page("<ParamField body=\"a\" pre={[\"x1\"]} post={[\"y1\"]} deprecated enum={[\"on\", \"off\"]} default={{ a: 1, b: [true, null], c: { d: \"e\" } }} />").html;
        for part in [
            "x1</span>",
            "y1</span>",
            "deprecated</span>",
            "<code>on</code> <code>off</code>",
            "{ a: 1, b: [true, null], c: { d: e } }",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let html = page("<ResponseField name=\"a\" type=\"x\" pre={[\"p\"]} post={[\"q\"]} default={0} required=\"false\" />").html;
        assert!(
            html.contains("p</span>")
                && html.contains("q</span>")
                && html.contains("<code>0</code>"),
            "{html}"
        );
        assert!(!html.contains("required"), "{html}");
    }
}
