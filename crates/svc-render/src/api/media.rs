//! Media types of a body: one schema, or a selection of several.

use svc_data::Node;
use svc_openapi::{MediaType, SchemaPath};

use super::links;
use super::parts::{FieldListContext, limit, limits_box, slug};
use super::schema::top;
use super::schema_budget::SchemaBudget;
use crate::ctx::{Ctx, Panel};
use crate::html::Html;
use crate::ui::{PanelOptions, panels};

/// Maximum number of media types for tabs; above it, a select box is used.
const MAX_TABS: usize = 3;
/// Maximum number of media types per body.
const MAX_MEDIA_TYPES: usize = 50;

/// Media types with the same schema.
struct Group<'m> {
    first: &'m MediaType,
    names: Vec<&'m str>,
}

/// Renders the schemas of a body's media types, grouped by equal schemas. `rendered_description` is
/// the description that the caller has rendered already.
pub(super) fn content(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    media_types: &[MediaType],
    (prefix, rendered_description, open): (&str, &str, bool),
) -> Html {
    let groups = groups(sheet, media_types);
    let mut shown = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let id = format!("{prefix}-{}", slug(&group.first.name));
        let prefix = if at == 0 { prefix } else { &id };
        let body = one(
            cx,
            sheet,
            group.first,
            (prefix, rendered_description, open && at == 0),
        );
        shown.push(Panel {
            title: group.names.join(", "),
            body,
            ..Panel::default()
        });
    }
    let mut out = Html::new();
    if let [only] = shown.as_slice() {
        out.add(&only.body);
        also(cx, media_types, &mut out);
    } else {
        let look = PanelOptions {
            class: "svc-api-media",
            label: cx.texts.playground.content_type,
            dropdown: shown.len() > MAX_TABS,
            sync: true,
            ..PanelOptions::default()
        };
        out.add(&panels(cx, &shown, look));
    }
    for media in media_types {
        out.add(&links::examples(cx, sheet, &media.external_examples));
    }
    out
}

/// The first media type of a body if all its media types have the same schema.
pub(super) fn one_schema<'m>(
    sheet: &SchemaBudget<'_>,
    media_types: &'m [MediaType],
) -> Option<&'m str> {
    match groups(sheet, media_types).as_slice() {
        [only] => only.names.first().copied(),
        _ => None,
    }
}

/// Lists further media types with the same schema.
fn also(cx: &Ctx<'_>, media_types: &[MediaType], out: &mut Html) {
    for (at, media) in media_types.iter().skip(1).enumerate() {
        if at == 0 {
            out.lit("<p class=\"svc-api-also\">").esc(cx.texts.also_as);
        }
        out.lit(if at == 0 { " <code>" } else { ", <code>" })
            .esc(&media.name)
            .lit("</code>");
    }
    if media_types.len() > 1 {
        out.lit("</p>");
    }
}

fn groups<'m>(sheet: &SchemaBudget<'_>, media_types: &'m [MediaType]) -> Vec<Group<'m>> {
    let document = sheet.document;
    let schema = |media: &MediaType| -> Option<&Node> {
        Some(document.resolve(document.node(media.schema.as_ref()?)?))
    };
    let mut groups: Vec<Group<'m>> = Vec::new();
    for media in media_types.iter().take(MAX_MEDIA_TYPES) {
        let own = schema(media);
        let same = groups.iter_mut().find(|group| {
            let fits = match (schema(group.first), own) {
                (Some(a), Some(b)) => std::ptr::eq(a, b) || a.value == b.value,
                (None, None) => kind(group.first) == kind(media),
                _ => false,
            };
            fits && group.first.encodings == media.encodings
        });
        match same {
            Some(group) => group.names.push(&media.name),
            None => groups.push(Group {
                first: media,
                names: vec![&media.name],
            }),
        }
    }
    groups
}

/// The type label of a body without a schema.
fn kind(media: &MediaType) -> &'static str {
    let name = media.name.to_ascii_lowercase();
    let is_text = ["multipart/", "application/x-www-form-urlencoded", "text/"];
    if media.is_json() || is_text.iter().any(|start| name.starts_with(start)) {
        "any"
    } else {
        "file"
    }
}

fn one(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    media: &MediaType,
    (prefix, rendered_description, open): (&str, &str, bool),
) -> Html {
    let mut out = Html::new();
    match &media.schema {
        Some(path) => {
            let path = SchemaPath::from(path.clone());
            let spot = FieldListContext { prefix, depth: 0 };
            out.add(&top(cx, sheet, &path, spot, (rendered_description, open)));
        }
        None => {
            out.lit("<p class=\"svc-api-also\"><span class=\"svc-field-type\">")
                .esc(kind(media))
                .lit("</span></p>");
        }
    }
    let mut parts = Html::new();
    for (name, encoding) in &media.encodings {
        if let Some(kind) = &encoding.content_type {
            limit(&mut parts, name, kind);
        }
    }
    out.add(&limits_box(parts));
    out
}
