//! `View`: one of several views of a page.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;

props! { PROPS:
    TITLE = required("title", Text, "Name of the view");
    ICON = prop("icon", Icon, "Icon before the name");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
}

pub(super) static VIEW: Component = Component {
    name: "view",
    tags: &[Spec {
        tag: "View",
        props: PROPS,
        render,
    }],
    css: include_str!("view.css"),
    js: Some(include_str!("view.js")),
    docs: include_str!("view.md"),
};

/// Maximum number of views of a page.
const MAX_VIEWS: usize = 100;

/// The view selector. Without the script all views are shown.
pub(super) fn switch(cx: &Ctx<'_>) -> Html {
    let mut out = Html::new();
    if cx.out.views.len() < 2 {
        return out;
    }
    out.lit("<fieldset class=\"svc-view-switch multi-view-dropdown\" id=\"multi-view-dropdown\">")
        .lit("<legend class=\"svc-visually-hidden\">")
        .esc(cx.texts.page_form)
        .lit("</legend>");
    for (at, (title, icon)) in cx.out.views.iter().enumerate() {
        out.lit("<label class=\"svc-view-choice multi-view-item\"><input type=\"radio\" name=\"svc-view\"")
            .attr("value", title)
            .flag("checked", at == 0)
            .lit(">")
            .add(icon)
            .lit("<span>")
            .esc(title)
            .lit("</span></label>");
    }
    out.lit("</fieldset>\n");
    out
}

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.text(TITLE).unwrap_or_default();
    let icon = element.icon(cx, ICON);
    cx.out.text.push_line(&title);
    if cx.out.views.len() < MAX_VIEWS {
        cx.out
            .views
            .entry(title.clone())
            .or_insert_with(|| icon.clone());
    }
    let first = cx.out.views.get_index_of(&title) == Some(0);
    let body = cx.children(element.children);
    let mut out = Html::new();
    out.lit("<section class=\"svc-view view\"")
        .attr("data-svc-view", &title)
        .flag("data-off", !first);
    out.lit("><p class=\"svc-view-title\">")
        .add(&icon)
        .esc(&title)
        .lit("</p>")
        .add(&body);
    out.lit("</section>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn the_view_selector_is_at_the_top_of_the_page() {
        let text = "intro\n\n<View title=\"A\" icon=\"python\">\none\n</View>\n\n<View title=\"B\">\ntwo\n</View>\n\n<View title=\"A\">\nthree\n</View>";
        let html = page(text).html;
        assert!(
            html.starts_with("<fieldset class=\"svc-view-switch"),
            "{html}"
        );
        assert_eq!(html.matches("type=\"radio\"").count(), 2, "{html}");
        assert_eq!(html.matches("data-svc-view=\"A\">").count(), 2, "{html}");
        assert_eq!(
            html.matches("data-svc-view=\"B\" data-off>").count(),
            1,
            "{html}"
        );
    }

    #[test]
    fn a_single_view_has_no_selector() {
        let html = page("<View title=\"A\">\none\n</View>").html;
        assert!(
            !html.contains("fieldset") && !html.contains("data-off"),
            "{html}"
        );
    }
}
