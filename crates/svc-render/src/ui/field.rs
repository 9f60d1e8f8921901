//! Row of a parameter or property: name, type, labels, description.

use std::borrow::Cow;

use svc_data::percent;

use crate::ctx::Ctx;
use crate::html::Html;

/// A row of a parameter list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    /// Path to the name, shown dimmed before it.
    pub(crate) prefix: &'a str,
    /// Type as shown.
    pub(crate) kind: Option<&'a str>,
    /// `query`, `path`, `header`, `cookie` or `body`.
    pub(crate) location: Option<&'a str>,
    pub(crate) required: bool,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<&'a str>,
    /// Labels before the name.
    pub(crate) pre: &'a [String],
    /// Labels after the name.
    pub(crate) post: &'a [String],
    /// Preferred id, which is made unique.
    pub(crate) id: &'a str,
    /// Whether the id is unique already.
    pub(crate) fixed_id: bool,
    /// Class names next to `svc-field`.
    pub(crate) class: &'a str,
    /// Description and nested fields.
    pub(crate) body: Html,
}

/// Renders the row. The caller adds the name and the body to the search text.
pub(crate) fn field(cx: &mut Ctx<'_>, field: &Field<'_>) -> Html {
    let id = if field.fixed_id {
        Cow::Borrowed(field.id)
    } else {
        Cow::Owned(cx.ids.unique_field(field.id))
    };
    let mut out = Html::new();
    out.lit("<div")
        .attr("class", &format!("svc-field field {}", field.class))
        .attr("id", &id);
    out.lit("><div class=\"svc-field-head\">");
    labels(field.pre, "svc-field-label", &mut out);
    // Spaces separate the parts when the row is copied or read as text.
    out.lit(" <a class=\"svc-field-name\"")
        .attr("href", &format!("#{}", fragment(&id)))
        .lit(">");
    if !field.prefix.is_empty() {
        out.lit("<span class=\"svc-field-prefix\">")
            .esc(field.prefix)
            .lit("</span>");
    }
    out.esc(field.name).lit("</a>");
    if let Some(kind) = field.kind.filter(|kind| !kind.is_empty()) {
        out.lit(" <span class=\"svc-field-type\">")
            .esc(kind)
            .lit("</span>");
    }
    if let Some(location) = field.location {
        out.lit(" <span class=\"svc-field-label\">")
            .esc(location)
            .lit("</span>");
    }
    labels(field.post, "svc-field-label", &mut out);
    if let Some(default) = field.default {
        out.lit(" <span class=\"svc-field-label\">")
            .esc(cx.texts.default)
            .lit(": <code>")
            .esc(default);
        out.lit("</code></span>");
    }
    if field.required {
        out.lit(" <span class=\"svc-field-label svc-field-required\">")
            .esc(cx.texts.required)
            .lit("</span>");
    }
    if field.deprecated {
        out.lit(" <span class=\"svc-field-label svc-field-deprecated\">")
            .esc(cx.texts.deprecated_label)
            .lit("</span>");
    }
    out.lit("</div>");
    if !field.body.is_blank() {
        out.lit("<div class=\"svc-field-body\">")
            .add(&field.body)
            .lit("</div>");
    }
    out.lit("</div>\n");
    out
}

/// Percent-encodes an id as a URL fragment.
pub(crate) fn fragment(id: &str) -> String {
    percent::encode_ascii(id, percent::FRAGMENT)
}

fn labels(labels: &[String], class: &'static str, out: &mut Html) {
    for label in labels {
        out.lit(" <span")
            .attr("class", class)
            .lit(">")
            .esc(label)
            .lit("</span>");
    }
}
