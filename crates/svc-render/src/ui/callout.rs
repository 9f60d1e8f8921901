//! Callouts: highlighted boxes.

use svc_config::IconLibrary;

use crate::html::Html;
use crate::i18n::Messages;
use crate::icons;

/// Kinds of callouts and their icons.
pub(crate) const CALLOUT_KINDS: &[(&str, &str)] = &[
    ("check", "circle-check"),
    ("danger", "octagon-alert"),
    ("info", "info"),
    ("note", "circle-alert"),
    ("tip", "lightbulb"),
    ("warning", "triangle-alert"),
];

/// The accessible name of a kind.
pub(crate) fn callout_label(kind: &str, texts: &'static Messages) -> &'static str {
    match kind {
        "check" => texts.check,
        "danger" => texts.danger,
        "note" => texts.note,
        "tip" => texts.tip,
        "warning" => texts.warning,
        _ => texts.info,
    }
}

/// The kinds of callouts that a block quote can declare, as in `> [!NOTE]`.
const ALERTS: &[(&str, &str)] = &[
    ("CAUTION", "danger"),
    ("IMPORTANT", "info"),
    ("NOTE", "note"),
    ("TIP", "tip"),
    ("WARNING", "warning"),
];

/// The kind that the first line of a block quote declares. `None` for other lines.
pub(crate) fn callout_kind(line: &str) -> Option<&'static str> {
    let name = line.trim().strip_prefix("[!")?.strip_suffix(']')?;
    ALERTS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, kind)| *kind)
}

/// A callout around rendered content.
pub(crate) fn ready_callout(texts: &'static Messages, kind: &'static str, body: &Html) -> Html {
    let known = CALLOUT_KINDS.iter().find(|(known, _)| *known == kind);
    let icon = known.and_then(|(_, icon)| icons::render_icon(icon, None, IconLibrary::Lucide));
    let mut out = Html::literal("<div class=\"svc-callout callout\" role=\"note\"");
    out.attr("data-callout-type", kind)
        .attr("aria-label", callout_label(kind, texts))
        .lit(">");
    callout_content(&icon.unwrap_or_default(), &Html::new(), body, &mut out);
    out.lit("</div>\n");
    out
}

/// Writes icon, title and body of a callout.
pub(crate) fn callout_content(icon: &Html, title: &Html, body: &Html, out: &mut Html) {
    if !icon.is_empty() {
        out.lit("<div class=\"svc-callout-icon\">")
            .add(icon)
            .lit("</div>");
    }
    out.lit("<div class=\"svc-callout-body\">");
    if !title.is_blank() {
        out.lit("<p class=\"svc-callout-title\">")
            .add(title)
            .lit("</p>");
    }
    out.add(body).lit("</div>");
}
