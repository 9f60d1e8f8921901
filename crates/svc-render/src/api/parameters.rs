//! Parameters, bodies and responses as lists of fields.

use svc_openapi::{ApiDocument, Body, Budget, Direction, In, MediaType, Parameter, Response};

use super::{badges, described, schema, section};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};

/// One section per location, in the order of the request line.
pub(super) fn sections(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    parameters: &[Parameter],
    budget: &mut Budget,
) -> Html {
    let mut out = Html::new();
    for (location, title) in [
        (In::Path, cx.texts.path_parameters),
        (In::Query, cx.texts.query_parameters),
        (In::Header, cx.texts.headers),
        (In::Cookie, cx.texts.cookies),
    ] {
        let mut rows = Html::new();
        for parameter in parameters {
            if parameter.location == location && !parameter.ignored {
                rows.add(&row(cx, document, parameter, budget));
            }
        }
        out.add(&section(title, None, &rows));
    }
    out
}

fn row(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    parameter: &Parameter,
    budget: &mut Budget,
) -> Html {
    let node = parameter
        .schema
        .as_ref()
        .and_then(|place| document.node(place));
    let view = node
        .map(|node| svc_openapi::schema_view_within(document, node, Direction::Request, 6, budget))
        .unwrap_or_default();
    cx.say(&parameter.name);
    let own = parameter.description.as_deref();
    let mut body = described(cx, own.or(view.description.as_deref()));
    body.add(&schema::details(cx, &view));
    body.add(&schema::nested(cx, &view, &parameter.name, 0));
    let default = view.default.as_ref().map(schema::value_text);
    // The parameter speaks before its schema, which it may share with others.
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
            location: Some(parameter.location.word()),
            required: parameter.required,
            deprecated: parameter.deprecated,
            default: default.as_deref(),
            pre: &pre,
            post: &post,
            id: &parameter.name,
            body,
            ..Field::default()
        },
    )
}

/// The request body.
pub(super) fn body(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    body: Option<&Body>,
    direction: Direction,
    budget: &mut Budget,
) -> Html {
    let Some(body) = body else { return Html::new() };
    let mut inside = described(cx, body.description.as_deref());
    inside.add(&content(
        cx,
        document,
        &body.content,
        "body",
        direction,
        budget,
    ));
    let media = body.content.first().map(|media| media.name.as_str());
    section(
        if body.required {
            cx.texts.body
        } else {
            cx.texts.body_optional
        },
        media,
        &inside,
    )
}

/// The schema of the first media type; further ones are named.
fn content(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    media_types: &[MediaType],
    prefix: &str,
    direction: Direction,
    budget: &mut Budget,
) -> Html {
    let mut out = Html::new();
    let Some(first) = media_types.first() else {
        return out;
    };
    let node = first.schema.as_ref().and_then(|place| document.node(place));
    if let Some(node) = node {
        let view = svc_openapi::schema_view_within(document, node, direction, 10, budget);
        out.add(&schema::fields(cx, &view, prefix, 0));
    }
    if media_types.len() > 1 {
        out.lit("<p class=\"svc-api-also\">")
            .esc(cx.texts.also_as)
            .lit(" ");
        for (at, media) in media_types.iter().skip(1).enumerate() {
            out.lit(if at == 0 { "<code>" } else { ", <code>" })
                .esc(&media.name)
                .lit("</code>");
        }
        out.lit("</p>");
    }
    out
}

/// All responses, each one to fold; the first success is open.
pub(super) fn responses(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    responses: &[Response],
    budget: &mut Budget,
) -> Html {
    let open = responses
        .iter()
        .position(|response| response.status.starts_with('2'))
        .unwrap_or_default();
    let mut list = Html::new();
    for (at, response) in responses.iter().enumerate() {
        let mut inside = described(cx, response.description.as_deref());
        for header in &response.headers {
            let text = described(cx, header.description.as_deref());
            inside.add(&field(
                cx,
                &Field {
                    name: &header.name,
                    location: Some("header"),
                    required: header.required,
                    deprecated: header.deprecated,
                    id: &header.name,
                    body: text,
                    ..Field::default()
                },
            ));
        }
        inside.add(&content(
            cx,
            document,
            &response.content,
            "response",
            Direction::Response,
            budget,
        ));
        list.lit("<details class=\"svc-response\"")
            .flag("open", at == open)
            .lit("><summary>");
        list.lit("<span class=\"svc-status\"");
        list.attr("data-class", response.status.get(..1).unwrap_or_default())
            .lit(">");
        list.esc(&response.status).lit("</span>");
        if let Some(media) = response.content.first() {
            list.lit("<span class=\"svc-api-note\">")
                .esc(&media.name)
                .lit("</span>");
        }
        list.lit("</summary><div class=\"svc-response-body\">")
            .add(&inside)
            .lit("</div></details>");
    }
    section(cx.texts.responses, None, &list)
}
