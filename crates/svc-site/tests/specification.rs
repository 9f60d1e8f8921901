//! Effects of settings on rendered pages, and the resolution of URL paths. The tests are marked
//! with the rows of `docs/contributing/specification.md`.

use svc_diagnostics::Severity;
use svc_site::{GeneratedFile, LoadOptions, Resource, Site, SiteOptions, assemble, validate};
use svc_source::SourceTree;

/// A site with these members of `docs.json`; without a navigation its only page is `a`.
fn site(members: &str, files: &[(&str, &str)]) -> Site {
    site_with(members, files, &LoadOptions::default())
}

fn site_with(members: &str, files: &[(&str, &str)], options: &LoadOptions) -> Site {
    let mut docs = String::from("{\"name\": \"Acme\"");
    for (key, text) in [
        ("theme", r#""theme": "svc""#),
        ("colors", r##""colors": {"primary": "#0a7d4f"}"##),
        ("navigation", r#""navigation": {"pages": ["a"]}"#),
    ] {
        if !members.contains(&format!("\"{key}\":")) {
            docs.push_str(", ");
            docs.push_str(text);
        }
    }
    if !members.is_empty() {
        docs.push_str(", ");
        docs.push_str(members);
    }
    docs.push('}');
    let base = [
        ("docs.json", docs.as_str()),
        ("a.mdx", "---\ntitle: First\n---\n\nText.\n"),
    ];
    let exists = |path: &str| files.iter().any(|(base, _)| *base == path);
    let tree = SourceTree::from_files(
        base.into_iter()
            .filter(|(path, _)| !exists(path))
            .chain(files.iter().copied()),
    );
    assemble(tree, options)
        .expect("the built-in configuration is read")
        .value
}

// spec: cfg.icons.library accepts
#[test]
fn an_icon_of_another_library_is_rendered_and_reported() {
    let body = "---\ntitle: First\n---\n\n<Icon icon=\"house\" /> <Icon icon=\"hat-wizard\" />\n";
    let site = site(r#""icons": {"library": "lucide"}"#, &[("a.mdx", body)]);
    let diagnostics = site.page_diagnostics(1);
    let locations: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.location_string(), diagnostic.code.id))
        .collect();
    assert_eq!(locations, [("a.mdx:5:29".to_owned(), "icon-unknown")]);
    assert!(html(&site, "/a").matches("<svg").count() >= 2);
}

fn html(site: &Site, path: &str) -> String {
    let page = site.page(path).unwrap_or_else(|| panic!("no page {path}"));
    String::from_utf8(page.html.bytes.to_vec()).expect("pages are text")
}

/// The page `/a` of a site with these members.
fn page(members: &str) -> String {
    html(&site(members, &[]), "/a")
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).map_or(rest, |(inside, _)| inside)
}

// spec: view.name accepts
#[test]
fn the_title_element_contains_the_site_name() {
    assert_eq!(between(&page(""), "<title>", "</title>"), "First - Acme");
}

// spec: view.theme, view.colors accepts
#[test]
fn every_theme_uses_the_colors_of_the_site() {
    let mut sheets = std::collections::BTreeSet::new();
    for theme in svc_config::Theme::ALL {
        let name = theme.name();
        let text = page(&format!(
            r##""theme": "{name}", "colors": {{"primary": "#123456", "light": "#abcdef"}}"##
        ));
        assert!(text.contains(&format!("data-theme=\"{name}\"")), "{name}");
        let style = between(&text, "<style>", "</style>");
        assert!(
            style.contains("#123456") && style.contains("#abcdef"),
            "{name}"
        );
        sheets.insert(between(&text, "rel=\"stylesheet\" href=\"", "\"").to_owned());
    }
    assert_eq!(sheets.len(), 9, "{sheets:?}");
}

// spec: view.logo, view.favicon accepts
#[test]
fn logo_and_favicon_follow_the_mode() {
    let site = site(
        r#""logo": {"light": "/l.svg", "dark": "/d.svg", "href": "https://example.org/home"},
           "favicon": {"light": "/fl.svg", "dark": "/fd.svg"}"#,
        &[
            ("l.svg", "<svg/>"),
            ("d.svg", "<svg/>"),
            ("fl.svg", GREEN),
            ("fd.svg", GREEN),
        ],
    );
    let text = html(&site, "/a");
    for part in ["/l.svg", "/d.svg", "https://example.org/home"] {
        assert!(text.contains(part), "{part}");
    }
    for (name, mode) in [("/fl.svg", "light"), ("/fd.svg", "dark")] {
        let icon = between(&text, &format!("<link rel=\"icon\" href=\"{name}\""), ">");
        assert!(
            icon.contains(&format!("(prefers-color-scheme: {mode})")),
            "{icon}"
        );
    }
}

// spec: view.appearance accepts
#[test]
fn strict_appearance_removes_the_color_scheme_switch() {
    let open = page(r#""appearance": {"default": "dark"}"#);
    assert!(open.contains("data-color-mode=\"dark\""));
    let strict = page(r#""appearance": {"default": "dark", "strict": true}"#);
    assert!(strict.contains("data-color-mode=\"strict-dark\""));
    assert!(open.matches("<button").count() > strict.matches("<button").count());
}

// spec: view.fonts, view.background.color accepts
#[test]
fn fonts_and_the_background_reach_the_style() {
    let text = page(
        r##""fonts": {"family": "Inter", "heading": {"family": "Lora"}}, "background": {"color": {"dark": "#010203"}}"##,
    );
    let style = between(&text, "<style>", "</style>");
    assert!(style.contains("--svc-font-body:\"Inter\""), "{style}");
    assert!(style.contains("--svc-font-heading:\"Lora\""), "{style}");
    assert!(style.contains("html.dark{--svc-bg:#010203"), "{style}");
}

// spec: view.icons accepts
#[test]
fn icons_are_svg_or_image_elements() {
    let groups = |icon: &str| {
        let members = format!(
            r#""icons": {{"library": "lucide"}}, "navigation": {{"groups": [{{"group": "G", "icon": "{icon}", "pages": ["a"]}}]}}"#
        );
        let text = page(&members);
        between(&text, "svc-group-title", "</div>").to_owned()
    };
    assert!(groups("house").contains("<svg"));
    assert!(groups("/own.svg").contains("/own.svg"));
}

// spec: view.styling.eyebrows accepts
#[test]
fn eyebrows_show_the_section_or_all_breadcrumbs() {
    let navigation =
        r#""navigation": {"tabs": [{"tab": "T", "groups": [{"group": "G", "pages": ["a"]}]}]}"#;
    let header = |more: &str| {
        let text = page(&format!("{navigation}{more}"));
        between(&text, "<header id=\"header\"", "</header>").to_owned()
    };
    let section = header("");
    assert!(
        section.contains("class=\"eyebrow\">G<") && !section.contains(">T<"),
        "{section}"
    );
    let breadcrumbs = header(r#", "styling": {"eyebrows": "breadcrumbs"}"#);
    assert!(
        breadcrumbs.contains("breadcrumb-list")
            && breadcrumbs.contains(">T<")
            && breadcrumbs.contains(">G<"),
        "{breadcrumbs}"
    );
}

// spec: view.styling.codeblocks accepts
#[test]
fn code_blocks_use_the_chosen_themes() {
    let code = [("a.mdx", "```js\nlet a = 1\n```\n")];
    let text = |members: &str| html(&site(members, &code), "/a");
    let usual = text("");
    let chosen = text(r#""styling": {"codeblocks": "dracula"}"#);
    assert_ne!(
        between(&usual, "<style>", "</style>"),
        between(&chosen, "<style>", "</style>")
    );
}

// spec: view.banner, view.search.prompt, view.seo.metatags accepts
#[test]
fn banner_prompt_and_meta_tags_are_on_every_page() {
    let members = |closes: bool| {
        format!(
            r#""banner": {{"content": "**News**", "dismissible": {closes}, "type": "warning"}},
               "search": {{"prompt": "Find things"}}, "seo": {{"metatags": {{"og:title": "Shared"}}}}"#
        )
    };
    let text = page(&members(true));
    let banner = between(&text, "id=\"banner\"", "</div>");
    assert!(
        banner.contains("<strong>News</strong>") && banner.contains("<button"),
        "{banner}"
    );
    assert!(banner.contains("data-type=\"warning\""));
    assert!(text.contains("placeholder=\"Find things\""));
    assert!(text.contains("property=\"og:title\" content=\"Shared\""));
    let stays = page(&members(false));
    assert!(!between(&stays, "id=\"banner\"", "</div>").contains("<button"));
}

// spec: nav.rule.7.banner, nav.rule.7.footer, nav.rule.7.navbar accepts
#[test]
fn the_banner_footer_and_header_of_a_language_replace_those_of_the_site() {
    let site = site(
        r#""banner": {"content": "Hello"}, "footer": {"links": [{"items": [{"label": "Terms", "href": "/e"}]}]},
           "navbar": {"links": [{"label": "Blog", "href": "/blog"}]},
           "navigation": {"languages": [{"language": "en", "pages": ["a"]},
             {"language": "fr", "pages": ["b"], "banner": {"content": "Bonjour"},
              "footer": {"links": [{"items": [{"label": "Plan", "href": "/p"}]}]},
              "navbar": {"links": [{"label": "Carnet", "href": "/carnet"}]}}]}"#,
        &[("b.mdx", "Texte.")],
    );
    let (english, french) = (html(&site, "/a"), html(&site, "/b"));
    for (own, other) in [
        ("Hello", "Bonjour"),
        (">Terms<", ">Plan<"),
        (">Blog<", ">Carnet<"),
    ] {
        assert!(english.contains(own) && !english.contains(other), "{own}");
        assert!(french.contains(other) && !french.contains(own), "{other}");
    }
    assert!(french.contains("<html lang=\"fr\""));
}

// spec: nav.rule.4.top, nav.rule.4 accepts
#[test]
fn top_level_groups_are_not_collapsible() {
    let site = site(
        r#""navigation": {"groups": [{"group": "Top", "expanded": false, "pages": ["a",
            {"group": "Closed", "pages": ["b"]}, {"group": "Open", "expanded": true, "pages": ["c"]}]}]}"#,
        &[("b.mdx", ""), ("c.mdx", "")],
    );
    let text = html(&site, "/a");
    let sidebar = between(&text, "id=\"sidebar-content\"", "</nav>");
    let folds: Vec<&str> = sidebar.split("<details").skip(1).collect();
    assert_eq!(folds.len(), 2, "{sidebar}");
    let open = |fold: &str| {
        fold.split_once('>')
            .is_some_and(|(tag, _)| tag.contains(" open"))
    };
    assert!(folds[0].contains(">Closed<") || folds[0].contains("Closed"));
    assert_eq!((open(folds[0]), open(folds[1])), (false, true));
}

const API: &str = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
 "servers": [{"url": "https://api.example.org"}],
 "paths": {"/pets": {"post": {"summary": "Add", "deprecated": true,
   "security": [{"Token": []}, {"User": []}, {"Key": []}],
   "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {
     "name": {"type": "string", "readOnly": false, "x-svc": {"pre": ["before"], "post": ["after"]}}}}}}},
   "responses": {"200": {"description": "Done"}},
   "callbacks": {"added": {"{$request.body#/url}": {"put": {"responses": {"200": {"description": "Seen"}}}}}}}}},
 "webhooks": {"sold": {"post": {"summary": "Sold", "responses": {}}}},
 "components": {"securitySchemes": {"Token": {"type": "http", "scheme": "bearer"},
   "User": {"type": "http", "scheme": "basic"}, "Key": {"type": "apiKey", "in": "header", "name": "x-own-key"}}}}"#;

