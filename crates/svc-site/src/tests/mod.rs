//! Tests of the whole pipeline on small sites in memory.

use svc_diagnostics::{Checked, Severity};
use svc_source::SourceTree;

use crate::{
    Audience, GeneratedFile, LoadOptions, Resource, Site, SiteOptions, assemble, links, rebuild,
    validate,
};

mod broken;

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "description": "All of it", "colors": {"primary": "#0a7d4f"},
  "redirects": [{"source": "/old", "destination": "/guides/start"}],
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "guides/start", "guides/index"]}]}}"##;

fn site_of(files: &[(&str, &str)]) -> Checked<Site> {
    let files = [("docs.json", CONFIG)].iter().chain(files);
    let tree = SourceTree::from_files(files.copied());
    assemble(tree, &LoadOptions::default()).unwrap()
}

fn small() -> Checked<Site> {
    site_of(&[
        (
            "index.mdx",
            "---\ntitle: Home\n---\n\nWelcome. See [start](/guides/start#first-step) and [gone](/nowhere).\n",
        ),
        (
            "guides/start.mdx",
            "---\ntitle: Start\ndescription: How to begin\n---\n\n## First step\n\nDo it. [Up](./index) [bad](#missing) [file](/a.png) [old](/old)\n",
        ),
        (
            "guides/index.mdx",
            "---\ntitle: Guides\n---\n\nAll guides. [Data](/openapi.json)\n",
        ),
        ("hidden.mdx", "---\ntitle: Hidden\n---\n\nText.\n"),
        ("a.png", "not really"),
        ("openapi.json", "{\"a\": 1}"),
        (".env", "SECRET=1"),
    ])
}

fn html(site: &Site, path: &str) -> String {
    String::from_utf8(site.page(path).unwrap().html.bytes.to_vec()).unwrap()
}

#[test]
fn a_page_is_rendered_on_request_and_cached() {
    let site = small().value;
    assert!(site.cached_page("/guides/start").is_none());
    let page = html(&site, "/guides/start");
    assert!(page.contains("Do it.") && page.contains("<h1"), "{page}");
    assert!(site.cached_page("/guides/start").is_some());
    assert!(site.page("/nowhere").is_none());
}

#[test]
fn statistics_continue_in_the_next_site() {
    let site = small().value;
    let start = || html(&site, "/guides/start");
    assert_eq!(start(), start(), "the second one is not rendered");
    assert!(site.cached_page("/guides/start").is_some());
    let mut counted = site.statistics();
    assert_eq!((counted.pages.hits, counted.pages.misses), (1, 1));
    assert_eq!(counted.pages.entries, 1);
    assert!(counted.pages.bytes as usize >= start().len());
    assert!(!counted.render_time.is_zero());
    let warnings = counted.problems.warnings;
    site.summarize_all(1);
    counted = site.statistics();
    assert!(counted.problems.warnings >= warnings, "pages are included");
    let next = rebuild(&site, &LoadOptions::default()).unwrap().value;
    let pages = next.statistics().pages;
    assert_eq!((pages.hits, pages.misses), (1, 1));
    let file = |site: &Site| site.generated_file(GeneratedFile::Llms, "https://docs.example");
    let before = site.statistics().responses;
    assert_eq!(file(&site).etag, file(&site).etag);
    let after = site.statistics().responses;
    assert_eq!(after.misses, before.misses + 1);
    assert!(after.hits > before.hits && after.bytes > before.bytes && after.entries > 0);
}

#[test]
fn on_demand_and_ahead_of_time_rendering_give_the_same_bytes() {
    let (lazy, eager) = (small().value, small().value);
    eager.render_all(2, &|| true);
    for path in lazy.map.routes.keys().rev() {
        assert_eq!(html(&lazy, path), html(&eager, path), "{path}");
        assert_eq!(
            lazy.page(path).unwrap().html.etag,
            eager.page(path).unwrap().html.etag
        );
    }
    assert!(lazy.map.routes.len() >= 4);
}

