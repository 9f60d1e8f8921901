//! `Tabs` and `Tab`.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, Panel, ParentContext};
use crate::html::Html;
use crate::ui::{PanelOptions, panels};

props! { TABS_PROPS:
    DEFAULT_TAB_INDEX = prop("defaultTabIndex", Number, "Index of the initial tab, from 0");
    SYNC = prop("sync", Flag, "Synchronize tabs with equal titles; default: on");
    BORDER_BOTTOM = prop("borderBottom", Flag, "A border below the tabs");
    GROUP_ID = prop("groupId", Text, "Accepted for compatibility; has no effect");
    QUERY_STRING = prop("queryString", Any, "Accepted for compatibility; has no effect");
}
props! { TAB_PROPS:
    TITLE = required("title", Text, "Title of the tab");
    ID = prop("id", Text, "Anchor; default: derived from the title");
    ICON = prop("icon", Icon, "Icon before the title");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
}

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
        .number(DEFAULT_TAB_INDEX)
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
            sync: element.flag_or(SYNC, true),
            border: element.flag(BORDER_BOTTOM),
            ..PanelOptions::default()
        },
    );
    if !rest.is_blank() {
        out.add(&rest);
    }
    out
}

fn tab(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.text(TITLE).unwrap_or_default();
    let icon = element.icon(cx, ICON);
    let base = element
        .text(ID)
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
