//! Related pages, as the front matter lists them.

use svc_nav::RouteBody;

use super::View;
use crate::html::Html;

/// Maximum number of related pages.
const MAX_RELATED: usize = 10;

pub(super) fn render(view: &View<'_>) -> Html {
    let mut html = Html::new();
    let RouteBody::Page { slug } = &view.route.body else {
        return html;
    };
    let page = view.cx.pages.get(slug);
    let listed = page.and_then(|page| page.front_matter.raw.get("related")?.as_array());
    let mut items = Html::new();
    for entry in listed.into_iter().flatten().take(MAX_RELATED) {
        if let Some(target) = entry.as_str() {
            item(&mut items, view, None, target);
        }
        for (title, target) in entry.as_object().into_iter().flat_map(|map| map.iter()) {
            if let Some(target) = target.as_str() {
                item(&mut items, view, Some(title), target);
            }
        }
    }
    if items.is_empty() {
        return html;
    }
    let texts = view.texts();
    html.lit("<nav class=\"svc-related\"")
        .attr("aria-label", texts.related)
        .lit("><p class=\"svc-related-title\" aria-hidden=\"true\">")
        .esc(texts.related)
        .lit("</p><ul>");
    html.add(&items).lit("</ul></nav>");
    html
}

/// Adds an entry; a page that does not exist is omitted, as in menus.
fn item(html: &mut Html, view: &View<'_>, title: Option<&str>, target: &str) {
    let target = target.trim();
    let external = target.contains("://");
    let (path, _) = target.split_at(target.find(['#', '?']).unwrap_or(target.len()));
    let path = view.below_root(&format!("/{}", path.trim_start_matches('/')));
    let route = view.cx.site_map.route(&path).filter(|_| !external);
    if route.is_none() && !external {
        return;
    }
    let name = title
        .or_else(|| route.map(|route| route.title.as_str()))
        .unwrap_or(target);
    let url = view.below_root(&format!("/{}", target.trim_start_matches('/')));
    html.lit("<li><a")
        .attr("href", &view.href(if external { target } else { &url }))
        .lit(">");
    html.esc(name);
    if external {
        html.lit(" ").add(&super::external_mark());
    }
    html.lit("</a></li>");
}

#[cfg(test)]
mod tests {
    use crate::testing::document;

    #[test]
    fn front_matter_lists_related_pages() {
        let site = |related: &str| {
            let text = format!(
                "//- /a.mdx\n---\ntitle: A\nrelated: {related}\n---\n//- /b.mdx\n---\ntitle: Bee\n---\n"
            );
            document(&text, "/a")
        };
        let html = site("[/b, {Own: 'b#x'}, {Far: 'https://x.org/'}, /gone, 'javascript://x']");
        for part in [
            "<li><a href=\"/b\">Bee</a></li>",
            "<li><a href=\"/b#x\">Own</a></li>",
            "<li><a href=\"https://x.org/\">Far ",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("/gone") && !html.contains("href=\"javascript"));
        assert!(!site("false").contains("svc-related"));
    }
}