#[test]
fn paths_resolve_to_resources() {
    let site = small().value;
    let resolve = |path: &str| match site.find(path) {
        Resource::Page(route) => format!("page {}", route.path),
        Resource::Asset(asset) => format!("asset {}", asset.content_type),
        Resource::PlaygroundSpec(route) => format!("call {}", route.path),
        Resource::Feed(route) => format!("feed {}", route.path),
        Resource::Markdown(route) => format!("twin {}", route.path),
        Resource::SchemaFragment(part) => format!("part {}", part.from),
        Resource::Image(image) => format!("drawing {}", image.content_type()),
        Resource::Variant(variant) => format!("variant {}", variant.content_type()),
        Resource::Generated(machine) => format!("machine {}", machine.path()),
        Resource::ApiText(_) => "api text".to_owned(),
        Resource::SectionFile(_) => "section".to_owned(),
        Resource::Discovery(_) => "discovery".to_owned(),
        Resource::Redirect { to, status } => format!("{status} {to}"),
        Resource::NotFound => "nothing".to_owned(),
    };
    for (path, expected) in [
        ("/", "page /"),
        ("/guides", "page /guides"),
        ("/guides/start", "page /guides/start"),
        ("/hidden", "page /hidden"),
        ("/guides/index", "308 /guides"),
        ("/index", "308 /"),
        ("/old", "308 /guides/start"),
        ("/guides/start.md", "twin /guides/start"),
        ("/index.md", "twin /"),
        ("/guides/index.md", "twin /guides"),
        ("/a.png", "asset image/png"),
        ("/openapi.json", "asset application/json"),
        ("/sitemap.xml", "machine /sitemap.xml"),
        ("/docs.json", "nothing"),
        ("/.env", "nothing"),
        ("/guides/start.mdx", "nothing"),
        ("/../docs.json", "nothing"),
        ("/nowhere", "nothing"),
    ] {
        assert_eq!(resolve(path), expected, "{path}");
    }
}

#[test]
fn broken_links_are_reported_with_their_location() {
    let site = small().value;
    let diagnostics = links::check(&site, 1);
    let diagnostics: Vec<(String, &str)> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.location_string(), diagnostic.code.id))
        .collect();
    assert_eq!(
        diagnostics,
        [
            ("index.mdx:5:52".to_owned(), "link-broken"),
            ("guides/start.mdx:8:22".to_owned(), "link-fragment")
        ]
    );
}

#[test]
fn identical_pages_share_their_article_but_not_their_diagnostics() {
    let text = "---\ntitle: Same\n---\n\n[gone](/nowhere)\n";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("docs.json"), CONFIG).unwrap();
    std::fs::create_dir(dir.path().join("guides")).unwrap();
    for path in ["index.mdx", "guides/start.mdx", "guides/index.mdx"] {
        std::fs::write(dir.path().join(path), text).unwrap();
    }
    let site = crate::load(dir.path(), &LoadOptions::default())
        .unwrap()
        .value;
    let pages: Vec<_> = site.pages.iter().collect();
    assert!(pages.iter().all(|page| site.is_repeated(page.file.text())));
    let locations: Vec<String> = links::check(&site, 1)
        .iter()
        .map(|diagnostic| diagnostic.location_string())
        .collect();
    assert_eq!(
        locations,
        [
            "index.mdx:5:1",
            "guides/start.mdx:5:1",
            "guides/index.mdx:5:1"
        ]
    );
}

#[test]
fn a_missing_configuration_is_reported_and_the_site_is_usable() {
    let tree = SourceTree::from_files([("a.mdx", "# A")]);
    let checked = assemble(tree, &LoadOptions::default()).unwrap();
    assert!(
        checked
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code.id == "site-no-config")
    );
    assert!(checked.has(Severity::Fatal));
}