fn api() -> Site {
    site(
        r#""navigation": {"groups": [{"group": "G", "openapi": "api.json"}]}"#,
        &[("api.json", API)],
    )
}

// spec: oas.page.deprecated, oas.x-svc.pre, oas.x-svc.post accepts
// spec: oas.security.bearer, oas.security.basic, oas.security.api-key accepts
#[test]
fn the_page_of_an_endpoint_shows_deprecation_badges_and_security_schemes() {
    let text = html(&api(), "/api-reference/add");
    let heading = between(&text, "id=\"page-title\"", "</h1>");
    assert!(heading.contains("Deprecated"), "{heading}");
    let menu = between(&text, "id=\"sidebar-content\"", "</nav>");
    assert!(menu.contains("svc-pill-deprecated"), "{menu}");
    let (before, name, after) = (
        text.find(">before<"),
        text.find(">name<"),
        text.find(">after<"),
    );
    assert!(
        before.is_some() && before < name && name < after,
        "{before:?} {name:?} {after:?}"
    );
    for part in ["Bearer", "Basic", "x-own-key"] {
        assert!(text.contains(part), "{part}");
    }
}

// spec: oas.x-svc.post.order, nav.rule.11 accepts
#[test]
fn badges_of_parameters_are_ordered() {
    let spec = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"post": {
      "summary": "Add",
      "parameters": [{"name": "q", "in": "query", "x-level": 3, "schema": {"type": "string",
        "x-svc": {"pre": ["b-q"], "post": ["own-q"]}}}],
      "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {
        "key": {"type": "string", "writeOnly": true, "x-level": ["gold", "silver"], "x-beta": true,
          "x-svc": {"pre": ["b-key"], "post": ["own-key"]}}}}}}},
      "responses": {"200": {"description": "Done", "content": {"application/json": {"schema": {
        "type": "object", "properties": {"id": {"type": "string", "readOnly": true, "x-beta": false}}}}}}}}}}}"#;
    let members = r#""navigation": {"groups": [{"group": "G", "openapi": "api.json"}]},
      "api": {"params": {"post": ["x-level", "x-beta"]}}"#;
    let text = html(&site(members, &[("api.json", spec)]), "/api-reference/add");
    let labels = |name: &str| {
        let end = format!(">{name}</a>");
        let (before, after) = text.split_once(&end).unwrap_or_else(|| panic!("no {name}"));
        let row = "<div class=\"svc-field-head\">";
        let before = before.rsplit(row).next().unwrap_or_default();
        let after = after.split("</div>").next().unwrap_or_default();
        let of = |part: &str| {
            let labels = part.split("svc-field-label\">").skip(1);
            let texts: Vec<_> = labels.filter_map(|label| label.split('<').next()).collect();
            texts.join(" ")
        };
        format!("{} | {}", of(before), of(after))
    };
    assert_eq!(labels("q"), "b-q | query 3 own-q");
    assert_eq!(
        labels("key"),
        "b-key | write-only gold silver x-beta own-key"
    );
    assert_eq!(labels("id"), " | read-only");
}

