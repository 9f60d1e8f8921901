//! Parameters, bodies and responses as lists of fields.

use serde_json::{Map, Value, json};
use svc_openapi::request::{EncodeSet, Style, serialize};
use svc_openapi::{
    Body, Direction, Header, Kind, NamedExample, Parameter, ParameterLocation, Response,
    SchemaPath, SchemaView, written_examples,
};

use super::media::{content, one_schema};
use super::parts::{
    FieldListContext, badges, described, limit, limits_box, opens, section, value_text,
};
use super::schema_budget::SchemaBudget;
use super::{links, schema};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown::plain_text;
use crate::ui::{Field, field};

/// Renders one section per parameter location, in the order of the request line.
pub(super) fn sections(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    parameters: &[Parameter],
) -> Html {
    let mut out = Html::new();
    sheet.direction = Direction::Request;
    for (location, title, id) in [
        (
            ParameterLocation::Path,
            cx.texts.path_parameters,
            "path-parameters",
        ),
        (
            ParameterLocation::Query,
            cx.texts.query_parameters,
            "query-parameters",
        ),
        (ParameterLocation::Header, cx.texts.headers, "headers"),
        (ParameterLocation::Cookie, cx.texts.cookies, "cookies"),
    ] {
        let mut rows = Html::new();
        for parameter in parameters {
            if parameter.location == location && !parameter.ignored {
                rows.add(&row(cx, sheet, parameter));
            }
        }
        out.add(&section(cx, (title, id), None, &rows));
    }
    out
}

fn row(cx: &mut Ctx<'_>, sheet: &mut SchemaBudget<'_>, parameter: &Parameter) -> Html {
    let document = sheet.document;
    let schema_path = parameter.schema.as_ref();
    let view = schema_path.map(|schema_path| sheet.outline(&SchemaPath::from(schema_path.clone())));
    let view = view.unwrap_or_default();
    let id = cx.ids.unique_field(&parameter.name);
    cx.out.text.push_line(&parameter.name);
    let own = parameter.description.as_deref();
    let mut body = described(cx, own.or(view.description.as_deref()));
    let examples = written_examples(document, &parameter.source);
    let examples = if parameter.implied {
        Vec::new()
    } else {
        examples
    };
    body.add(&about_value(cx, &view, &examples));
    body.add(&serialization(cx, sheet, parameter, &view));
    sheet.count_row(&body);
    let spot = FieldListContext {
        prefix: &id,
        depth: 0,
    };
    body.add(&schema::nested(cx, sheet, &view, spot));
    let default = view.default.as_ref().map(value_text);
    // The parameter takes precedence over its schema, which several parameters can share.
    let either =
        |own: &[String], other: &[String]| if own.is_empty() { other } else { own }.to_vec();
    let source = document
        .node(&parameter.source)
        .filter(|_| !parameter.implied);
    let keys = source
        .map(|node| document.badges_of(node))
        .unwrap_or_default();
    let keys = either(&keys, &view.badges);
    let post = badges(cx, &view, &keys, &either(&parameter.post, &view.post));
    let pre = either(&parameter.pre, &view.pre);
    field(
        cx,
        &Field {
            name: &parameter.name,
            kind: Some(&view.type_text()),
            location: Some(parameter.location.as_str()),
            required: parameter.required,
            deprecated: parameter.deprecated || view.deprecated,
            default: default.as_deref(),
            pre: &pre,
            post: &post,
            id: &id,
            fixed_id: true,
            body,
            ..Field::default()
        },
    )
}

/// Limits of a parameter or header, with its own examples instead of those of its schema.
fn about_value(cx: &mut Ctx<'_>, view: &SchemaView, examples: &[NamedExample]) -> Html {
    if examples.is_empty() {
        return schema::details(cx, view);
    }
    let mut out = schema::rules(cx, view);
    let mut shown = Html::new();
    for example in examples {
        let name = Some(&example.name).filter(|name| !name.is_empty());
        let label = example.summary.as_ref().or(name);
        let label = label.map_or(cx.texts.example, String::as_str);
        schema::example_value(&mut shown, label, &example.value);
        if let Some(text) = &example.description {
            shown.add(&described(cx, Some(text)));
        }
    }
    out.add(&limits_box(shown));
    out
}