#[test]
fn generated_files_list_visible_pages() {
    let site = small().value;
    let text = |machine| {
        String::from_utf8(site.generated_file(machine, "https://x.org").bytes.to_vec()).unwrap()
    };
    let sitemap = text(GeneratedFile::Sitemap);
    assert!(
        sitemap.contains("<loc>https://x.org/guides/start</loc>"),
        "{sitemap}"
    );
    assert!(!sitemap.contains("hidden"), "{sitemap}");
    let llms = text(GeneratedFile::Llms);
    assert!(llms.starts_with("# Acme\n\n> All of it\n"), "{llms}");
    assert!(
        llms.contains("- [Start](https://x.org/guides/start.md): How to begin ("),
        "{llms}"
    );
    assert!(!llms.contains("Hidden"), "{llms}");
    assert!(
        text(GeneratedFile::LlmsFull).contains("# Start\nSource: https://x.org/guides/start\n")
    );
    assert!(text(GeneratedFile::Robots).contains("Sitemap: https://x.org/sitemap.xml"));
}

#[test]
fn the_text_of_a_page_has_no_front_matter_and_note() {
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#112233"}, "navigation": {"pages": ["a"]}, "markdown": {"instructions": ["More"]}}"##;
    let page = "---\ntitle: T\ndescription: About\n---\n";
    let tree = SourceTree::from_files([("docs.json", config), ("a.mdx", page)]);
    let site = assemble(tree, &LoadOptions::default()).unwrap().value;
    let route = site.map.route("/a").unwrap();
    let text = site.compressed_page_text(route).unwrap();
    assert_eq!(&text.bytes[..], b"# T\n\n> About\n");
    let whole = site.markdown(route, "");
    assert!(whole.starts_with("---\ntitle: \"T\"\n"), "{whole}");
    assert!(whole.contains("> More\n"), "{whole}");
    assert!(whole.ends_with("\n# T\n\n> About\n"), "{whole}");
}

#[test]
fn synonyms_of_the_configuration_find_pages() {
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index", "login"]},
        "search": {"synonyms": [["SSO", "single sign-on"]]}}"##;
    let files = [
        ("docs.json", config),
        ("index.mdx", "Text."),
        ("login.mdx", "Use single sign-on."),
    ];
    let site = assemble(SourceTree::from_files(files), &LoadOptions::default()).unwrap();
    let results = site.value.search(&svc_search::Query::new("sso"));
    let paths: Vec<&str> = results
        .pages
        .iter()
        .map(|page| &*page.document.path)
        .collect();
    assert_eq!(paths, ["/login"]);
}

#[test]
fn search_documents_have_the_sections_of_pages() {
    let site = small().value;
    let documents = site.search_documents();
    let start = documents.iter().find(|page| page.path == "/guides/start");
    let [lead, step, ..] = &*start.unwrap().sections else {
        panic!("sections: {start:?}");
    };
    assert_eq!((&*lead.text, &*step.id), ("How to begin", "first-step"));
    assert!(step.text.contains("Do it."), "{step:?}");
    assert!(documents.iter().all(|page| !page.path.contains("hidden")));
}

#[test]
fn a_file_of_the_repository_replaces_a_generated_file() {
    let site = site_of(&[("index.mdx", ""), ("llms.txt", "own")]).value;
    assert!(matches!(site.find("/llms.txt"), Resource::Asset(_)));
}

