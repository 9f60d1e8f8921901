//! `ParamField` and `Param`: a parameter of an endpoint.

use super::component::{Component, Element, MISSING_PROP, Spec};
use super::prop::props;
use crate::ctx::{Ctx, MdxField};
use crate::evaluate::Value;
use crate::html::Html;
use crate::ui::{Field, field};

props! { PROPS:
    PATH = prop("path", Text, "Name of a path parameter");
    QUERY = prop("query", Text, "Name of a query parameter");
    BODY = prop("body", Text, "Name of a body field");
    HEADER = prop("header", Text, "Name of a header");
    COOKIE = prop("cookie", Text, "Name of a cookie");
    NAME = prop("name", Text, "Name without a location");
    TYPE = prop("type", Text, "Type");
    REQUIRED = prop("required", Flag, "Required");
    OPTIONAL = prop("optional", Flag, "Optional");
    DEPRECATED = prop("deprecated", Flag, "Deprecated");
    DEFAULT = prop("default", Any, "Default value");
    PLACEHOLDER = prop("placeholder", Text, "Sample value");
    INITIAL_VALUE = prop("initialValue", Any, "Sample value");
    ENUM = prop("enum", List, "Allowed values");
    PRE = prop("pre", List, "Labels before the name");
    POST = prop("post", List, "Labels after the name");
}

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
    let located = [PATH, QUERY, BODY, HEADER, COOKIE]
        .into_iter()
        .find_map(|prop| element.text(prop).map(|name| (prop.name, name)));
    let (location, name) = match located {
        Some((location, name)) => (Some(location), name),
        None => (None, element.text(NAME).unwrap_or_default()),
    };
    if name.is_empty() {
        let message = format!("`{}` has no name", element.tag);
        let hint = "write `path=\"…\"`, `query=\"…\"`, `header=\"…\"`, `cookie=\"…\"`, `body=\"…\"` or `name=\"…\"`";
        cx.report(&MISSING_PROP, element.span, message, hint);
    }
    let values = element.texts(ENUM);
    let own = MdxField {
        location,
        name,
        example: json(element.value(PLACEHOLDER)),
        initial: json(element.value(INITIAL_VALUE)),
        values,
        ..MdxField::default()
    };
    documented_field(cx, element, own, "svc-param-field param-field")
}

/// Renders the row of a parameter or property. `own` contains its name and what its kind adds to the
/// attributes that both kinds share.
pub(super) fn documented_field(
    cx: &mut Ctx<'_>,
    element: &Element<'_>,
    own: MdxField,
    class: &'static str,
) -> Html {
    let (name, location, values) = (own.name.clone(), own.location, own.values.clone());
    let kind = element.text(TYPE);
    let default = plain(element.value(DEFAULT));
    let (required, deprecated) = (element.flag(REQUIRED), element.flag(DEPRECATED));
    cx.out.text.push_line(&name);
    let outer = cx.out.enter_field();
    let start = cx.out.text.len();
    let mut body = cx.children(element.children);
    cx.out.text.break_line();
    let documented = MdxField {
        kind: kind.clone(),
        required,
        deprecated,
        default: json(element.value(DEFAULT)),
        description: description(cx, start),
        ..own
    };
    cx.out.leave_field(outer, documented);
    allowed(cx, &values, &mut body);
    field(
        cx,
        &Field {
            name: &name,
            kind: kind.as_deref(),
            location,
            required,
            deprecated,
            default: default.as_deref(),
            pre: &element.texts(PRE),
            post: &element.texts(POST),
            id: &anchor(&name),
            class,
            body,
            ..Field::default()
        },
    )
}

/// The description of a field: the search text after the first `start` bytes, without the text of
/// nested fields.
fn description(cx: &Ctx<'_>, start: usize) -> String {
    let text = cx.out.text.since(start);
    let nested = cx.out.fields.first().map(|field| field.name.as_str());
    let own = nested.and_then(|name| text.split(&format!("\n{name}\n")).next());
    own.unwrap_or(text).chars().take(600).collect()
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
fn anchor(name: &str) -> String {
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
fn plain(value: Option<&Value>) -> Option<String> {
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
        for location in ["path", "query", "body", "header", "cookie"] {
            let html = page(&format!(
                "<ParamField {location}=\"a\" type=\"string[]\">x</ParamField>"
            ))
            .html;
            assert!(
                html.contains(&format!(">{location}</span>")) && html.contains("string[]</span>"),
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
