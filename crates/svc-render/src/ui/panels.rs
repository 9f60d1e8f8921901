//! Panels of which one is visible: tabs, code groups, examples. They are radio buttons and work
//! without scripts. A script synchronizes panels with equal titles and remembers the selection.

use crate::ctx::{Ctx, Panel};
use crate::html::Html;

/// Appearance and behavior of panels.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PanelOptions {
    /// Class names of the box.
    pub(crate) class: &'static str,
    /// Accessible name of the group.
    pub(crate) label: &'static str,
    /// Index of the initially visible panel.
    pub(crate) first: usize,
    /// Whether panels with equal titles are synchronized.
    pub(crate) sync: bool,
    /// Whether there is a border below the panels.
    pub(crate) border: bool,
    /// Whether this is a code group.
    pub(crate) code: bool,
    /// Whether a select box replaces the tabs; without scripts they stay tabs.
    pub(crate) dropdown: bool,
}

/// Renders panels. Each tab is next to its panel in the markup; the style sheet reorders them.
pub(crate) fn panels(cx: &mut Ctx<'_>, panels: &[Panel], options: PanelOptions) -> Html {
    let mut out = Html::new();
    if panels.is_empty() {
        return out;
    }
    let group = cx.ids.next_group();
    let name = format!("svc-panels-{group}");
    let first = if options.first < panels.len() {
        options.first
    } else {
        0
    };
    out.lit("<div")
        .attr("class", options.class)
        .lit(" role=\"group\"")
        .attr("aria-label", options.label);
    out.flag("data-svc-panels", true)
        .flag("data-sync", options.sync)
        .flag("data-border", options.border);
    out.flag("data-code", options.code)
        .flag("data-dropdown", options.dropdown && panels.len() > 1);
    out.lit(">");
    for (at, panel) in panels.iter().enumerate() {
        let radio = format!("{name}-{at}");
        out.lit("<input type=\"radio\" class=\"svc-panels-radio\"")
            .attr("name", &name);
        out.attr("id", &radio)
            .attr("value", &panel.title)
            .flag("checked", at == first)
            .lit(">");
        out.lit("<label class=\"svc-panels-tab\"")
            .attr("for", &radio)
            .lit(">");
        if let Some(icon) = panel.icon.as_ref().filter(|icon| !icon.is_empty()) {
            out.lit("<span class=\"svc-panels-icon tab-icon\">")
                .add(icon)
                .lit("</span>");
        }
        out.esc(&panel.title)
            .lit("</label><div class=\"svc-panels-panel\"");
        out.attr_if("id", panel.id.as_deref())
            .attr("data-title", &panel.title)
            .lit(">");
        out.add(&panel.body).lit("</div>");
    }
    out.lit("</div>\n");
    out
}