#[test]
fn an_export_contains_every_kind_of_file() {
    let site = small().value;
    let out = tempfile::tempdir().unwrap();
    let report = crate::export(&site, out.path(), &crate::ExportOptions::default()).unwrap();
    assert_eq!((report.pages, report.broken), (site.map.routes.len(), 0));
    let read = |path: &str| {
        let bytes = std::fs::read(out.path().join(path)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    // Exported files have no headers, so the page contains the policy.
    let page = |path: &str| {
        let text = read(path);
        let lines = text.split_inclusive('\n');
        let (policy, rest): (Vec<&str>, Vec<&str>) =
            lines.partition(|line| line.contains("Content-Security-Policy"));
        assert_eq!(policy.len(), 1, "{path}");
        assert!(policy[0].contains("script-src 'self';"), "{policy:?}");
        rest.concat()
    };
    assert_eq!(
        page("guides/start/index.html"),
        html(&site, "/guides/start")
    );
    assert_eq!(page("index.html"), html(&site, "/"));
    assert!(read("guides/start.md").contains("# Start"));
    assert_eq!(read("a.png"), "not really");
    assert!(read("old/index.html").contains("url=/guides/start"));
    assert_eq!(read("_redirects"), "/old /guides/start 308\n");
    for file in [
        "404.html",
        "sitemap.xml",
        "robots.txt",
        "llms.txt",
        "llms-full.txt",
        "_svc/search/meta.bin",
        "schema/docs.json",
    ] {
        assert!(!read(file).is_empty(), "{file}");
    }
    for file in ["docs.json", ".env", "index.mdx"] {
        assert!(read(file).is_empty(), "{file}");
    }
}

#[test]
fn an_export_omits_redirects_that_cannot_take_effect() {
    let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "redirects": [
      {"source": "/loop", "destination": "/pool"}, {"source": "/pool", "destination": "/loop"},
      {"source": "/round/:a", "destination": "/round/:a"},
      {"source": "/into", "destination": "/loop"},
      {"source": "/old/", "destination": "/guides/index#top"},
      {"source": "/away", "destination": "https://example.com/index"},
      {"source": "/host", "destination": "//example.com/x"},
      {"source": "/home", "destination": "/index"},
      {"source": "/a.png/x", "destination": "/guides"},
      {"source": "/guides.md", "destination": "/guides"},
      {"source": "/x/../y", "destination": "/guides"},
      {"source": "/v1/*", "destination": "/guides/*"}],
      "navigation": {"pages": ["index", "guides/index"]}}"##;
    let tree = SourceTree::from_files([
        ("docs.json", config),
        ("index.mdx", "# Home"),
        ("guides/index.mdx", "# Guides"),
        ("a.png", "not really"),
    ]);
    let options = LoadOptions::from(SiteOptions {
        base_path: "/docs".to_owned(),
        ..SiteOptions::default()
    });
    let site = assemble(tree, &options).unwrap().value;
    let out = tempfile::tempdir().unwrap();
    crate::export(&site, out.path(), &crate::ExportOptions::default()).unwrap();
    let read = |path: &str| std::fs::read_to_string(out.path().join(path)).unwrap_or_default();
    let list = read("_redirects");
    for never in ["/loop", "/pool", "/round", "/into"] {
        assert!(!list.contains(&format!("{never} ")), "{list}");
    }
    assert!(list.contains("/docs/old /docs/guides#top 308\n"), "{list}");
    assert!(list.contains("/docs/home /docs/ 308\n"), "{list}");
    assert!(
        list.contains("/docs/v1/* /docs/guides/:splat 308\n"),
        "{list}"
    );
    for (file, to) in [
        ("old/index.html", "url=/docs/guides#top\""),
        ("home/index.html", "url=/docs/\""),
        ("away/index.html", "url=https://example.com/index\""),
        ("host/index.html", "url=//example.com/x\""),
        ("v1/index.html", "url=/docs/guides\""),
    ] {
        assert!(read(file).contains(to), "{file}: {}", read(file));
    }
    for never in ["loop/index.html", "into/index.html"] {
        assert!(read(never).is_empty(), "{never}");
    }
    assert_eq!(read("a.png"), "not really");
}

#[test]
fn a_configuration_that_is_not_utf8_is_reported_and_used() {
    let text = CONFIG.replace("Acme", "Café");
    let utf16 = |mark: &[u8]| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        mark.iter().copied().chain(units).collect::<Vec<u8>>()
    };
    let latin = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    for (bytes, name) in [(utf16(b"\xff\xfe"), "UTF-16"), (latin, "Latin-1")] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("docs.json"), bytes).unwrap();
        std::fs::write(dir.path().join("index.mdx"), "# A").unwrap();
        let checked = crate::load(dir.path(), &LoadOptions::default()).unwrap();
        let codes: Vec<&str> = checked
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id)
            .collect();
        let diagnostic = checked
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.code.id == "config-encoding");
        let diagnostic = diagnostic.unwrap_or_else(|| panic!("{codes:?}"));
        assert!(diagnostic.message.contains(name), "{}", diagnostic.message);
        assert!(
            diagnostic.location_string().starts_with("docs.json:1:"),
            "{}",
            diagnostic.location_string()
        );
        assert!(
            diagnostic
                .hint
                .as_ref()
                .is_some_and(|hint| hint.contains("UTF-8"))
        );
        assert!(!codes.contains(&"site-no-config") && !codes.contains(&"source-not-utf8"));
        assert_eq!(checked.value.config.name, "Café");
        assert!(
            checked
                .value
                .text_of("docs.json")
                .is_some_and(|text| text.contains("Café"))
        );
    }
}

