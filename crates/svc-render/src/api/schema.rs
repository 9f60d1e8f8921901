//! Schemas as nested fields.

use serde_json::Value;
use svc_openapi::{PropertyView, SchemaLevel, SchemaPath, SchemaView, VariantView};

use super::collapsible::{Collapsible, CollapsibleKind, collapsible, variant_section};
use super::parts::{
    FieldListContext, badges, described, innermost, limit, limits_box, slug, value_text,
};
use super::schema_budget::SchemaBudget;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{Field, field};

/// Renders the schema of a body: its first level, or a link if it is collapsed and the budget is
/// used up.
pub(super) fn top(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    path: &SchemaPath,
    spot: FieldListContext<'_>,
    (rendered_description, open): (&str, bool),
) -> Html {
    if !open && !sheet.can_inline() {
        let outline = sheet.outline(path);
        if !outline.truncated {
            return value(cx, &outline, spot.prefix);
        }
        let mut out = about(cx, &outline, rendered_description);
        out.add(&nested(cx, sheet, &outline, spot));
        return out;
    }
    let Some(level) = sheet.level(path, 0) else {
        return Html::new();
    };
    let depth = sheet.ancestors.len();
    let name = innermost(&level.view).ref_name.clone();
    let mut out = Html::new();
    if level.view.has_children() || level.next.is_some() {
        out.add(&about(cx, &level.view, rendered_description));
        sheet.count(out.as_str());
    }
    sheet.ancestors.extend(name);
    out.add(&sheet.fields(cx, (path, &level), spot));
    sheet.ancestors.truncate(depth);
    out
}

impl SchemaBudget<'_> {
    /// Renders a schema at the top level: the properties of an object, the items of an array, or
    /// the alternatives. Collapsible sections call it for their content.
    pub(super) fn fields(
        &mut self,
        cx: &mut Ctx<'_>,
        (path, level): (&SchemaPath, &SchemaLevel),
        spot: FieldListContext<'_>,
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
            out.add(&row(cx, self, property, spot));
        }
        for (at, item) in view.prefix_items.iter().enumerate() {
            let name = format!("[{at}]");
            out.add(&row(cx, self, &unnamed(name, item), spot));
        }
        for pattern in &view.patterns {
            out.add(&row_in(cx, self, pattern, (Some("pattern"), spot)));
        }
        if let Some(further) = view.additional.as_deref() {
            let name = "{key}".to_owned();
            out.add(&row(cx, self, &unnamed(name, further), spot));
        }
        for variants in std::iter::once(&view.variants).chain(&view.further_variants) {
            for entry in variants {
                out.add(&variant(cx, self, view, entry, spot));
            }
        }
        if let Some(next) = level.next {
            let rest = Collapsible {
                kind: CollapsibleKind::Further,
                name: None,
                schema: path,
                from: next,
            };
            out.add(&collapsible(
                cx,
                self,
                &rest,
                FieldListContext {
                    depth: usize::MAX,
                    ..spot
                },
            ));
        }
        if out.is_empty() && spot.depth == 0 && !whole.kind.is_empty() {
            out.add(&value(cx, whole, spot.prefix));
        }
        out
    }
}

fn unnamed(name: String, schema: &SchemaView) -> PropertyView {
    PropertyView {
        name,
        required: false,
        deprecated: false,
        schema: schema.clone(),
    }
}

/// Renders one alternative.
fn variant(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    view: &SchemaView,
    variant: &VariantView,
    spot: FieldListContext<'_>,
) -> Html {
    let schema = &variant.schema;
    let id = cx.ids.unique_field(&spot.id(&slug(&variant.title)));
    let mut title = Html::text(&variant.title);
    if let Some(value) = &variant.discriminator_value {
        let property = view.discriminator.as_deref().unwrap_or_default();
        title
            .lit(" <code>")
            .esc(property)
            .lit(": ")
            .esc(value)
            .lit("</code>");
    }
    let mut inside = described(cx, schema.description.as_deref());
    inside.add(&details(cx, schema));
    sheet.count(inside.as_str());
    let spot = FieldListContext {
        prefix: &id,
        ..spot
    };
    variant_section(cx, sheet, (&title, inside), schema, spot)
}

