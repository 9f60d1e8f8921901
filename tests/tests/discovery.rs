//! Sitemaps, feeds, structured data, `robots.txt` and `Link` headers, checked by npm packages that
//! read them for other purposes.
//!
//! `tests/src/discovery.mjs` names the packages. The XML schema of sitemaps is that of
//! sitemaps.org, the vocabulary of structured data that of schema.org.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use svc_nav::Route;
use svc_site::{DiscoveryFile, GeneratedFile, LoadOptions, Resource, Site, SiteOptions};
use svc_source::SourceTree;
use svc_tests::{sites, tools};

type TestResult = Result<(), Box<dyn Error>>;

const ORIGIN: &str = "https://docs.example.com";
/// Number of pages of each site whose structured data is checked.
const PAGES: usize = 40;

/// Files with URLs in all languages, parts of the navigation and kinds of pages.
const FILES: &[(&str, &str)] = &[
    (
        "docs.json",
        r##"{"theme": "svc", "name": "Acme <&> \"docs\"", "description": "All about it", "colors": {"primary": "#0a7d4f"},
          "seo": {"organization": {"name": "Acme Ltd", "legalName": "Acme Limited", "url": "https://acme.dev", "logo": "https://acme.dev/logo.png", "sameAs": ["https://x.com/acme"]},
                  "crawlers": {"training": false}},
          "navigation": {"languages": [
            {"language": "en", "groups": [{"group": "Guides", "pages": ["index", "a & b", {"group": "Deep", "pages": ["deep/one"]}]}, {"group": "API", "openapi": "api.yaml"}]},
            {"language": "cn", "groups": [{"group": "Guides", "pages": ["cn/index", "cn/deep/one"]}]},
            {"language": "fr-CA", "groups": [{"group": "Guides", "pages": ["fr-CA/index", "fr-CA/changes"]}]}]}}"##,
    ),
    (
        "api.yaml",
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://api.acme.dev/v1'}]\npaths:\n  /x:\n    get: {summary: Read x, responses: {}}\n",
    ),
    (
        "index.mdx",
        "---\ntitle: Home\nlastUpdatedDate: 2026-03-05\n---\n",
    ),
    (
        "a & b.mdx",
        "---\ntitle: A & <b>\ndescription: '\"quoted\" </script>'\n---\n",
    ),
    ("deep/one.mdx", "---\ntitle: One\n---\n"),
    ("cn/index.mdx", "---\ntitle: 首页\n---\n"),
    ("cn/deep/one.mdx", "---\ntitle: 一\n---\n"),
    ("fr-CA/index.mdx", "---\ntitle: Accueil\n---\n"),
    (
        "fr-CA/changes.mdx",
        "---\ntitle: Nouveautés & <b>\n---\n\n<Update label=\"March 4, 2026\" description=\"v1\">\n## One & two\n\nText with `code` & <b>bold</b>.\n\n## Three\n\nMore.\n</Update>\n\n<Update label=\"v0\">Old</Update>\n",
    ),
];