#[test]
fn an_unknown_icon_is_reported_with_the_nearest_one() {
    let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
      "navigation": {"groups": [
        {"group": "A", "icon": "huose", "pages": ["index"]},
        {"group": "B", "icon": {"name": "brand-githb", "library": "tabler"}, "pages": ["b"]},
        {"group": "C", "icon": "telescope", "pages": ["c"]}]}}"##;
    let tree = SourceTree::from_files([
        ("docs.json", config),
        ("index.mdx", ""),
        ("b.mdx", ""),
        ("c.mdx", ""),
    ]);
    let diagnostics = assemble(tree, &LoadOptions::default()).unwrap().diagnostics;
    let diagnostics: Vec<_> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "config-icon-unknown")
        .map(|diagnostic| (diagnostic.message.as_str(), diagnostic.hint.as_deref()))
        .collect();
    assert_eq!(
        diagnostics,
        [
            (
                "`huose` is not an icon of Font Awesome",
                Some("did you mean `house`?")
            ),
            (
                "`brand-githb` is not an icon of Tabler",
                Some("did you mean `brand-github`?")
            ),
        ]
    );
}

#[test]
fn validate_accepts_a_directory_its_configuration_or_a_document() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("docs.json", CONFIG);
    write("index.mdx", "[gone](/nowhere)\n");
    write("spec.yaml", "openapi: 3.1.0\n");
    write("other.json", "{}");
    let codes = |path: &str| -> Vec<&'static str> {
        let validation = validate(&dir.path().join(path), &LoadOptions::default()).unwrap();
        validation
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id)
            .collect()
    };
    assert!(codes("").contains(&"link-broken"), "{:?}", codes(""));
    assert_eq!(codes(""), codes("docs.json"));
    assert!(!codes("spec.yaml").is_empty());
    assert_eq!(codes("other.json"), ["openapi-no-version"]);
    assert!(validate(&dir.path().join("none"), &LoadOptions::default()).is_err());
}

