//! Schemas as nested fields.

use serde_json::Value;
use svc_openapi::{PropertyView, SchemaView};

use super::{badges, described};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::language::around;
use crate::ui::{Field, field};

/// Levels of fields inside each other; views are bounded, this bounds the page.
const MAX_LEVELS: usize = 10;

/// The properties of an object, the items of an array, the alternatives: a schema at the top.
pub(super) fn fields(cx: &mut Ctx<'_>, view: &SchemaView, prefix: &str, level: usize) -> Html {
    let mut out = Html::new();
    if level > MAX_LEVELS {
        return out;
    }
    if let Some(items) = view.items.as_deref().filter(|_| view.properties.is_empty()) {
        if items.has_children() {
            out.lit("<p class=\"svc-api-also\">")
                .esc(cx.texts.array_of)
                .lit("</p>");
            out.add(&fields(cx, items, prefix, level + 1));
        } else if level == 0 {
            out.add(&value(cx, view, prefix));
        }
        return out;
    }
    for property in &view.properties {
        out.add(&row(cx, property, prefix, level));
    }
    if let Some(further) = view.additional.as_deref() {
        let property = PropertyView {
            name: "{key}".to_owned(),
            required: false,
            deprecated: false,
            schema: further.clone(),
        };
        out.add(&row(cx, &property, prefix, level));
    }
    for variants in std::iter::once(&view.variants).chain(&view.further_variants) {
        for variant in variants {
            let mut inside = described(cx, variant.schema.description.as_deref());
            inside.add(&fields(cx, &variant.schema, prefix, level + 1));
            if inside.is_blank() {
                inside
                    .lit("<p class=\"svc-field-type\">")
                    .esc(&variant.schema.type_text());
                inside.lit("</p>");
            }
            out.lit("<details class=\"svc-variant\"><summary>")
                .esc(&variant.title);
            if let Some(value) = &variant.discriminator_value {
                let property = view.discriminator.as_deref().unwrap_or_default();
                out.lit("<code>")
                    .esc(property)
                    .lit(": ")
                    .esc(value)
                    .lit("</code>");
            }
            out.lit("</summary>").add(&inside).lit("</details>");
        }
    }
    let nothing = view.properties.is_empty() && view.variants.is_empty() && level == 0;
    if nothing && view.additional.is_none() && !view.kind.is_empty() {
        out.add(&value(cx, view, prefix));
    }
    out
}

/// A schema without properties, as one field.
fn value(cx: &mut Ctx<'_>, view: &SchemaView, name: &str) -> Html {
    let mut body = described(cx, view.description.as_deref());
    body.add(&details(cx, view));
    let kind = view.type_text();
    field(
        cx,
        &Field {
            name,
            kind: Some(&kind),
            id: name,
            body,
            ..Field::default()
        },
    )
}

fn row(cx: &mut Ctx<'_>, property: &PropertyView, prefix: &str, level: usize) -> Html {
    let view = &property.schema;
    let path = format!("{prefix}-{}", property.name);
    cx.say(&property.name);
    let mut body = described(cx, view.description.as_deref());
    body.add(&details(cx, view));
    body.add(&nested(cx, view, &path, level));
    let post = badges(cx, view, &view.badges, &view.post);
    let default = view.default.as_ref().map(value_text);
    field(
        cx,
        &Field {
            name: &property.name,
            kind: Some(&view.type_text()),
            required: property.required,
            deprecated: property.deprecated || view.deprecated,
            default: default.as_deref(),
            pre: &view.pre,
            post: &post,
            id: &path,
            body,
            ..Field::default()
        },
    )
}

/// What is inside a field, folded.
pub(super) fn nested(cx: &mut Ctx<'_>, view: &SchemaView, path: &str, level: usize) -> Html {
    let mut out = Html::new();
    if let Some(name) = &view.recursive {
        let (before, behind) = around(cx.texts.same_as);
        out.lit("<p class=\"svc-api-also\">")
            .esc(before)
            .lit("<code>")
            .esc(name)
            .lit("</code>")
            .esc(behind)
            .lit("</p>");
        return out;
    }
    if !view.has_children() {
        return out;
    }
    let inside = fields(cx, view, path, level + 1);
    if inside.is_blank() {
        return out;
    }
    let title = if view.variants.is_empty() {
        cx.texts.child_attributes
    } else {
        cx.texts.options
    };
    out.lit("<details class=\"svc-api-nested expandable\"><summary>")
        .esc(title);
    out.lit("</summary>").add(&inside).lit("</details>");
    out
}

/// Allowed values and limits.
pub(super) fn details(cx: &mut Ctx<'_>, view: &SchemaView) -> Html {
    let mut out = Html::new();
    if !view.enum_values.is_empty() {
        out.lit("<p class=\"svc-api-values\">")
            .esc(cx.texts.allowed)
            .lit(" ");
        for (at, value) in view.enum_values.iter().take(100).enumerate() {
            let text = value_text(value);
            cx.say(&text);
            out.lit(if at == 0 { "<code>" } else { " <code>" })
                .esc(&text)
                .lit("</code>");
        }
        out.lit("</p>");
    }
    if let Some(format) = &view.format {
        limit(&mut out, "format", format);
    }
    for constraint in &view.constraints {
        limit(&mut out, constraint.keyword, &constraint.value);
    }
    if let Some(example) = view.example.as_ref().filter(|value| !value.is_object()) {
        limit(&mut out, cx.texts.example, &value_text(example));
    }
    if out.is_empty() {
        return out;
    }
    let mut list = Html::literal("<div class=\"svc-api-limits\">");
    list.add(&out).lit("</div>");
    list
}

fn limit(out: &mut Html, keyword: &str, value: &str) {
    out.lit("<span>")
        .esc(keyword)
        .lit(" <code>")
        .esc(value)
        .lit("</code></span>");
}

/// A value as people write it: strings without quotes.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
