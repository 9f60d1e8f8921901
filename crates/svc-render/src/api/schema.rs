//! Schemas as nested fields.

use serde_json::Value;
use svc_openapi::{PropertyView, SchemaLevel, SchemaPlace, SchemaView, VariantView};

use super::part::{Fold, fold};
use super::sheet::Sheet;
use super::{badges, described};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};

/// Where fields stand in the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    /// What their ids begin with; nothing in a part that is drawn on demand.
    pub(super) prefix: &'a str,
    /// Closed parts around them.
    pub(super) folds: usize,
}

impl Spot<'_> {
    /// The id of something called `name`.
    pub(super) fn id(self, name: &str) -> String {
        if self.prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{}-{name}", self.prefix)
        }
    }
}

/// The properties of an object, the items of an array, the alternatives: a schema at the top.
pub(super) fn fields(
    cx: &mut Ctx<'_>,
    sheet: &mut Sheet<'_>,
    (place, level): (&SchemaPlace, &SchemaLevel),
    spot: Spot<'_>,
) -> Html {
    let mut out = Html::new();
    let whole = &level.view;
    let mut view = whole;
    while let Some(items) = view.items.as_deref().filter(|_| view.properties.is_empty()) {
        if !items.has_children() {
            break;
        }
        out.lit("<p class=\"svc-api-also\">")
            .esc(cx.texts.array_of)
            .lit("</p>");
        view = items;
    }
    for property in &view.properties {
        out.add(&row(cx, sheet, property, spot));
    }
    for (at, item) in view.prefix_items.iter().enumerate() {
        let name = format!("[{at}]");
        out.add(&row(cx, sheet, &unnamed(name, item), spot));
    }
    if let Some(further) = view.additional.as_deref() {
        let name = "{key}".to_owned();
        out.add(&row(cx, sheet, &unnamed(name, further), spot));
    }
    for variants in std::iter::once(&view.variants).chain(&view.further_variants) {
        for one in variants {
            out.add(&variant(cx, sheet, view, one, spot));
        }
    }
    if let Some(next) = level.next {
        let title = cx.texts.show_all;
        let rest = Fold {
            title,
            name: None,
            place,
            from: next,
        };
        out.add(&fold(
            cx,
            sheet,
            &rest,
            Spot {
                folds: usize::MAX,
                ..spot
            },
        ));
    }
    if out.is_empty() && spot.folds == 0 && !whole.kind.is_empty() {
        out.add(&value(cx, whole, spot.prefix));
    }
    out
}

fn unnamed(name: String, schema: &SchemaView) -> PropertyView {
    PropertyView {
        name,
        required: false,
        deprecated: false,
        schema: schema.clone(),
    }
}

/// One alternative.
fn variant(
    cx: &mut Ctx<'_>,
    sheet: &mut Sheet<'_>,
    view: &SchemaView,
    variant: &VariantView,
    spot: Spot<'_>,
) -> Html {
    let schema = &variant.schema;
    let id = cx.unique_field_id(&spot.id(&slug(&variant.title)));
    let mut title = Html::text(&variant.title);
    if let Some(value) = &variant.discriminator_value {
        let property = view.discriminator.as_deref().unwrap_or_default();
        title
            .lit("<code>")
            .esc(property)
            .lit(": ")
            .esc(value)
            .lit("</code>");
    }
    let mut inside = described(cx, schema.description.as_deref());
    inside.add(&details(cx, schema));
    sheet.count(inside.as_str());
    let spot = Spot {
        prefix: &id,
        ..spot
    };
    super::part::variant(cx, sheet, (&title, inside), schema, spot)
}

/// A name as a part of an id.
fn slug(title: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let slug: String = title.chars().take(100).map(letter).collect();
    slug.trim_matches('-').to_lowercase()
}

/// A schema without properties, as one field.
pub(super) fn value(cx: &mut Ctx<'_>, view: &SchemaView, name: &str) -> Html {
    let name = if name.is_empty() { "value" } else { name };
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

fn row(cx: &mut Ctx<'_>, sheet: &mut Sheet<'_>, property: &PropertyView, spot: Spot<'_>) -> Html {
    let view = &property.schema;
    let id = cx.unique_field_id(&spot.id(&property.name));
    cx.say(&property.name);
    let mut body = described(cx, view.description.as_deref());
    body.add(&details(cx, view));
    let post = badges(cx, view, &view.badges, &view.post);
    let default = view.default.as_ref().map(value_text);
    let kind = view.type_text();
    let head = Field {
        name: &property.name,
        kind: Some(&kind),
        required: property.required,
        deprecated: property.deprecated || view.deprecated,
        default: default.as_deref(),
        pre: &view.pre,
        post: &post,
        id: &id,
        own_id: true,
        ..Field::default()
    };
    sheet.count_row(&body);
    body.add(&nested(
        cx,
        sheet,
        view,
        Spot {
            prefix: &id,
            ..spot
        },
    ));
    field(cx, &Field { body, ..head })
}

/// What is inside a field, folded.
pub(super) fn nested(
    cx: &mut Ctx<'_>,
    sheet: &mut Sheet<'_>,
    view: &SchemaView,
    spot: Spot<'_>,
) -> Html {
    if !view.truncated {
        return Html::new();
    }
    let inner = innermost(view);
    let title = if inner.variants.is_empty() {
        cx.texts.child_attributes
    } else {
        cx.texts.options
    };
    let name = inner.ref_name.as_deref();
    let place = &view.place;
    let inside = Fold {
        title,
        name,
        place,
        from: 0,
    };
    fold(cx, sheet, &inside, spot)
}

/// The items of the items of a list.
pub(super) fn innermost(view: &SchemaView) -> &SchemaView {
    let mut view = view;
    while let Some(items) = view.items.as_deref() {
        view = items;
    }
    view
}

/// Allowed values and limits.
pub(super) fn details(cx: &mut Ctx<'_>, view: &SchemaView) -> Html {
    let mut out = Html::new();
    if !view.enum_values.is_empty() {
        out.lit("<p class=\"svc-api-values\">")
            .esc(cx.texts.allowed)
            .lit(" ");
        for (at, value) in view.enum_values.iter().take(VALUES).enumerate() {
            let text = value_text(value);
            cx.say(&text);
            out.lit(if at == 0 { "<code>" } else { " <code>" })
                .esc(&text)
                .lit("</code>");
        }
        if view.enum_values.len() > VALUES {
            out.lit(" …");
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

/// Allowed values that are listed.
const VALUES: usize = 100;

/// A limit of a value, or something else as short: a word and what it is.
pub(super) fn limit(out: &mut Html, keyword: &str, value: &str) {
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