#[test]
#[expect(clippy::print_stdout, reason = "figures must be seen")]
fn no_icon_of_a_real_site_is_reported() {
    for name in ["mcp", "fastmcp", "trigger", "polar", "mintlify"] {
        let Some(root) = svc_test_support::reference_path(&format!("corpus/sites/{name}")) else {
            continue;
        };
        let read = svc_source::load(&root, &svc_source::LoadOptions::default()).unwrap();
        // The icons are in the configuration and in files that it includes; pages are not needed.
        let files = read
            .value
            .iter()
            .filter(|(path, _)| path.ends_with(".json"));
        let texts: Vec<(&str, &str)> = files
            .filter_map(|(path, _)| Some((path, &**read.value.text(path)?.text())))
            .collect();
        let misspelled = texts
            .iter()
            .map(|(path, text)| (*path, text.replace("\"icon\": \"", "\"icon\": \"qx")));
        for (tree, as_written) in [
            (SourceTree::from_files(texts.iter().copied()), true),
            (SourceTree::from_files(misspelled), false),
        ] {
            let diagnostics = assemble(tree, &LoadOptions::default()).unwrap().diagnostics;
            let reported: Vec<&str> = diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.code.id == "config-icon-unknown")
                .map(|diagnostic| diagnostic.message.as_str())
                .collect();
            println!(
                "{name}, as written {as_written}: {} reported",
                reported.len()
            );
            assert!(reported.is_empty() || !as_written, "{name}: {reported:?}");
        }
    }
}

#[test]
fn a_document_of_an_old_version_is_one_error() {
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#112233"}, "navigation": {"pages": ["a", "b", {"group": "G", "openapi": "old.json", "pages": ["GET /x", "GET /y"]}]}}"##;
    let site = site_of(&[
        ("docs.json", config),
        ("a.mdx", "---\ntitle: A\nopenapi: GET /x\n---\n"),
        ("b.mdx", "---\ntitle: B\nopenapi: old.json GET /y\n---\n"),
        ("old.json", r#"{"swagger": "1.2", "info": {}, "paths": {}}"#),
    ]);
    let errors = site.diagnostics.iter();
    let errors = errors.filter(|diagnostic| diagnostic.severity >= Severity::Error);
    let codes: Vec<&str> = errors.map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(codes, ["openapi-swagger-2"]);
}

#[test]
fn the_documents_are_in_one_archive_unless_the_site_is_protected() {
    // spec: oas.download.archive, oas.download.protected accepts
    let site = |settings: &str, audience: Audience| {
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#112233"}}, {settings} "api": {{"openapi": ["one.json", "two.json"]}}, "navigation": {{"pages": ["a"]}}}}"##
        );
        let document = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/x": {"get": {"summary": "X"}}}}"#;
        let tree = SourceTree::from_files([
            ("docs.json", config.as_str()),
            ("a.mdx", ""),
            ("one.json", document),
            ("two.json", document),
        ]);
        let options = LoadOptions::from(SiteOptions {
            audience,
            ..SiteOptions::default()
        });
        assemble(tree, &options).unwrap().value
    };
    let open = site("", Audience::Everyone);
    let resource = open.find("/api-specs.zip");
    assert!(
        matches!(resource, Resource::Generated(GeneratedFile::ApiSpecs)),
        "{resource:?}"
    );
    let archive = open.generated_file(GeneratedFile::ApiSpecs, "");
    let has = |name: &[u8]| archive.bytes.windows(name.len()).any(|part| part == name);
    assert!(archive.bytes.starts_with(b"PK") && has(b"one.json") && has(b"two.json"));
    let closed = r#""public": false,"#;
    for closed in [
        site(closed, Audience::Everyone),
        site(closed, Audience::Trusted),
    ] {
        assert!(matches!(closed.find("/api-specs.zip"), Resource::NotFound));
    }
}

/// A site with one document, and pages that link into it.
fn documented() -> Checked<Site> {
    let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
      "navigation": {"groups": [{"group": "Guides", "pages": ["index"]}, {"group": "API", "openapi": "api.yaml"}]}}"##;
    let api = "
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /trees:
    get:
      summary: List trees
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {$ref: '#/components/schemas/Tree'}}}
components:
  schemas:
    Tree:
      type: object
      properties:
        name: {type: string}
        parent: {$ref: '#/components/schemas/Tree'}
        soil: {properties: {layer: {properties: {sand: {properties: {grain: {properties: {size: {type: string}}}}}}}}}
