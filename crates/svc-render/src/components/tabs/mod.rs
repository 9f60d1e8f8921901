//! `Tabs` and `Tab`.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::ctx::{Ctx, Panel, ParentContext};
use crate::html::Html;
use crate::ui::{PanelOptions, panels};

const TABS_PROPS: &[Prop] = &[
    prop(
        "defaultTabIndex",
        PropKind::Number,
        "Index of the initial tab, from 0",
    ),
    prop(
        "sync",
        PropKind::Flag,
        "Synchronize tabs with equal titles; default: on",
    ),
    prop("borderBottom", PropKind::Flag, "A border below the tabs"),
    prop(
        "groupId",
        PropKind::Text,
        "Accepted for compatibility; has no effect",
    ),
    prop(
        "queryString",
        PropKind::Any,
        "Accepted for compatibility; has no effect",
    ),
];
const TAB_PROPS: &[Prop] = &[
    required("title", PropKind::Text, "Title of the tab"),
    prop(
        "id",
        PropKind::Text,
        "Anchor; default: derived from the title",
    ),
    prop("icon", PropKind::Icon, "Icon before the title"),
    prop("iconType", PropKind::Text, "Style of the icon"),
];

pub(super) static TABS_COMPONENT: Component = Component {
    name: "tabs",
    tags: &[
        Spec {
            tag: "Tabs",
            props: TABS_PROPS,
            render: tabs,
        },
        Spec {
            tag: "Tab",
            props: TAB_PROPS,
            render: tab,
        },
    ],
    css: "",
    js: None,
    docs: include_str!("tabs.md"),
};

fn tabs(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.out.text.break_line();
    cx.frames.swap(ParentContext::Panels {
        code: false,
        panels: Vec::new(),
    });
    let rest = cx.children(element.children);
    let tabs = cx.frames.take_panels();
    let first = element
        .props
        .number("defaultTabIndex")
        .unwrap_or(0.0)
        .clamp(0.0, 1_000.0);
    let first = (0..tabs.len())
        .find(|at| *at as f64 >= first.floor())
        .unwrap_or(0);
    let mut out = panels(
        cx,
        &tabs,
        PanelOptions {
            class: "svc-tabs tabs",
            label: cx.texts.tabs,
            first,
            sync: element.props.flag_or("sync", true),
            border: element.props.flag("borderBottom"),
            ..PanelOptions::default()
        },
    );
    if !rest.is_blank() {
        out.add(&rest);
    }
    out
}

fn tab(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.text("title").unwrap_or_default();
    let icon = element.icon(cx);
    let base = element
        .text("id")
        .unwrap_or_else(|| svc_source::heading_id(&title));
    let id = cx.ids.unique(&base);
    cx.out.text.push_line(&title);
    let body = cx.children(element.children);
    cx.out.text.break_line();
    let panel = Panel {
        title,
        id: Some(id),
        icon: Some(icon).filter(|icon| !icon.is_empty()),
        language: String::new(),
        body,
    };
    if let Some(ParentContext::Panels {
        code: false,
        panels,
    }) = cx.frames.outer()
    {
        panels.push(panel);
        return Html::new();
    }
    // A tab outside of `Tabs` is rendered inline.
    let mut out = Html::new();
    out.lit("<section class=\"svc-tab\"")
        .attr_if("id", panel.id.as_deref());
    out.lit("><p><strong>")
        .esc(&panel.title)
        .lit("</strong></p>")
        .add(&panel.body);
    out.lit("</section>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    const TWO: &str = "<Tab title=\"A\" icon=\"house\">\na\n</Tab>\n<Tab title=\"B\" id=\"own\">\nb\n</Tab>\n</Tabs>";

    #[test]
    fn attributes_of_the_group_are_rendered() {
        let html = page(&format!(
            "<Tabs defaultTabIndex={{1}} sync={{false}} borderBottom>\n{TWO}"
        ))
        .html;
        assert!(html.contains("data-svc-panels data-border>"), "{html}");
        assert!(html.contains("value=\"B\" checked"), "{html}");
        let html = page(&format!("<Tabs>\n{TWO}")).html;
        assert!(html.contains("data-svc-panels data-sync>"), "{html}");
        assert!(html.contains("value=\"A\" checked"), "{html}");
    }

    #[test]
    fn a_tab_has_an_icon_and_an_anchor() {
        let html = page(&format!("<Tabs>\n{TWO}")).html;
        assert!(
            html.contains("<span class=\"svc-panels-icon tab-icon\"><svg"),
            "{html}"
        );
        assert!(html.contains("id=\"own\" data-title=\"B\""), "{html}");
    }
}