/// Renders the name, description and rules of a top-level schema. The description is omitted if it
/// equals `rendered_description`, which the caller has rendered already.
pub(super) fn about(cx: &mut Ctx<'_>, view: &SchemaView, rendered_description: &str) -> Html {
    let mut out = Html::new();
    let inner = innermost(view);
    let (name, title) = (inner.ref_name.as_deref(), inner.title.as_deref());
    if name.or(title).is_some() {
        out.lit("<p class=\"svc-api-also svc-api-name\"><span class=\"svc-field-type\">")
            .esc(&view.type_text())
            .lit("</span>");
        if let Some(name) = name {
            out.lit(" <code>").esc(name).lit("</code>");
        }
        if let Some(title) = title.filter(|title| Some(*title) != name) {
            out.lit(" ").esc(title);
        }
        out.lit("</p>");
    }
    let text = view.description.as_deref();
    out.add(&described(
        cx,
        text.filter(|text| text.trim() != rendered_description.trim()),
    ));
    out.add(&rules(cx, view));
    out
}

/// Renders a schema without properties as one field.
pub(super) fn value(cx: &mut Ctx<'_>, view: &SchemaView, name: &str) -> Html {
    let id = if name.is_empty() { "value" } else { name };
    // A media type or a status can follow in the id.
    let goes_on = |part: &&str| {
        id.strip_prefix(*part)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    let name = ["body", "response"].into_iter().find(goes_on).unwrap_or(id);
    let mut body = described(cx, view.description.as_deref());
    body.add(&details(cx, view));
    let kind = view.type_text();
    field(
        cx,
        &Field {
            name,
            kind: Some(&kind),
            id,
            body,
            ..Field::default()
        },
    )
}

fn row(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    property: &PropertyView,
    spot: FieldListContext<'_>,
) -> Html {
    row_in(cx, sheet, property, (None, spot))
}

/// Renders a row with a label for the kind of its name.
fn row_in(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    property: &PropertyView,
    (label, spot): (Option<&'static str>, FieldListContext<'_>),
) -> Html {
    let view = &property.schema;
    let id = cx.ids.unique_field(&spot.id(&property.name));
    cx.out.text.push_line(&property.name);
    let mut body = described(cx, view.description.as_deref());
    body.add(&details(cx, view));
    let post = badges(cx, view, &view.badges, &view.post);
    let default = view.default.as_ref().map(value_text);
    let kind = view.type_text();
    let head = Field {
        name: &property.name,
        kind: Some(&kind),
        location: label,
        required: property.required,
        deprecated: property.deprecated || view.deprecated,
        default: default.as_deref(),
        pre: &view.pre,
        post: &post,
        id: &id,
        fixed_id: true,
        ..Field::default()
    };
    sheet.count_row(&body);
    body.add(&nested(
        cx,
        sheet,
        view,
        FieldListContext {
            prefix: &id,
            ..spot
        },
    ));
    field(cx, &Field { body, ..head })
}

/// Renders the content of a field as a collapsible section.
pub(super) fn nested(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    view: &SchemaView,
    spot: FieldListContext<'_>,
) -> Html {
    if !view.truncated {
        return Html::new();
    }
    let inner = innermost(view);
    let kind = match inner.variants.len() {
        0 => CollapsibleKind::Attributes,
        count => CollapsibleKind::Alternatives(count),
    };
    let name = inner.ref_name.as_deref();
    let path = &view.path;
    let inside = Collapsible {
        kind,
        name,
        schema: path,
        from: 0,
    };
    collapsible(cx, sheet, &inside, spot)
}

/// Renders allowed values, limits and examples, including those of array items.
pub(super) fn details(cx: &mut Ctx<'_>, view: &SchemaView) -> Html {
    let mut out = limits(cx, view, true);
    out.add(&items(cx, view, true));
    out
}

/// Like [`details`], without examples, for schemas whose examples are in the side column.
pub(super) fn rules(cx: &mut Ctx<'_>, view: &SchemaView) -> Html {
    let mut out = limits(cx, view, false);
    out.add(&items(cx, view, false));
    out
}

/// Rules of the items of an array, recursively.
fn items(cx: &mut Ctx<'_>, view: &SchemaView, examples: bool) -> Html {
    let mut out = Html::new();
    let mut current = view;
    while let Some(item) = current.items.as_deref() {
        let mut own = Html::new();
        if item.description != current.description {
            own.add(&described(cx, item.description.as_deref()));
        }
        own.add(&limits(cx, item, examples));
        if !own.is_empty() {
            out.lit("<div class=\"svc-api-items\"><span class=\"svc-api-of\">items</span>")
                .add(&own)
                .lit("</div>");
        }
        current = item;
    }
    out
}

fn limits(cx: &mut Ctx<'_>, view: &SchemaView, examples: bool) -> Html {
    let mut out = Html::new();
    values(cx, &view.enum_values, &mut out);
    if let Some(format) = &view.format {
        limit(&mut out, "format", format);
    }
    for constraint in view.constraints.iter().chain(&view.rules) {
        limit(&mut out, constraint.keyword, &constraint.value);
    }
    if view.additional_allowed == Some(false) {
        limit(&mut out, "additionalProperties", "false");
    }
    for example in view.example.iter().chain(&view.further_examples) {
        if examples {
            example_value(&mut out, cx.texts.example, example);
        }
    }
    limits_box(out)
}

/// Renders the allowed values; long lists are collapsed.
fn values(cx: &mut Ctx<'_>, values: &[Value], out: &mut Html) {
    if values.is_empty() {
        return;
    }
    out.lit("<p class=\"svc-api-values\">")
        .esc(cx.texts.allowed)
        .lit(" ");
    for (at, value) in values.iter().take(MAX_VALUES).enumerate() {
        let text = value_text(value);
        cx.out.text.push_line(&text);
        out.lit(if at == 0 { "<code>" } else { " <code>" })
            .esc(&text)
            .lit("</code>");
    }
    out.lit("</p>");
    let mut rest = String::new();
    for value in values.iter().skip(MAX_VALUES) {
        if rest.len() > MAX_FOLDED_VALUES {
            rest.push('…');
            break;
        }
        rest.push_str(&value_text(value));
        rest.push('\n');
    }
    if !rest.is_empty() {
        collapsible_text(out, cx.texts.show_all, &rest);
    }
}

/// Renders a long text as a collapsed section.
fn collapsible_text(out: &mut Html, title: &str, text: &str) {
    out.lit("<details class=\"svc-api-more\"><summary>")
        .esc(title)
        .lit("</summary><pre tabindex=\"0\"><code>")
        .esc(text.trim_end())
        .lit("</code></pre></details>");
}

/// Maximum number of allowed values that are listed.
const MAX_VALUES: usize = 100;
/// Maximum size in bytes of the collapsed remaining values.
const MAX_FOLDED_VALUES: usize = 8_000;
/// Maximum size in bytes of a value that is shown inline.
const MAX_LINE_VALUE: usize = 200;
/// Maximum size in bytes of a collapsed value.
const MAX_FOLDED_VALUE: usize = 4_000;

/// Renders an example value: inline, or collapsed if it is long.
pub(super) fn example_value(out: &mut Html, label: &str, value: &Value) {
    let text = value_text(value);
    if text.len() <= MAX_LINE_VALUE && !text.contains('\n') {
        limit(out, label, &text);
        return;
    }
    let text = match value {
        Value::Array(_) | Value::Object(_) => {
            let mut value = value.clone();
            super::truncate::shorten(&mut value, MAX_FOLDED_VALUE);
            serde_json::to_string_pretty(&value).unwrap_or_default()
        }
        _ => super::truncate::first_lines(&text).to_owned(),
    };
    collapsible_text(out, label, &text);
}
