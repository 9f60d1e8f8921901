//! `Update`: a changelog entry.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, TocItem};
use crate::html::Html;

props! { PROPS:
    LABEL = required("label", Rich, "Date or version");
    DESCRIPTION = prop("description", Rich, "A line below the label");
    TAGS = prop("tags", List, "Labels to filter by");
    RSS = prop("rss", Any, "Title and description in the feed");
    ID = prop("id", Text, "Anchor; default: derived from the label");
    DATE = prop("date", Text, "Date for the feed");
}

pub(super) static UPDATE: Component = Component {
    name: "update",
    tags: &[Spec {
        tag: "Update",
        props: PROPS,
        render,
    }],
    css: include_str!("update.css"),
    js: Some(include_str!("update.js")),
    docs: include_str!("update.md"),
};

/// Maximum number of tags in the filter of a changelog.
const MAX_TAGS: usize = 200;

/// The tag filter, which shows only entries with all selected tags. It needs the script.
pub(super) fn filters(cx: &Ctx<'_>) -> Html {
    let mut out = Html::new();
    if cx.out.tags.is_empty() {
        return out;
    }
    out.lit("<div class=\"svc-update-filters\" id=\"changelog-filters\" role=\"group\"")
        .attr("aria-label", cx.texts.filter_by_tag)
        .lit("><div class=\"svc-update-filters-content\" id=\"changelog-filters-content\">");
    for tag in &cx.out.tags {
        out.lit("<button type=\"button\" class=\"svc-update-filter\" aria-pressed=\"false\"")
            .attr("data-tag", tag)
            .lit(">")
            .esc(tag)
            .lit("</button>");
    }
    out.lit("<button type=\"button\" class=\"svc-update-clear\" data-svc-clear hidden>")
        .esc(cx.texts.clear_filters)
        .lit("</button></div></div>\n");
    out
}

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let label = element.text(LABEL).unwrap_or_default();
    let shown = element.rich_text(cx, LABEL);
    let base = element
        .text(ID)
        .unwrap_or_else(|| svc_source::heading_id(&label));
    let id = cx.ids.unique(&base);
    if !label.is_empty() {
        cx.out.start_section(TocItem {
            depth: 1,
            id: id.clone(),
            text: label,
            is_section: false,
        });
    }
    let description = element.rich_text(cx, DESCRIPTION);
    let tags = element.texts(TAGS);
    for tag in &tags {
        cx.out.text.push_line(tag);
        if cx.out.tags.len() < MAX_TAGS {
            cx.out.tags.insert(tag.clone());
        }
    }
    cx.out.features.feed = true;
    let body = cx.outside_toc(|cx| cx.children(element.children));
    let mut out = Html::new();
    out.lit("<section class=\"svc-update update\"")
        .attr("id", &id);
    out.lit("><div class=\"svc-update-side\"><a class=\"svc-update-label\"");
    out.attr("href", &format!("#{id}"))
        .lit(">")
        .add(&shown)
        .lit("</a>");
    if !description.is_blank() {
        out.lit("<div class=\"svc-update-description\">")
            .add(&description)
            .lit("</div>");
    }
    if !tags.is_empty() {
        out.lit("<div class=\"svc-update-tags\">");
        for tag in &tags {
            out.lit("<span class=\"svc-update-tag\">")
                .esc(tag)
                .lit("</span>");
        }
        out.lit("</div>");
    }
    out.lit("</div><div class=\"svc-update-body\">")
        .add(&body)
        .lit("</div></section>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn tags_are_unique_ordered_filters() {
        let text = "<Update label=\"2\" tags={[\"New <b>\", \"Api\"]}>\nx\n</Update>\n\n<Update label=\"1\" tags={[\"Api\", \"Fix\"]}>\ny\n</Update>";
        let page = page(text);
        let html = &page.html;
        assert!(
            html.starts_with("<div class=\"svc-update-filters\" id=\"changelog-filters\""),
            "{html}"
        );
        let tags: Vec<&str> = html
            .split("data-tag=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert_eq!(tags, ["New &lt;b&gt;", "Api", "Fix"]);
        assert!(page.article.features.feed && !page.article.features.feed_button);
    }

    #[test]
    fn without_tags_there_is_no_filter_and_front_matter_adds_the_feed_button() {
        let page = page("---\nrss: true\n---\n<Update label=\"2\">\nx\n</Update>");
        assert!(!page.html.contains("changelog-filters"), "{}", page.html);
        assert!(page.article.features.feed_button);
    }
}
