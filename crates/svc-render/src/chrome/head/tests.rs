//! The head of rendered pages.

use std::sync::Arc;

use crate::site_metadata::{IconLink, SiteMetadata};
use crate::testing::{document, document_with};
use crate::{RenderOptions, SiteOptions, chrome};

fn docs(more: &str, page: &str) -> String {
    format!(
        "//- /docs.json\n{{\"theme\":\"svc\",\"name\":\"Site\",\"colors\":{{\"primary\":\"#112233\"}},\"navigation\":{{\"groups\":[{{\"group\":\"Start\",\"pages\":[\"index\",\"guides/a\"]}}]}}{more}}}\n//- /index.mdx\n---\ntitle: Home\n---\n//- /guides/a.mdx\n{page}"
    )
}

const PAGE: &str = "---\ntitle: Page & more\ndescription: Its line\n---\ntext [home](/)\n";

fn there() -> RenderOptions {
    RenderOptions {
        site: SiteOptions {
            origin: "https://docs.dev".to_owned(),
            base_path: "/d".to_owned(),
            ..SiteOptions::default()
        },
        ..RenderOptions::default()
    }
}

#[test]
fn a_page_has_title_description_and_canonical_url() {
    let html = document_with(&docs("", PAGE), "/guides/a", there());
    for expected in [
        "<meta name=\"description\" content=\"Its line\">",
        "<link rel=\"canonical\" href=\"https://docs.dev/d/guides/a\">",
        "<meta property=\"og:title\" content=\"Page &amp; more\">",
        "<meta property=\"og:url\" content=\"https://docs.dev/d/guides/a\">",
        "<meta name=\"twitter:title\" content=\"Page &amp; more\">",
        "<meta name=\"twitter:description\" content=\"Its line\">",
    ] {
        assert!(html.contains(expected), "{expected}\n{html}");
    }
    assert!(!document(&docs("", PAGE), "/guides/a").contains("rel=\"canonical\""));
}

#[test]
fn page_metas_override_those_of_directories_and_the_site() {
    let seo = r#","seo":{"metatags":{"canonical":"https://c.dev","og:title":"site","og:type":"site","og:site_name":"site","og:locale":"site"},"paths":[{"path":"guides","metatags":{"og:title":"folder","og:type":"folder","og:site_name":"folder"}},{"path":"guides/a","metatags":{"og:title":"near","og:type":"near"}},{"path":"gui","metatags":{"og:locale":"other"}}]}"#;
    let page = "---\ntitle: T\n\"og:title\": own\n\"twitter:image\": /p.png\n---\n";
    let html = document_with(&docs(seo, page), "/guides/a", there());
    for (name, content) in [
        ("og:title", "own"),
        ("og:type", "near"),
        ("og:site_name", "folder"),
        ("og:locale", "site"),
        ("og:image", "https://c.dev/d/p.png"),
    ] {
        let expected = format!("property=\"{name}\" content=\"{content}\"");
        assert!(html.contains(&expected), "{expected}\n{html}");
        assert_eq!(html.matches(&format!("\"{name}\"")).count(), 1, "{name}");
    }
    assert!(html.contains("<link rel=\"canonical\" href=\"https://c.dev/d/guides/a\">"));
    assert!(!html.contains("name=\"canonical\""));
}

#[test]
fn front_matter_can_set_the_canonical_url() {
    let at = |own: &str| {
        let page = format!("---\ntitle: T\ncanonical: {own}\n---\n");
        document_with(&docs("", &page), "/guides/a", there())
    };
    assert!(at("https://x.dev/y").contains("<link rel=\"canonical\" href=\"https://x.dev/y\">"));
    assert!(at("/").contains("<link rel=\"canonical\" href=\"https://docs.dev/d/\">"));
}