// spec: oas.callback, oas.webhook accepts
#[test]
fn callbacks_are_collapsed_before_responses_and_webhooks_have_pages() {
    let site = api();
    let text = html(&site, "/api-reference/add");
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part}"));
    let (body, callback, response) = (at(">before<"), at("svc-callback"), at(">Done<"));
    assert!(
        body < callback && callback < response,
        "{body} {callback} {response}"
    );
    let fold = between(
        &text[..],
        "<details class=\"svc-response svc-callback\"",
        ">",
    );
    assert!(!fold.contains("open"));
    let inside = between(&text, "svc-callback", "</details>");
    assert!(
        inside.contains("PUT") && inside.contains("$request.body#/url"),
        "{inside}"
    );
    assert!(html(&site, "/api-reference/sold").contains("Sold"));
}

// spec: oas.download, site.files accepts
#[test]
fn documents_and_assets_are_served_and_sources_are_not() {
    let site = site(
        r#""api": {"openapi": "spec/api.json"}"#,
        &[
            ("spec/api.json", API),
            ("p.png", "x"),
            (".env", "S=1"),
            (".svcignore", "gone/\n"),
            ("gone/q.png", "x"),
        ],
    );
    let kind = |path: &str| match site.find(path) {
        Resource::Asset(asset) => asset.content_type,
        _ => "nothing",
    };
    assert_eq!(kind("/spec/api.json"), "application/json");
    assert_eq!(kind("/p.png"), "image/png");
    for path in [
        "/docs.json",
        "/a.mdx",
        "/.env",
        "/.svcignore",
        "/gone/q.png",
        "/../p.png",
    ] {
        assert_eq!(kind(path), "nothing", "{path}");
    }
}

