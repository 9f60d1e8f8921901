//! The note of a page that is older than the page from which it was translated.

use svc_nav::RouteBody;

use super::{Page, View};
use crate::html::Html;
use crate::i18n::split_placeholder;
use crate::language::{direction, language_tag};
use crate::site_metadata::{OutdatedTranslation, SourceSection};
use crate::ui;

/// Maximum number of sections that the note names.
const MAX_SECTIONS: usize = 5;

/// The note; empty for other pages.
pub(super) fn render(view: &View<'_>, page: &Page<'_>) -> Html {
    let outdated = page.is_route.then(|| outdated(view)).flatten();
    let source = outdated.and_then(|outdated| view.cx.site_map.route(&outdated.source));
    let (Some(outdated), Some(source)) = (outdated, source) else {
        return Html::new();
    };
    let texts = view.texts();
    let language = source.language.as_deref().unwrap_or("en");
    // Names of the source are in its language.
    let link = |html: &mut Html, id: &str, name: &str| {
        let hash = if id.is_empty() { "" } else { "#" };
        html.lit("<a")
            .attr("href", &view.href(&format!("{}{hash}{id}", source.path)))
            .attr("hreflang", language_tag(language))
            .lit("><bdi")
            .attr("lang", language_tag(language))
            .attr("dir", direction(language))
            .lit(">")
            .esc(name)
            .lit("</bdi></a>");
    };
    let (before, after) = split_placeholder(texts.outdated_translation);
    let mut body = Html::literal("<p>");
    body.esc(before);
    link(&mut body, "", &source.title);
    body.esc(after).lit("</p>");
    if !outdated.sections.is_empty() {
        let (before, after) = split_placeholder(texts.changed_sections);
        body.lit("<p>").esc(before);
        for (at, section) in outdated.sections.iter().take(MAX_SECTIONS).enumerate() {
            let SourceSection { id, title } = section;
            body.lit(if at == 0 { "" } else { ", " });
            link(&mut body, id, title);
        }
        body.lit(if outdated.sections.len() > MAX_SECTIONS {
            " …"
        } else {
            ""
        });
        body.esc(after).lit("</p>");
    }
    let mut html = Html::literal("<div class=\"svc-outdated\" data-nosnippet>");
    html.add(&ui::ready_callout(texts, "info", &body))
        .lit("</div>");
    html
}

fn outdated<'a>(view: &View<'a>) -> Option<&'a OutdatedTranslation> {
    let RouteBody::Page { slug } = &view.route.body else {
        return None;
    };
    let page = view.cx.pages.get_exact(slug)?;
    view.cx.options.metadata.outdated.get(&*page.path)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::RenderOptions;
    use crate::site_metadata::{OutdatedTranslation, SiteMetadata, SourceSection};
    use crate::testing::document_with;

    const SITE: &str = r##"
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"languages": [
  {"language": "en", "pages": ["a"]}, {"language": "de", "pages": ["de/a"]}]}}
//- /a.mdx
---
title: Set <up>
---
//- /de/a.mdx
---
title: Einrichten
---
"##;

    fn note(path: &str, source: &str, names: &[&str]) -> String {
        let section = |name: &&str| SourceSection {
            id: (*name).to_owned(),
            title: name.to_uppercase(),
        };
        let outdated = OutdatedTranslation {
            source: source.to_owned(),
            sections: names.iter().map(section).collect(),
        };
        let facts = SiteMetadata {
            outdated: Arc::new([("de/a.mdx".to_owned(), outdated)].into()),
            ..SiteMetadata::default()
        };
        let options = RenderOptions {
            metadata: Arc::new(facts),
            ..RenderOptions::default()
        };
        let html = document_with(SITE, path, options);
        let note = html.split_once("<div class=\"svc-outdated\"");
        let note = note.and_then(|(_, rest)| rest.split_once("</article>"));
        note.map_or(String::new(), |(note, _)| note.to_owned())
    }

    #[test]
    fn an_outdated_page_names_the_changed_sections_of_its_source() {
        let html = note("/de/a", "/a", &["", "x"]);
        for part in [
            "<p>Diese Seite wurde aus einer älteren Fassung von <a href=\"/a\" hreflang=\"en\"><bdi lang=\"en\" dir=\"ltr\">Set &lt;up&gt;</bdi></a> übersetzt.</p>",
            "<p>Seitdem geändert: <a href=\"/a\"",
            ", <a href=\"/a#x\" hreflang=\"en\"><bdi lang=\"en\" dir=\"ltr\">X</bdi></a></p>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let removed = note("/de/a", "/a", &[]);
        assert!(removed.contains("übersetzt") && !removed.contains("Seitdem"));
        let many = note("/de/a", "/a", &["a", "b", "c", "d", "e", "f"]);
        assert!(many.contains("/a#e") && !many.contains("/a#f") && many.contains(" …</p>"));
        assert_eq!(note("/a", "/a", &[]), "");
        assert_eq!(note("/de/a", "/gone", &[]), "");
    }
}