";
    let page = "---\ntitle: Home\n---\n\n\
        [a](/api-reference/list-trees#response-name) [b](/api-reference/list-trees#response-parent-parent-name) \
        [c](/api-reference/list-trees#response-soil-layer-sand-grain-size) [d](/api-reference/list-trees#response-parent-nothing)\n";
    let files = [
        ("docs.json", config),
        ("api.yaml", api),
        ("index.mdx", page),
    ];
    assemble(SourceTree::from_files(files), &LoadOptions::default()).unwrap()
}

#[test]
fn only_schema_fragments_have_paths() {
    let site = documented().value;
    let is_piece = |path: &str| matches!(site.find(path), Resource::SchemaFragment(_));
    let tree = "/_svc/api/schema/response/en/api.yaml/components/schemas/Tree.html";
    assert!(is_piece(tree));
    let part = site.render_schema_fragment(tree).unwrap();
    let html = String::from_utf8_lossy(&part.html.bytes).into_owned();
    assert!(
        html.contains("id=\"soil-layer\"") && html.contains("noindex"),
        "{html}"
    );
    let second = site.render_schema_fragment(tree).unwrap();
    assert!(std::sync::Arc::ptr_eq(&part, &second), "it is cached");
    for bad_path in [
        "/_svc/api/schema/response/en/api.yaml/components/schemas/Bush.html",
        "/_svc/api/schema/response/en/api.yaml/components/schemas/Tree",
        "/_svc/api/schema/response/en/api.yaml/components/schemas/Tree~f0.html",
        "/_svc/api/schema/response/en/api.yaml/components/schemas/Tree~f007.html",
        "/_svc/api/schema/response/xx/api.yaml/components/schemas/Tree.html",
        "/_svc/api/schema/response/en/other.yaml/components/schemas/Tree.html",
        "/_svc/api/schema/both/en/api.yaml/components/schemas/Tree.html",
        "/_svc/api/schema/",
        "/_svc/api/",
    ] {
        assert!(!is_piece(bad_path), "{bad_path}");
        assert!(
            site.render_schema_fragment(bad_path).is_none(),
            "{bad_path}"
        );
    }
}

#[test]
fn a_fragment_that_no_visible_page_reaches_is_not_shown() {
    let files = [
        ("docs.json", CONFIG),
        ("index.mdx", "---\ntitle: Home\n---\n"),
        (
            "api.yaml",
            "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents: {schemas: {Tree: {properties: {a: {}}}}}\n",
        ),
    ];
    let site = assemble(SourceTree::from_files(files), &LoadOptions::default()).unwrap();
    let path = "/_svc/api/schema/response/en/api.yaml/components/schemas/Tree.html";
    assert!(site.value.render_schema_fragment(path).is_none());
}

#[test]
fn links_may_target_fragments_that_are_not_rendered_yet() {
    let site = documented().value;
    let diagnostics = links::check(&site, 1);
    let lines: Vec<&str> = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("response-parent-nothing"), "{lines:?}");
}

#[test]
fn an_export_contains_the_fragments_that_its_pages_link_to() {
    let dir = tempfile::tempdir().unwrap();
    let site = documented().value;
    crate::export(&site, dir.path(), &crate::ExportOptions::default()).unwrap();
    let base = dir
        .path()
        .join("_svc/api/schema/response/en/api.yaml/components/schemas");
    // Small schemas are inline in the page and in fragments; recursive ones have to be fetched.
    assert!(base.join("Tree.html").is_file());
    let page = dir.path().join("api-reference/list-trees/index.html");
    let page = std::fs::read_to_string(page).unwrap();
    let part = std::fs::read_to_string(base.join("Tree.html")).unwrap();
    for text in [page, part] {
        let links = text.split("/_svc/api/schema/").skip(1);
        for link in links.map(|rest| rest.split('"').next().unwrap_or_default()) {
            let file = dir.path().join("_svc/api/schema").join(link);
            assert!(file.is_file(), "{link}");
        }
        assert!(text.contains("/_svc/api/schema/"), "{text}");
    }
}