// spec: site.redirect.status, site.index, site.hidden, site.404 accepts
#[test]
fn paths_resolve_to_resources() {
    let site = site(
        r#""navigation": {"pages": ["a", "x/index"]}, "redirects": [{"source": "/old", "destination": "/a"},
           {"source": "/now", "destination": "/a", "permanent": false}]"#,
        &[("x/index.mdx", ""), ("hidden.mdx", "Alone.")],
    );
    let moved = |path: &str| match site.find(path) {
        Resource::Redirect { to, status } => Some((to, status)),
        _ => None,
    };
    assert_eq!(moved("/old"), Some(("/a".to_owned(), 308)));
    assert_eq!(moved("/now"), Some(("/a".to_owned(), 307)));
    assert_eq!(moved("/x/index"), Some(("/x".to_owned(), 308)));
    assert!(matches!(site.find("/x"), Resource::Page(_)));
    assert!(matches!(site.find("/hidden"), Resource::Page(_)));
    let machine = |machine| {
        String::from_utf8(
            site.generated_file(machine, "https://example.org")
                .bytes
                .to_vec(),
        )
        .unwrap()
    };
    for listing in [GeneratedFile::Sitemap, GeneratedFile::Llms] {
        assert!(!machine(listing).contains("hidden"));
    }
    let documents = site.search_documents();
    assert!(documents.iter().all(|page| !page.path.contains("hidden")));
    assert!(matches!(site.find("/hiden"), Resource::NotFound));
    let gone = String::from_utf8(site.not_found("/hiddn/a")).unwrap();
    assert!(gone.contains("404") || gone.contains("not found"), "{gone}");
}

