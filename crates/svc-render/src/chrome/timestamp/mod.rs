//! The date of the last change of the page (`metadata.timestamp`).

use super::{Page, View};
use crate::html::Html;

/// The line with the date; empty if it is disabled or the date is unknown.
pub(super) fn render(view: &View<'_>, page: &Page<'_>) -> Html {
    let mut html = Html::new();
    let own = page.front_matter.and_then(|matter| matter.timestamp);
    if !own.unwrap_or(view.config().timestamp) {
        return html;
    }
    let Some(day) = view.last_modified() else {
        return html;
    };
    let text = view.texts().last_modified;
    let (before, after) = text.split_once("{}").unwrap_or((text, ""));
    html.lit("<p class=\"svc-timestamp\">").esc(before);
    html.lit("<time data-svc-timestamp")
        .attr("datetime", &day)
        .lit(">")
        .esc(&day);
    html.lit("</time>").esc(after).lit("</p>");
    html
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::site_metadata::SiteMetadata;
    use crate::testing::document_with;
    use crate::{Html, RenderOptions};

    fn line(config: &str, page: &str) -> String {
        let files = format!(
            "//- /docs.json\n{{\"theme\":\"svc\",\"name\":\"S\",\"colors\":{{\"primary\":\"#112233\"}},\"navigation\":{{\"pages\":[\"a\"]}}{config}}}\n//- /a.mdx\n---\ntitle: A\n{page}---\n"
        );
        let day = ("a.mdx".to_owned(), "2026-03-05".to_owned());
        let facts = SiteMetadata {
            dates: Arc::new([day].into()),
            ..SiteMetadata::default()
        };
        let options = RenderOptions {
            metadata: Arc::new(facts),
            ..RenderOptions::default()
        };
        let html = document_with(&files, "/a", options);
        let line = html
            .split_once("<p class=\"svc-timestamp\">")
            .map(|(_, rest)| rest);
        let line = line
            .and_then(|rest| rest.split_once("</p>"))
            .map(|(line, _)| line);
        Html::trusted(line.unwrap_or_default().to_owned()).to_text()
    }

    #[test]
    fn front_matter_overrides_the_setting_and_the_date() {
        let on = ",\"metadata\":{\"timestamp\":true}";
        assert_eq!(line("", ""), "");
        assert_eq!(line(on, ""), "Last modified: 2026-03-05");
        assert_eq!(line(on, "timestamp: false\n"), "");
        assert_eq!(line("", "timestamp: true\n"), "Last modified: 2026-03-05");
        let text = "lastUpdatedDate: \"2025-01-02T03:04:05Z\"\n";
        assert_eq!(line(on, text), "Last modified: 2025-01-02");
        assert_eq!(
            line(on, "lastUpdatedDate: soon\n"),
            "Last modified: 2026-03-05"
        );
    }
}
