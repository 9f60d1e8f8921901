//! Parameters, bodies and responses as lists of fields.

use svc_openapi::{Body, Direction, In, MediaType, Parameter, Response, SchemaPlace};

use super::schema::Spot;
use super::sheet::Sheet;
use super::{badges, described, links, schema, section};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};

/// One section per location, in the order of the request line.
pub(super) fn sections(cx: &mut Ctx<'_>, sheet: &mut Sheet<'_>, parameters: &[Parameter]) -> Html {
    let mut out = Html::new();
    sheet.direction = Direction::Request;
    for (location, title) in [
        (In::Path, cx.texts.path_parameters),
        (In::Query, cx.texts.query_parameters),
        (In::Header, cx.texts.headers),
        (In::Cookie, cx.texts.cookies),
    ] {
        let mut rows = Html::new();
        for parameter in parameters {
            if parameter.location == location && !parameter.ignored {
                rows.add(&row(cx, sheet, parameter));
            }
        }
        out.add(&section(title, None, &rows));
    }
    out
}

fn row(cx: &mut Ctx<'_>, sheet: &mut Sheet<'_>, parameter: &Parameter) -> Html {
    let document = sheet.document;
    let place = parameter.schema.as_ref();
    let view = place.map(|place| sheet.outline(&SchemaPlace::from(place.clone())));
    let view = view.unwrap_or_default();
    let id = cx.unique_field_id(&parameter.name);
    cx.say(&parameter.name);
    let own = parameter.description.as_deref();
    let mut body = described(cx, own.or(view.description.as_deref()));
    body.add(&schema::details(cx, &view));
    sheet.count_row(&body);
    let spot = Spot {
        prefix: &id,
        folds: 0,
    };
    body.add(&schema::nested(cx, sheet, &view, spot));
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
            id: &id,
            own_id: true,
            body,
            ..Field::default()
        },
    )
}

/// The request body.
pub(super) fn body(
    cx: &mut Ctx<'_>,
    sheet: &mut Sheet<'_>,
    body: Option<&Body>,
    prefix: &str,
) -> Html {
    let Some(body) = body else { return Html::new() };
    let mut inside = described(cx, body.description.as_deref());
    inside.add(&content(cx, sheet, &body.content, prefix, true));
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
    sheet: &mut Sheet<'_>,
    media_types: &[MediaType],
    prefix: &str,
    open: bool,
) -> Html {
    let mut out = Html::new();
    let Some(first) = media_types.first() else {
        return out;
    };
    if let Some(place) = &first.schema {
        let place = SchemaPlace::from(place.clone());
        let spot = Spot { prefix, folds: 0 };
        out.add(&top(cx, sheet, &place, spot, open));
    }
    for media in media_types {
        out.add(&links::examples(cx, sheet, &media.external_examples));
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

/// The schema of a body: its first level, or a link to it where it is closed and the page is full.
pub(super) fn top(
    cx: &mut Ctx<'_>,
    sheet: &mut Sheet<'_>,
    place: &SchemaPlace,
    spot: Spot<'_>,
    open: bool,
) -> Html {
    if !open && !sheet.has_room() {
        let outline = sheet.outline(place);
        return if outline.truncated {
            schema::nested(cx, sheet, &outline, spot)
        } else {
            schema::value(cx, &outline, spot.prefix)
        };
    }
    let Some(level) = sheet.level(place, 0) else {
        return Html::new();
    };
    let depth = sheet.around.len();
    let name = schema::innermost(&level.view).ref_name.clone();
    sheet.around.extend(name);
    let out = schema::fields(cx, sheet, (place, &level), spot);
    sheet.around.truncate(depth);
    out
}

/// All responses, each one to fold; the first success is open.
pub(super) fn responses(
    cx: &mut Ctx<'_>,
    sheet: &mut Sheet<'_>,
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
        sheet.count(inside.as_str());
        let own = format!("{prefix}-{}", response.status);
        let prefix = if at == open { prefix } else { &own };
        inside.add(&content(cx, sheet, &response.content, prefix, at == open));
        inside.add(&links::list(cx, sheet, &response.links, prefix));
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
