//! Parts that several sections of API pages use.

use serde_json::Value;
use svc_config::ParamsExpanded;
use svc_openapi::SchemaView;

use super::description_links::described_blocks;
use crate::ctx::{Ctx, TocItem};
use crate::html::Html;
use crate::markdown::plain_text;
use crate::ui::fragment;

/// Position of a field list on the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldListContext<'a> {
    /// Prefix of the ids of fields; empty in schema fragments.
    pub(super) prefix: &'a str,
    /// Number of enclosing collapsible sections.
    pub(super) depth: usize,
}

impl FieldListContext<'_> {
    /// The id of a field called `name`.
    pub(super) fn id(self, name: &str) -> String {
        if self.prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{}-{name}", self.prefix)
        }
    }
}

/// The badges after a name: those of the document, then the keys of `api.params.post`, then those
/// of the schema.
pub(super) fn badges(
    cx: &Ctx<'_>,
    view: &SchemaView,
    keys: &[String],
    own: &[String],
) -> Vec<String> {
    let mut badges = Vec::new();
    if view.read_only {
        badges.push(cx.texts.read_only.to_owned());
    }
    if view.write_only {
        badges.push(cx.texts.write_only.to_owned());
    }
    badges.extend(keys.iter().chain(own).cloned());
    badges
}

/// Renders the button that expands all sections, in the first section that has collapsible content.
/// A script makes it visible.
fn expander(cx: &mut Ctx<'_>, body: &Html) -> Html {
    let mut out = Html::new();
    let has_folds = [
        "<details class=\"svc-api-nested",
        "<details class=\"svc-variant",
    ]
    .iter()
    .any(|fold| body.as_str().contains(fold));
    if !cx.out.toc.is_paused() && !cx.out.has_expander && has_folds {
        cx.out.has_expander = true;
        out.lit("<button type=\"button\" class=\"svc-api-expand\"")
            .attr("data-other", cx.texts.collapse_all)
            .flag("data-open", opens(cx))
            .lit(" hidden>")
            .esc(cx.texts.expand_all)
            .lit("</button>");
    }
    out
}

/// Renders a section with a linkable heading that has an entry in the table of contents.
pub(super) fn section(
    cx: &mut Ctx<'_>,
    (title, id): (&str, &str),
    note: Option<&str>,
    body: &Html,
) -> Html {
    let mut out = Html::new();
    if body.is_blank() {
        return out;
    }
    let id = cx.ids.unique_field(id);
    if !cx.page.plain_headings {
        cx.out.toc.push(TocItem {
            depth: 2,
            id: id.clone(),
            text: title.to_owned(),
            is_section: true,
        });
    }
    out.lit("<section class=\"svc-api-section api-section\"><div class=\"svc-api-heading\">");
    out.lit("<h2 class=\"api-section-heading\"")
        .attr("id", &id)
        .lit("><a")
        .attr("href", &format!("#{}", fragment(&id)))
        .lit(">")
        .esc(title)
        .lit("</a></h2>");
    if let Some(note) = note {
        out.lit("<span class=\"svc-api-note\">")
            .esc(note)
            .lit("</span>");
    }
    let expander = expander(cx, body);
    out.add(&expander);
    out.lit("</div>").add(body).lit("</section>\n");
    out
}

/// Whether sections are expanded by default.
pub(super) fn opens(cx: &Ctx<'_>) -> bool {
    cx.input.config.api.params_expanded == ParamsExpanded::All
}

/// Converts a name to a part of an id.
pub(super) fn slug(title: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let slug: String = title.chars().take(100).map(letter).collect();
    slug.trim_matches('-').to_lowercase()
}

/// Renders a description and adds it to the search text.
pub(super) fn described(cx: &mut Ctx<'_>, text: Option<&str>) -> Html {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Html::new();
    };
    let html = described_blocks(cx, text);
    cx.out.text.push_line(&plain_text(&html));
    html
}

/// The schema of the innermost items of nested arrays.
pub(super) fn innermost(view: &SchemaView) -> &SchemaView {
    let mut view = view;
    while let Some(items) = view.items.as_deref() {
        view = items;
    }
    view
}

/// Wraps limits in a box; empty if there are none.
pub(super) fn limits_box(limits: Html) -> Html {
    let mut out = Html::new();
    if !limits.is_empty() {
        out.lit("<div class=\"svc-api-limits\">")
            .add(&limits)
            .lit("</div>");
    }
    out
}

/// Renders a limit or a similar short rule: a keyword and its value.
pub(super) fn limit(out: &mut Html, keyword: &str, value: &str) {
    // A space separates it from the one before it when they are copied or read as text.
    let is_first = out.is_empty();
    out.lit(if is_first { "<span>" } else { " <span>" })
        .esc(keyword)
        .lit(" <code>")
        .esc(value)
        .lit("</code></span>");
}

/// A value as text for readers: strings without quotes.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