/// Describes how a value is serialized if that is not obvious: lists, objects, JSON in a query.
fn serialization(
    cx: &Ctx<'_>,
    sheet: &SchemaBudget<'_>,
    parameter: &Parameter,
    view: &SchemaView,
) -> Html {
    let mut out = Html::new();
    if let Some(media_type) = &parameter.media_type {
        limit(&mut out, cx.texts.playground.content_type, media_type);
        return limits_box(out);
    }
    let style = parameter.style.as_deref().and_then(Style::from_name);
    let style = style.unwrap_or(Style::default_of(parameter.location));
    let explode = parameter.explode.unwrap_or(style.explodes());
    let value = match view.base {
        Kind::Array => {
            let values = view.items.as_deref().map(|items| &*items.enum_values);
            let values = values.filter(|values| values.len() > 1).unwrap_or_default();
            match values {
                [first, second, ..] => json!([first, second]),
                _ => json!(["a", "b"]),
            }
        }
        Kind::Object => {
            let schema_path = parameter.schema.clone().map(SchemaPath::from);
            let names = schema_path
                .map(|schema_path| svc_openapi::property_names(sheet.document, &schema_path, 2));
            let names = names.filter(|names| !names.is_empty());
            let names = names.unwrap_or_else(|| vec!["key"]);
            let value = |name: &str| (name.to_owned(), Value::from("…"));
            Value::Object(names.into_iter().map(value).collect::<Map<_, _>>())
        }
        _ if matches!(style, Style::Matrix | Style::Label) => json!("…"),
        _ => {
            if parameter.allow_reserved {
                limit(&mut out, "allowReserved", "true");
            }
            return limits_box(out);
        }
    };
    let text = serialize(
        &parameter.name,
        &value,
        style,
        explode,
        EncodeSet::Unreserved,
    );
    // Shown decoded: readers expect brackets, not percent-encoding.
    let text = [("%5B", "["), ("%5D", "]"), ("%7C", "|"), ("%E2%80%A6", "…")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to));
    limit(&mut out, cx.texts.sent_as, &text);
    limits_box(out)
}

/// Renders the request body.
pub(super) fn body(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    body: Option<&Body>,
    prefix: &str,
) -> Html {
    let Some(body) = body else { return Html::new() };
    let description = body.description.as_deref();
    let mut inside = described(cx, description);
    let spot = (prefix, description.unwrap_or_default(), true);
    inside.add(&content(cx, sheet, &body.content, spot));
    let only = one_schema(sheet, &body.content);
    let title = if body.required {
        cx.texts.body
    } else {
        cx.texts.body_optional
    };
    section(cx, (title, prefix), only, &inside)
}

/// Renders all responses as collapsible sections; the first successful one is open.
pub(super) fn responses(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    responses: &[Response],
    prefix: &str,
) -> Html {
    sheet.direction = Direction::Response;
    let open = responses
        .iter()
        .position(|response| response.status.starts_with('2'))
        .unwrap_or_default();
    let mut list = Html::new();
    for (at, response) in responses.iter().enumerate() {
        let description = response.description.as_deref().unwrap_or_default();
        let text = described(cx, Some(description));
        let line = plain_text(&text);
        let is_line = line.chars().count() <= MAX_LINE && text.as_str().matches('<').count() <= 2;
        let mut inside = if is_line { Html::new() } else { text };
        for header in &response.headers {
            inside.add(&header_row(cx, sheet, header));
        }
        sheet.count(inside.as_str());
        let part = format!("{prefix}-{}", response.status);
        let prefix = if at == open { prefix } else { &part };
        let spot = (prefix, description, at == open);
        inside.add(&content(cx, sheet, &response.content, spot));
        inside.add(&links::list(cx, sheet, &response.links, prefix));
        let mut head = Html::literal("<span class=\"svc-status\"");
        head.attr("data-class", response.status.get(..1).unwrap_or_default())
            .lit(">")
            .esc(&response.status)
            .lit("</span> <span class=\"svc-response-text\">")
            .esc(if is_line { &line } else { "" })
            .lit("</span>");
        if let Some(name) = one_schema(sheet, &response.content) {
            head.lit(" <span class=\"svc-api-note\">")
                .esc(name)
                .lit("</span>");
        }
        if inside.is_blank() {
            list.lit("<div class=\"svc-response\"><div class=\"svc-response-head\">")
                .add(&head)
                .lit("</div></div>");
            continue;
        }
        list.lit("<details class=\"svc-response\"")
            .flag("open", at == open || opens(cx))
            .lit("><summary>")
            .add(&head)
            .lit("</summary><div class=\"svc-response-body\">")
            .add(&inside)
            .lit("</div></details>");
    }
    let id = if prefix == "response" {
        "responses"
    } else {
        prefix
    };
    section(cx, (cx.texts.responses, id), None, &list)
}

/// Maximum length in characters of a description next to a status.
const MAX_LINE: usize = 100;

fn header_row(cx: &mut Ctx<'_>, sheet: &mut SchemaBudget<'_>, header: &Header) -> Html {
    let schema_path = header.schema.clone().map(SchemaPath::from);
    let view = schema_path
        .map(|schema_path| sheet.outline(&schema_path))
        .unwrap_or_default();
    let id = cx.ids.unique_field(&header.name);
    cx.out.text.push_line(&header.name);
    let own = header.description.as_deref();
    let mut body = described(cx, own.or(view.description.as_deref()));
    let examples = written_examples(sheet.document, &header.source);
    body.add(&about_value(cx, &view, &examples));
    let spot = FieldListContext {
        prefix: &id,
        depth: 0,
    };
    body.add(&schema::nested(cx, sheet, &view, spot));
    let default = view.default.as_ref().map(value_text);
    let kind = view.type_text();
    let row = Field {
        name: &header.name,
        kind: Some(&kind)
            .filter(|_| header.schema.is_some())
            .map(String::as_str),
        location: Some("header"),
        required: header.required,
        deprecated: header.deprecated || view.deprecated,
        default: default.as_deref(),
        id: &id,
        fixed_id: true,
        body,
        ..Field::default()
    };
    field(cx, &row)
}