// spec: site.machine-files, view.markdown accepts
#[test]
fn generated_files_exist_and_can_be_replaced() {
    let members = r#""markdown": {"instructions": "Read this first"}"#;
    let site = site(members, &[("robots.txt", "own")]);
    assert!(matches!(site.find("/robots.txt"), Resource::Asset(_)));
    assert!(matches!(site.find("/llms.txt"), Resource::Generated(_)));
    assert!(matches!(site.find("/sitemap.xml"), Resource::Generated(_)));
    assert!(matches!(site.find("/a.md"), Resource::Markdown(_)));
    let llms = site.generated_file(GeneratedFile::Llms, "https://example.org");
    assert!(String::from_utf8_lossy(&llms.bytes).contains("Read this first"));
}

// spec: site.scripts accepts
#[test]
fn scripts_and_styles_of_the_repository_load_on_every_page_unless_disabled() {
    let files = [("own.js", "1"), ("own.css", "a{}")];
    let text = html(&site("", &files), "/a");
    assert!(text.contains("[\"/own.js") && text.contains("href=\"/own.css\""));
    let options = LoadOptions::from(SiteOptions {
        without_scripts: true,
        ..SiteOptions::default()
    });
    let text = html(&site_with("", &files, &options), "/a");
    assert!(!text.contains("own.js") && !text.contains("own.css"));
}

// spec: site.severity, site.validate accepts
#[test]
fn a_broken_page_is_rendered_partially_and_reported() {
    let broken = "---\ntitle: First\n---\n\nBefore.\n\n<Card title={>\n\nAfter.\n";
    let site = site("", &[("a.mdx", broken)]);
    assert!(html(&site, "/a").contains("Before."));
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write(
        "docs.json",
        r##"{"theme": "svc", "name": "T", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["a"]}}"##,
    );
    write("a.mdx", broken);
    let checked = validate(dir.path(), &LoadOptions::default()).unwrap();
    assert!(checked.count(Severity::Error) > 0);
    assert_eq!(checked.count(Severity::Fatal), 0);
    write("a.mdx", "Fine.\n");
    assert_eq!(
        validate(dir.path(), &LoadOptions::default())
            .unwrap()
            .count(Severity::Error),
        0
    );
}

