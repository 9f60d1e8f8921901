//! Collapsible sections of schemas: rendered inline, or as a link to a schema fragment.

use svc_openapi::{SchemaPath, SchemaView};
use svc_source::encoded_path;

use super::parts::{FieldListContext, innermost, opens};
use super::schema_budget::SchemaBudget;
use super::schema_fragment::SchemaFragment;
use crate::ctx::{Ctx, FragmentLink};
use crate::html::Html;
use crate::i18n::split_placeholder;

/// Nesting depth up to which collapsed sections are always rendered inline.
const MAX_INLINE_DEPTH: usize = 1;
/// Like [`MAX_INLINE_DEPTH`], for small sections on a page that is far below its budget.
const MAX_SMALL_INLINE_DEPTH: usize = 4;
/// Maximum number of fields of a small section.
const MAX_SMALL_FIELDS: usize = 15;

/// Content of a collapsible section.
pub(super) struct Collapsible<'a> {
    pub(super) kind: CollapsibleKind,
    /// Name of the schema.
    pub(super) name: Option<&'a str>,
    /// Position of the schema.
    pub(super) schema: &'a SchemaPath,
    /// Index of the first property.
    pub(super) from: usize,
}

/// Kind of the content, which determines the section's title.
#[derive(Debug, Clone, Copy)]
pub(super) enum CollapsibleKind {
    /// The properties of an object.
    Attributes,
    /// Number of alternatives.
    Alternatives(usize),
    /// The remaining properties of the surrounding schema.
    Further,
}

/// Maximum number that is counted for the title of a collapsed section.
const MAX_COUNTED: usize = 1_000;

/// The title of a collapsed section, from the attributes of its `summary` on.
fn title(cx: &Ctx<'_>, sheet: &SchemaBudget<'_>, collapsible: &Collapsible<'_>) -> Html {
    let mut out = Html::new();
    let texts = cx.texts;
    let number = |text: &str, number: usize| text.replace("{}", &number.to_string());
    match collapsible.kind {
        CollapsibleKind::Further => {
            out.lit("><span class=\"svc-fold-show\">")
                .esc(texts.show_all)
                .lit("</span>");
        }
        CollapsibleKind::Alternatives(count) => {
            out.lit(">").esc(&number(texts.one_of, count));
        }
        CollapsibleKind::Attributes => {
            let names =
                svc_openapi::property_names(sheet.document, collapsible.schema, MAX_COUNTED);
            // Property names of maps are not known.
            let show = match names.len() {
                0 | 1 => texts.show_attribute.to_owned(),
                count => number(texts.show_attributes, count),
            };
            // The style sheet shows the second label instead of the first one, so that the text of
            // the page has only one.
            out.attr("data-hide", texts.hide_attributes)
                .lit("><span class=\"svc-fold-show\">")
                .esc(&show)
                .lit("</span>");
        }
    }
    out
}

/// Renders a collapsed section: inline if the budget allows it and it is not recursive, otherwise
/// as a link.
pub(super) fn collapsible(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    collapsible: &Collapsible<'_>,
    context: FieldListContext<'_>,
) -> Html {
    let mut out = Html::new();
    let title = title(cx, sheet, collapsible);
    let inside = match inline_fields(cx, sheet, collapsible, context) {
        Some(inside) if inside.is_blank() => return out,
        Some(inside) => {
            out.lit("<details class=\"svc-api-nested expandable\"")
                .flag("open", opens(cx))
                .lit("><summary")
                .add(&title);
            inside
        }
        None => {
            let link = link(cx, sheet, collapsible, context.prefix);
            out.lit("<details class=\"svc-api-nested expandable\"")
                .attr("data-svc-part", context.prefix)
                .lit("><summary")
                .add(&title);
            if let Some(name) = collapsible.name {
                out.lit(" <span class=\"svc-part-note\">")
                    .esc(name)
                    .lit("</span>");
            }
            link
        }
    };
    out.lit("</summary>").add(&inside).lit("</details>");
    out
}

/// Renders an alternative: collapsed, with its description and its properties or a link to them.
pub(super) fn variant_section(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    (title, mut inside): (&Html, Html),
    schema: &SchemaView,
    context: FieldListContext<'_>,
) -> Html {
    let mut out = Html::new();
    out.lit("<details class=\"svc-variant\"")
        .attr("id", context.prefix);
    let mut open = opens(cx);
    if schema.truncated {
        let collapsible = Collapsible {
            kind: CollapsibleKind::Attributes,
            name: innermost(schema).ref_name.as_deref(),
            schema: &schema.path,
            from: 0,
        };
        match inline_fields(cx, sheet, &collapsible, context) {
            Some(fields) => {
                inside.add(&fields);
            }
            None => {
                open = false;
                out.attr("data-svc-part", context.prefix);
                inside.add(&link(cx, sheet, &collapsible, context.prefix));
            }
        }
    }
    if inside.is_blank() {
        inside
            .lit("<p class=\"svc-field-type\">")
            .esc(&schema.type_text())
            .lit("</p>");
    }
    out.flag("open", open)
        .lit("><summary>")
        .add(title)
        .lit("</summary>");
    out.add(&inside).lit("</details>");
    out
}

/// The fields of a section if they are rendered inline; otherwise `None`.
fn inline_fields(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    collapsible: &Collapsible<'_>,
    context: FieldListContext<'_>,
) -> Option<Html> {
    let is_recursive = collapsible
        .name
        .is_some_and(|name| sheet.ancestors.iter().any(|outer| outer == name));
    if context.depth >= MAX_SMALL_INLINE_DEPTH || is_recursive || !sheet.can_inline() {
        return None;
    }
    let is_deep = context.depth >= MAX_INLINE_DEPTH && !opens(cx);
    if is_deep && !sheet.can_inline_small() {
        return None;
    }
    let level = sheet.level(collapsible.schema, collapsible.from)?;
    let inner = innermost(&level.view);
    let fields = inner.properties.len() + inner.variants.len();
    if is_deep && fields > MAX_SMALL_FIELDS {
        return None;
    }
    let depth = sheet.ancestors.len();
    sheet.ancestors.extend(collapsible.name.map(str::to_owned));
    let context = FieldListContext {
        depth: context.depth + 1,
        ..context
    };
    let inside = sheet.fields(cx, (collapsible.schema, &level), context);
    sheet.ancestors.truncate(depth);
    Some(inside)
}

/// The link that a script replaces with the content of its target.
fn link(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    collapsible: &Collapsible<'_>,
    owner: &str,
) -> Html {
    let part = SchemaFragment {
        document: sheet.document_index,
        direction: sheet.direction,
        language: cx.page.language.clone().unwrap_or_else(|| "en".to_owned()),
        schema: collapsible.schema.clone(),
        from: collapsible.from,
    };
    let mut out = Html::literal("<p class=\"svc-api-also\" data-svc-part-link>");
    let Some(path) = part.path(cx.input.catalog) else {
        out.lit("…</p>");
        return out;
    };
    for name in sheet.names(collapsible.schema) {
        cx.out.text.push_line(name);
    }
    let title = part.schema.title();
    let (before, behind) = split_placeholder(cx.texts.show_part);
    out.lit("<a")
        .attr(
            "href",
            &format!("{}{}", cx.input.options.site.base_path, encoded_path(&path)),
        )
        .lit(">")
        .esc(before)
        .lit("<code>")
        .esc(collapsible.name.unwrap_or(&title))
        .lit("</code>")
        .esc(behind)
        .lit("</a></p>");
    cx.out.fragments.push(FragmentLink {
        owner: owner.to_owned(),
        path,
    });
    out
}
