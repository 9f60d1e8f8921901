//! `Panel`: content in the side column.

use super::component::{Component, Element, Spec};
use crate::ctx::Ctx;
use crate::html::Html;

pub(super) static PANEL: Component = Component {
    name: "panel",
    tags: &[Spec {
        tag: "Panel",
        props: &[],
        render,
    }],
    css: include_str!("panel.css"),
    js: None,
    docs: include_str!("panel.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    if cx.page.without_aside {
        // These layouts have no side column, and its content is optional.
        return Html::new();
    }
    let before = std::mem::take(&mut cx.out.aside);
    let body = cx.children(element.children);
    // Examples in a panel are placed at its end.
    let inner = std::mem::replace(&mut cx.out.aside, before);
    let id = cx.ids.hook("panel");
    cx.out
        .aside
        .lit("<div class=\"svc-panel panel\"")
        .attr_if("id", id)
        .lit(">")
        .add(&body)
        .add(&inner)
        .lit("</div>");
    Html::new()
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn only_the_first_panel_has_the_id() {
        let one = "<Panel>\nside\n</Panel>\n\n<RequestExample>\n```bash\ncurl\n```\n</RequestExample>\n\n";
        let html = page(&one.repeat(3)).html;
        for id in ["id=\"panel\"", "id=\"request-example\""] {
            assert_eq!(html.matches(id).count(), 1, "{html}");
        }
    }

    #[test]
    fn layouts_without_side_column_omit_panels_and_show_examples_in_the_text() {
        let text =
            "<Panel>\nside\n</Panel>\n\n<RequestExample>\n```bash\ncurl\n```\n</RequestExample>";
        assert!(page(text).article.features.aside);
        for mode in ["wide", "center", "custom"] {
            let page = page(&format!("---\nmode: {mode}\n---\n{text}"));
            assert!(!page.article.features.aside, "{mode}");
            assert!(!page.html.contains("side"), "{mode}: {}", page.html);
            assert!(
                page.html.contains("id=\"request-example\""),
                "{mode}: {}",
                page.html
            );
        }
    }
}