// spec: view.drilldown accepts
#[test]
fn drilldown_controls_whether_a_group_title_links_to_its_first_page() {
    let navigation = r#""navigation": {"groups": [{"group": "Top", "pages": ["a", {"group": "Inner", "pages": ["b"]}]}]}"#;
    // The link is next to the toggle of the group.
    let opens = |members: &str| {
        let members = format!("{navigation}, {members}");
        let loaded = site(&members, &[("b.mdx", "Text.\n")]);
        let link = r#"<li class="svc-nav-parent"><a class="svc-nav-link" href="/b""#;
        html(&loaded, "/a").contains(link)
    };
    assert!(opens(r#""interaction": {"drilldown": true}"#));
    assert!(!opens(r#""interaction": {"drilldown": false}"#));
    // The default depends on the theme.
    assert!(!opens(r#""theme": "svc""#));
    assert!(opens(r#""theme": "aspen""#));
}

// spec: view.fonts.files accepts
#[test]
fn font_files_are_declared_and_families_of_the_catalog_are_linked() {
    let file = page(r#""fonts": {"family": "Own", "source": "/own.woff2", "format": "woff2"}"#);
    assert!(file.contains(r#"src:url("/own.woff2") format("woff2")"#));
    assert!(
        file.contains("<link rel=\"preload\" as=\"font\" type=\"font/woff2\" href=\"/own.woff2\"")
    );
    let remote = page(
        r#""fonts": {"heading": {"family": "H", "source": "https://x.dev/h.woff", "format": "woff"}}"#,
    );
    assert!(remote.contains(r#"src:url("https://x.dev/h.woff") format("woff")"#));
    let font = r#""fonts": {"family": "Inter"}"#;
    assert!(page(font).contains("https://fonts.googleapis.com/css?family=Inter"));
    let private = LoadOptions::from(SiteOptions {
        without_web_fonts: true,
        ..SiteOptions::default()
    });
    let text = html(&site_with(font, &[], &private), "/a");
    assert!(!text.contains("fonts.googleapis.com") && text.contains("--svc-font-body:\"Inter\""));
    let css = (
        "own.css",
        "@font-face { font-family: 'Inter'; src: url(i.woff2) }",
    );
    let declared = html(&site(font, &[css]), "/a");
    assert!(!declared.contains("fonts.googleapis.com"), "{declared}");
}

// spec: view.background.decoration, view.background.image accepts
#[test]
fn decoration_and_image_are_behind_the_page() {
    let text = page(
        r#""background": {"decoration": "grid", "image": {"light": "/l.png", "dark": "/d.png"}}"#,
    );
    let css = between(&text, "<style>", "</style>");
    assert!(css.contains("html::before{") && css.contains("url(\"/l.png\")"));
    assert!(css.contains("html.dark::before{background-image:url(\"/d.png\")}"));
    assert!(css.contains("html::after{"));
    assert!(!page("").contains("html::after{"));
}

// spec: view.seo.paths, view.seo.organization, view.seo.trailing-slash accepts
#[test]
fn directory_pages_publisher_and_trailing_slashes_are_in_the_metadata() {
    let there = LoadOptions::from(SiteOptions {
        origin: "https://docs.dev/".to_owned(),
        ..SiteOptions::default()
    });
    let seo = |more: &str| {
        let members = format!(
            r#""navigation": {{"pages": ["index", "x/b"]}}, "seo": {{"paths": [{{"path": "x", "metatags": {{"author": "Team"}}}}], "organization": {{"name": "Acme Ltd"}}{more}}}"#
        );
        let files = [("index.mdx", "[b](/x/b)"), ("x/b.mdx", "Text.")];
        site_with(&members, &files, &there)
    };
    let site = seo(r#", "trailingSlash": true"#);
    let (first, other) = (html(&site, "/"), html(&site, "/x/b"));
    assert!(other.contains("<meta name=\"author\" content=\"Team\">"));
    assert!(!first.contains("name=\"author\""));
    assert!(first.contains("\"name\":\"Acme Ltd\"") && other.contains("Acme Ltd"));
    assert!(first.contains("href=\"/x/b/\""), "{first}");
    assert!(other.contains("rel=\"canonical\" href=\"https://docs.dev/x/b/\""));
    let sitemap = site.generated_file(GeneratedFile::Sitemap, "http://request");
    let sitemap = String::from_utf8_lossy(&sitemap.bytes).into_owned();
    assert!(
        sitemap.contains("<loc>https://docs.dev/x/b/</loc>"),
        "{sitemap}"
    );
    let without = seo("");
    assert!(html(&without, "/").contains("href=\"/x/b\""));
}

/// A green square.
const GREEN: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' fill='#00ff00'/></svg>";

fn render_image(site: &Site, path: &str) -> Option<Vec<u8>> {
    let image = site.image(path)?;
    Some(site.render_image(&image).ok()?.bytes.to_vec())
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

// spec: view.thumbnails accepts
#[test]
fn every_page_has_a_preview_image_that_depends_on_the_settings() {
    let there = LoadOptions::from(SiteOptions {
        origin: "https://docs.dev".to_owned(),
        base_path: "/d".to_owned(),
        ..SiteOptions::default()
    });
    let of = |members: &str| {
        let site = site_with(members, &[("b.svg", GREEN)], &there);
        let text = html(&site, "/a");
        let start = "property=\"og:image\" content=\"https://docs.dev/d";
        let path = between(&text, start, "?v=").to_owned();
        let image = render_image(&site, &path).expect("it is rendered");
        assert!(image.starts_with(PNG), "{path}");
        (path, image)
    };
    let usual = of("");
    assert!(usual.0.starts_with("/_svc/cards/") && usual.0.ends_with("/a.png"));
    assert_eq!(usual, of(""));
    let mut seen = vec![usual];
    for thumbnails in [
        r#"{"appearance": "light"}"#,
        r#"{"appearance": "dark"}"#,
        r#"{"background": "/b.svg"}"#,
    ] {
        let next = of(&format!("\"thumbnails\": {thumbnails}"));
        assert!(
            seen.iter()
                .all(|other| other.0 != next.0 && other.1 != next.1)
        );
        seen.push(next);
    }
    let site = site_with("", &[], &there);
    assert!(site.image("/_svc/cards/0/missing.png").is_none());
    // A client may still use the path of an earlier deployment.
    assert!(site.image("/_svc/cards/0/a.png").is_some());
}

#[test]
fn icons_have_all_sizes_and_default_to_the_initial_of_the_site() {
    let custom = site(r#""favicon": "/f.svg""#, &[("f.svg", GREEN)]);
    let text = html(&custom, "/a");
    assert!(
        text.contains("<link rel=\"icon\" href=\"/f.svg\" type=\"image/svg+xml\" sizes=\"any\">")
    );
    let touch = between(&text, "rel=\"apple-touch-icon\" href=\"", "\"");
    assert!(render_image(&custom, touch).is_some_and(|png| png.starts_with(PNG)));
    let ico = render_image(&custom, "/favicon.ico").expect("it is rendered");
    assert!(ico.starts_with(&[0, 0, 1, 0, 3, 0]));
    let none = site("", &[]);
    assert_ne!(render_image(&none, "/favicon.ico"), Some(ico));
    assert!(html(&none, "/a").contains("/icon.svg\" type=\"image/svg+xml\""));
    let two = r#""favicon": {"light": "/f.svg", "dark": "/g.svg"}"#;
    let dark = GREEN.replace("00ff00", "001100");
    let two = html(&site(two, &[("f.svg", GREEN), ("g.svg", &dark)]), "/a");
    assert!(two.contains("href=\"/g.svg\" type=\"image/svg+xml\" sizes=\"any\" media=\"(prefers-color-scheme: dark)\""));
    assert_eq!(two.matches("apple-touch-icon").count(), 1);
}

#[test]
fn unusable_images_and_fonts_are_reported() {
    let bomb = "<svg xmlns='http://www.w3.org/2000/svg'><g id='a'><use href='#a'/></g></svg>";
    let docs = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["a"]},
        "favicon": "/f.svg", "thumbnails": {"background": "/f.svg"},
        "fonts": {"family": "F", "source": "/f.woff2", "format": "woff2"}}"##;
    let files = [
        ("docs.json", docs),
        ("a.mdx", "Text."),
        ("f.svg", bomb),
        ("f.woff2", "wOF2 nothing"),
    ];
    let checked = assemble(SourceTree::from_files(files), &LoadOptions::default()).expect("read");
    let codes: Vec<&str> = checked
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect();
    assert_eq!(codes, ["image-unusable", "image-unusable", "font-unusable"]);
    assert!(html(&checked.value, "/a").contains("<link rel=\"icon\" href=\"/f.svg\">"));
}

// spec: view.variables accepts
#[test]
fn variables_are_replaced_with_their_values() {
    let files = [(
        "a.mdx",
        "Use {{product}} and `{{product}}`.\n\n[{{product}}](/{{product}})",
    )];
    let text = html(&site(r#""variables": {"product": "Acme"}"#, &files), "/a");
    assert!(text.contains("Use Acme and <code>Acme</code>"), "{text}");
    assert!(text.contains("href=\"/Acme\""));
}

// spec: view.metadata.timestamp accepts
#[test]
fn a_page_shows_the_date_of_its_last_change() {
    let files = [(
        "a.mdx",
        "---\ntitle: A\nlastUpdatedDate: \"2025-01-02\"\n---\n",
    )];
    let text = html(&site(r#""metadata": {"timestamp": true}"#, &files), "/a");
    assert!(text.contains("datetime=\"2025-01-02\""));
    assert!(!html(&site("", &files), "/a").contains("<time"));
}