fn options() -> LoadOptions {
    LoadOptions::from(SiteOptions {
        origin: ORIGIN.to_owned(),
        ..SiteOptions::default()
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the checker reads, without entries.
fn empty_input() -> Value {
    json!({ "sitemaps": [], "feeds": [], "structured_data": [], "robots": [], "links": [] })
}

fn push(input: &mut Value, kind: &str, entry: Value) {
    if let Some(list) = input[kind].as_array_mut() {
        list.push(entry);
    }
}

/// Adds the files of a site.
fn add_site(input: &mut Value, name: &str, site: &Site) -> Result<(), Box<dyn Error>> {
    let sitemap = site.generated_file(GeneratedFile::Sitemap, ORIGIN);
    push(
        input,
        "sitemaps",
        json!({ "name": format!("{name} sitemap.xml"), "text": text(&sitemap.bytes) }),
    );
    let robots = site.generated_file(GeneratedFile::Robots, ORIGIN);
    let expected = json!([
        ["Googlebot", format!("{ORIGIN}/x"), true],
        [
            "GPTBot",
            format!("{ORIGIN}/x"),
            site.config.seo.crawlers.training
        ],
        [
            "ChatGPT-User",
            format!("{ORIGIN}/x"),
            site.config.seo.crawlers.answers
        ],
        [
            "OAI-SearchBot",
            format!("{ORIGIN}/x"),
            site.config.seo.crawlers.search
        ],
    ]);
    push(
        input,
        "robots",
        json!({ "name": format!("{name} robots.txt"), "text": text(&robots.bytes), "url": format!("{ORIGIN}/robots.txt"), "expected": expected }),
    );
    for route in site.map.routes.values() {
        let path = format!("{}/rss.xml", route.path.trim_end_matches('/'));
        if matches!(site.find(&path), Resource::Feed(_)) {
            let feed = site.feed(route, ORIGIN);
            push(
                input,
                "feeds",
                json!({ "name": format!("{name} {path}"), "text": feed }),
            );
        }
    }
    let routes: Vec<&Route> = site.map.routes.values().collect();
    for route in sites::sample(&routes, PAGES) {
        let page = site.page(&route.path).ok_or("the page is rendered")?;
        let html = text(&page.html.bytes);
        if let Some((_, rest)) = html.split_once("<script type=\"application/ld+json\">") {
            let data = rest.split("</script>").next().unwrap_or_default();
            push(
                input,
                "structured_data",
                json!({ "name": format!("{name} {}", route.path), "text": data }),
            );
        }
    }
    Ok(())
}

/// The problems that the checker finds.
fn problems(packages: &Path, input: &mut Value) -> Result<Vec<String>, Box<dyn Error>> {
    let here = sites::workspace().join("tests/src");
    input["modules"] = json!(packages);
    input["xhtml"] = json!(here.join("xhtml-link.xsd"));
    let mut node = Command::new("node")
        .arg(here.join("discovery.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    node.stdin
        .take()
        .ok_or("no standard input")?
        .write_all(input.to_string().as_bytes())?;
    let output = node.wait_with_output()?;
    serde_json::from_slice(&output.stdout)
        .map_err(|reason| format!("{reason}: {}", text(&output.stderr)).into())
}

/// The directory of the npm packages; `None` if they are missing.
fn packages() -> Option<std::path::PathBuf> {
    // The last one that was added to the list.
    let file = tools::npm("@adobe/structured-data-validator/src/validator.js")?;
    file.ancestors().nth(4).map(Path::to_owned)
}

#[test]
fn machine_readable_files_of_real_sites_are_valid() -> TestResult {
    let Some(packages) = packages() else {
        return Ok(());
    };
    let mut input = empty_input();
    let site = svc_site::assemble(SourceTree::from_files(FILES.iter().copied()), &options())?;
    add_site(&mut input, "files", &site.value)?;
    let sitemap = input["sitemaps"][0]["text"].as_str().unwrap_or_default();
    assert!(
        sitemap.contains("hreflang=\"fr-CA\"") && sitemap.contains("x-default"),
        "{sitemap}"
    );
    add_site(
        &mut input,
        "docs",
        &svc_site::load(&sites::docs(), &options())?.value,
    )?;
    for name in sites::NAMES {
        let Some(root) = sites::site(name) else {
            continue;
        };
        svc_site::worker::trust_components();
        add_site(&mut input, name, &svc_site::load(&root, &options())?.value)?;
    }
    for kind in ["sitemaps", "feeds", "structured_data", "robots"] {
        let count = input[kind].as_array().map_or(0, Vec::len);
        eprintln!("{count} {kind}");
        assert!(count > 0, "{kind}");
    }
    let problems = problems(&packages, &mut input)?;
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

#[test]
fn link_headers_name_what_the_site_has() -> TestResult {
    let Some(packages) = packages() else {
        return Ok(());
    };
    let mut input = empty_input();
    let site = svc_site::assemble(SourceTree::from_files(FILES.iter().copied()), &options())?.value;
    let expected = |mcp: bool| {
        let mut links = vec![
            ["llms-txt", "/llms.txt"],
            ["llms-full-txt", "/llms-full.txt"],
            ["api-catalog", "/.well-known/api-catalog"],
        ];
        if mcp {
            links.push(["mcp-server-card", "/.well-known/mcp/server-card.json"]);
        }
        links.push(["agent-skills", "/.well-known/agent-skills/index.json"]);
        links
    };
    for mcp in [false, true] {
        let entry =
            json!({ "name": "Link", "text": site.discovery_links(mcp), "expected": expected(mcp) });
        push(&mut input, "links", entry);
    }
    assert_eq!(problems(&packages, &mut input)?, Vec::<String>::new());
    // The catalog, which has no other checker here, names the document and its API (RFC 9264).
    let file = DiscoveryFile::ApiCatalog;
    let catalog = site
        .discovery_file(&file, ORIGIN, false)
        .ok_or("it exists")?;
    let catalog: Value = serde_json::from_slice(&catalog.bytes)?;
    let context = &catalog["linkset"][0];
    assert_eq!(context["anchor"], "https://api.acme.dev/v1");
    assert_eq!(
        context["service-desc"][0]["href"],
        format!("{ORIGIN}/api.yaml")
    );
    Ok(())
}

#[test]
fn the_checker_reports_invalid_files() -> TestResult {
    let Some(packages) = packages() else {
        return Ok(());
    };
    let urlset = |entry: &str| {
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{entry}</urlset>"
        )
    };
    let feed = |item: &str| {
        format!(
            "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><title>a</title><link>https://a.dev</link><description>d</description><atom:link href=\"https://a.dev/rss.xml\" rel=\"self\"/>{item}</channel></rss>"
        )
    };
    let graph = |node: &str| format!("{{\"@context\":\"https://schema.org\",\"@graph\":[{node}]}}");
    let cases = [
        (
            "sitemaps",
            urlset("<url><lastmod>2026-01-01</lastmod><loc>https://a.dev/long</loc></url>"),
        ),
        (
            "sitemaps",
            urlset("<url><loc>https://a.dev/long</loc><lastmod>soon</lastmod></url>"),
        ),
        (
            "sitemaps",
            urlset(
                "<url><loc>https://a.dev/long</loc><xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"/a\"/></url>",
            ),
        ),
        ("sitemaps", urlset("")),
        ("sitemaps", "<urlset>".to_owned()),
        (
            "feeds",
            feed("<item><link>https://a.dev/x</link><guid>https://a.dev/x</guid></item>"),
        ),
        (
            "feeds",
            feed("<item><title>t</title><link>x</link><guid>https://a.dev/x</guid></item>"),
        ),
        (
            "feeds",
            feed(
                "<item><title>t</title><link>https://a.dev/x</link><guid>https://a.dev/x</guid><pubDate>Mon, 04 Mar 2026 00:00:00 GMT</pubDate></item>",
            ),
        ),
        (
            "structured_data",
            graph("{\"@type\":\"TechArticle\",\"headlin\":\"x\"}"),
        ),
        (
            "structured_data",
            graph("{\"@type\":\"TechArtikel\",\"headline\":\"x\"}"),
        ),
        (
            "structured_data",
            graph("{\"@type\":\"TechArticle\",\"isPartOf\":{\"@id\":\"https://a.dev/\"}}"),
        ),
        (
            "structured_data",
            graph(
                "{\"@type\":\"BreadcrumbList\",\"itemListElement\":[{\"@type\":\"ListItem\",\"position\":1}]}",
            ),
        ),
    ];
    let mut input = empty_input();
    for (at, (kind, text)) in cases.iter().enumerate() {
        push(
            &mut input,
            kind,
            json!({ "name": format!("case {at}"), "text": text }),
        );
    }
    let problems = problems(&packages, &mut input)?;
    for (at, (_, text)) in cases.iter().enumerate() {
        let start = format!("case {at}: ");
        assert!(
            problems.iter().any(|problem| problem.starts_with(&start)),
            "{text}\n{problems:#?}"
        );
    }
    Ok(())
}
