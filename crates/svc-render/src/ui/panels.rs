//! Panels of which one is shown: tabs, code groups, examples. Radio buttons choose, so it works
//! without scripts; a script keeps equal titles in step and remembers the choice.

use crate::ctx::Ctx;
use crate::html::Html;

/// One panel.
#[derive(Debug, Clone, Default)]
pub(crate) struct Panel {
    /// Text of its tab; empty for a code block without title.
    pub(crate) title: String,
    /// Id of the panel.
    pub(crate) id: Option<String>,
    /// Icon before the title.
    pub(crate) icon: Option<Html>,
    /// Name of the language, for a code block.
    pub(crate) language: String,
    /// Content.
    pub(crate) body: Html,
}

/// How panels look and behave.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PanelOptions {
    /// Class names of the box.
    pub(crate) class: &'static str,
    /// What the group is called for screen readers.
    pub(crate) label: &'static str,
    /// Which panel is shown at first.
    pub(crate) first: usize,
    /// Panels of equal title change together.
    pub(crate) sync: bool,
    /// A line below the panels.
    pub(crate) border: bool,
    /// A code group.
    pub(crate) code: bool,
    /// A list to choose from instead of tabs; without script it stays tabs.
    pub(crate) dropdown: bool,
}

/// Panels as HTML. The tab and the panel stand side by side, and the stylesheet orders them.
pub(crate) fn panels(cx: &mut Ctx<'_>, panels: &[Panel], look: PanelOptions) -> Html {
    let mut out = Html::new();
    if panels.is_empty() {
        return out;
    }
    let group = cx.next_group();
    let name = format!("svc-panels-{group}");
    let first = if look.first < panels.len() {
        look.first
    } else {
        0
    };
    out.lit("<div")
        .attr("class", look.class)
        .lit(" role=\"group\"")
        .attr("aria-label", look.label);
    out.flag("data-svc-panels", true)
        .flag("data-sync", look.sync)
        .flag("data-border", look.border);
    out.flag("data-code", look.code)
        .flag("data-dropdown", look.dropdown && panels.len() > 1);
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