#[test]
fn the_publisher_is_on_the_first_page_and_breadcrumbs_on_the_others() {
    let seo = r#","seo":{"organization":{"name":"</script><b>","sameAs":["https://x.com/a"]}}"#;
    let first = document_with(&docs(seo, PAGE), "/", there());
    assert!(first.contains(r#""@type":"Organization""#), "{first}");
    assert!(
        first.contains(r#""name":"\u003c/script>\u003cb>""#),
        "{first}"
    );
    assert!(first.contains(r#""sameAs":["https://x.com/a"]"#));
    let other = document_with(&docs(seo, PAGE), "/guides/a", there());
    assert!(!other.contains(r#""sameAs""#));
    assert!(
        other.contains(r#""publisher":{"@type":"Organization","@id":"https://docs.dev/d/#organization","name":"\u003c/script>\u003cb>"}"#),
        "{other}"
    );
    assert!(
        other.contains(r#""@type":"TechArticle","@id":"https://docs.dev/d/guides/a#article","headline":"Page & more""#),
        "{other}"
    );
    assert!(first.contains(r#""urlTemplate":"https://docs.dev/d/search?q={search_term_string}""#));
    assert!(!other.contains("SearchAction"));
    let mut exported = there();
    exported.site.export = true;
    assert!(!document_with(&docs(seo, PAGE), "/", exported).contains("SearchAction"));
    assert!(other.contains(r#""@type":"BreadcrumbList""#));
    assert!(other.contains(r#""item":"https://docs.dev/d/guides/a""#));
    let hidden = document(
        &docs(seo, "---\ntitle: T\nnoindex: true\n---\n"),
        "/guides/a",
    );
    assert!(!hidden.contains("ld+json"));
    assert!(hidden.contains("<meta name=\"robots\" content=\"noindex\">"));
}

#[test]
fn versions_in_other_languages_are_linked() {
    let files = "//- /docs.json\n{\"theme\":\"svc\",\"name\":\"Site\",\"colors\":{\"primary\":\"#112233\"},\"navigation\":{\"languages\":[{\"language\":\"en\",\"pages\":[\"a\",\"b\"]},{\"language\":\"cn\",\"pages\":[\"cn/a\"]}]}}\n//- /a.mdx\n//- /b.mdx\n//- /cn/a.mdx\n";
    for path in ["/a", "/cn/a"] {
        let html = document_with(files, path, there());
        for (language, path) in [("en", "/a"), ("zh", "/cn/a"), ("x-default", "/a")] {
            let link = format!(
                "<link rel=\"alternate\" hreflang=\"{language}\" href=\"https://docs.dev/d{path}\">"
            );
            assert!(html.contains(&link), "{link}\n{html}");
        }
    }
    assert!(!document_with(files, "/b", there()).contains("rel=\"alternate\" hreflang"));
    assert!(!document(files, "/a").contains("rel=\"alternate\" hreflang"));
}

#[test]
fn urls_end_with_a_slash_if_the_site_has_trailing_slashes() {
    let seo = r#","seo":{"trailingSlash":true}"#;
    let html = document_with(
        &docs(
            seo,
            "---\ntitle: T\n---\n[b](/guides/a#x) [c](/guides/a.md)\n",
        ),
        "/guides/a",
        there(),
    );
    assert!(html.contains("<link rel=\"canonical\" href=\"https://docs.dev/d/guides/a/\">"));
    assert!(html.contains("href=\"/d/guides/a/#x\""), "{html}");
    assert!(html.contains("type=\"text/markdown\" href=\"/d/guides/a.md\""));
    let without = document_with(&docs("", PAGE), "/guides/a", there());
    assert!(!without.contains("/guides/a/\""));
}

#[test]
fn icons_and_preview_images_are_linked_if_they_are_rendered() {
    let facts = SiteMetadata {
        icons: vec![IconLink {
            rel: "icon",
            path: "/_svc/icons/x.png".to_owned(),
            kind: "image/png",
            sizes: Some("32x32"),
            media: "(prefers-color-scheme: dark)",
        }],
        og_image_dir: Some("/_svc/cards/1".to_owned()),
        ..SiteMetadata::default()
    };
    let options = RenderOptions {
        metadata: Arc::new(facts),
        ..there()
    };
    let html = document_with(&docs("", PAGE), "/guides/a", options.clone());
    for expected in [
        "<link rel=\"icon\" href=\"/d/_svc/icons/x.png\" type=\"image/png\" sizes=\"32x32\" media=\"(prefers-color-scheme: dark)\">",
        "<meta property=\"og:image\" content=\"https://docs.dev/d/_svc/cards/1/guides/a.png?v=",
        "<meta name=\"twitter:image\" content=\"https://docs.dev/d/_svc/cards/1/guides/a.png?v=",
        "<meta property=\"og:image:width\" content=\"1200\">",
    ] {
        assert!(html.contains(expected), "{expected}\n{html}");
    }
    let text = "---\ntitle: T\n\"og:image\": https://i.dev/a.png\n---\n";
    let html = document_with(&docs("", text), "/guides/a", options);
    assert!(html.contains("<meta name=\"twitter:image\" content=\"https://i.dev/a.png\">"));
    assert!(!html.contains("og:image:width"));
}

#[test]
fn dates_are_recognized_by_their_format() {
    assert!(chrome::view::is_day("2026-03-05") && chrome::view::is_day("2026-03-05T10:00:00Z"));
    for not in ["", "2026-3-5", "5 March 2026", "2026/03/05", "2026-03-0é"] {
        assert!(!chrome::view::is_day(not), "{not}");
    }
}
