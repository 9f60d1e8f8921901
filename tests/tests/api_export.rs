//! Sites of OpenAPI documents: every page can be exported, and no link is broken.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use svc_site::{ExportReport, Resource};
use svc_tests::loaded_site::{LoadedSite, program_errors};

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
    "navigation": {"groups": [{"group": "API", "openapi": "FILE"}, {"group": "More", "pages": ["index"]}]}}"##;

fn load_site(file: &str, text: &str) -> LoadedSite {
    let config = CONFIG.replace("FILE", file);
    let index = "---\ntitle: Start\n---\n\nText.\n";
    LoadedSite::of_files([
        ("docs.json", config.as_str()),
        (file, text),
        ("index.mdx", index),
    ])
    .expect("the site is made")
}

/// Decodes the entities of a URL in HTML.
fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|_| *first == b'%') {
            Some(byte) => {
                out.push(byte);
                rest = &after[2..];
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the paths that pages of the site link to, each with one page that does.
fn links(dir: &Path, report: &ExportReport) -> BTreeMap<String, String> {
    let mut links = BTreeMap::new();
    let pages = report.manifest.iter().map(|file| file.path.as_str());
    for page in pages.filter(|path| path.ends_with(".html") && !path.starts_with("_svc/")) {
        let html = fs::read_to_string(dir.join(page)).expect("a page that was written");
        for href in html.split(" href=\"").skip(1) {
            let href = href.split('"').next().unwrap_or_default();
            let path = href.split(['#', '?']).next().unwrap_or_default();
            if path.starts_with('/') && !path.starts_with("//") && !links.contains_key(path) {
                links.insert(path.to_owned(), page.to_owned());
            }
        }
    }
    links
        .into_iter()
        .map(|(path, page)| (unescaped(&path), page))
        .collect()
}

/// Exports a site and follows every link of every page in the directory and on a server. Links that
/// come from the document may be broken; the link check reports them.
fn assert_no_broken_links(name: &str, made: &LoadedSite) -> ExportReport {
    let out = tempfile::tempdir().expect("a directory for the site");
    let report = made.export(out.path()).expect("the site is written");
    let none: [String; 0] = [];
    assert_eq!(program_errors(&report.diagnostics), none, "{name}");
    assert_eq!(report.pages, made.site.map.routes.len(), "{name}");
    let odd: Vec<_> = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "export-name")
        .map(|diagnostic| &diagnostic.message)
        .collect();
    assert!(odd.is_empty(), "{name}: {odd:?}");
    for route in made.site.map.routes.values() {
        for part in route.path.split('/') {
            assert!(part.len() <= 104, "{name}: {}", route.path);
        }
        let reserved = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !"/-._~".contains(c);
        assert!(!route.path.contains(reserved), "{name}: {}", route.path);
    }
    let authored: BTreeSet<&str> = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "link-broken")
        .filter_map(|diagnostic| diagnostic.message.split('`').nth(1))
        .collect();
    let document = made.site.text_of(name).unwrap_or_default();
    let all = links(out.path(), &report);
    let mut broken = Vec::new();
    for (href, page) in &all {
        let path = decoded(href);
        let bare = path.trim_matches('/');
        let file = out.path().join(bare);
        let is_file = file.is_file() || file.join("index.html").is_file();
        let trimmed = path.trim_end_matches('/');
        let trimmed = if trimmed.is_empty() { "/" } else { trimmed };
        let is_served =
            !matches!(made.site.find(trimmed), Resource::NotFound) || trimmed.starts_with("/_svc/");
        let is_written = authored.contains(trimmed) || document.contains(trimmed);
        if !(is_written || is_file && is_served) {
            broken.push((href, page, is_file, is_served));
        }
    }
    eprintln!(
        "{name}: {} pages, {} files, {} MB, {} different links",
        report.pages,
        report.files,
        report.bytes >> 20,
        all.len()
    );
    broken.truncate(20);
    assert!(broken.is_empty(), "{name}: {broken:#?}");
    // All navigation links are among them.
    assert!(all.len() >= made.site.map.routes.len(), "{name}");
    // Machine-readable files contain the same URLs.
    let sitemap = fs::read_to_string(out.path().join("sitemap.xml")).expect("it is written");
    let llms = fs::read_to_string(out.path().join("llms.txt")).expect("it is written");
    let of_sitemap = sitemap.split("<loc>").skip(1);
    let of_sitemap = of_sitemap.filter_map(|rest| rest.split("</loc>").next());
    for url in of_sitemap {
        let path = decoded(url);
        assert!(
            matches!(made.site.find(&path), Resource::Page(_)),
            "{name}: {url}"
        );
    }
    for line in llms
        .lines()
        .filter(|line| line.starts_with("- [") && line.contains(".md)"))
    {
        let url = line
            .split("](")
            .nth(1)
            .and_then(|rest| rest.split(')').next());
        let path = decoded(url.unwrap_or_default());
        assert!(
            matches!(
                made.site.find(&path),
                Resource::Markdown(_) | Resource::ApiText(_)
            ),
            "{name}: {line}"
        );
    }
    report
}

fn operation(summary: &str, tag: &str) -> serde_json::Value {
    serde_json::json!({"summary": summary, "tags": [tag], "responses": {"200": {"description": "ok",
        "content": {"application/json": {"schema": {"type": "object", "properties": {"": {"type": "object", "properties": {"a\\b": {"type": "object", "properties": {"\u{0}": {"type": "object", "properties": {"x": {"type": "string"}}}}}}}}}}}}}})
}

#[test]
fn unusual_names_become_valid_paths() {
    let paragraph =
        "This event occurs when there is **activity** relating to something? ".repeat(20);
    let names = [
        ("a\\b", "App\\Http\\User"),
        ("nul\u{0}tag", "Nul \u{0} summary"),
        (&"long ".repeat(60), &paragraph),
        (&"long ".repeat(60), &paragraph),
        ("x".repeat(300).as_str(), "y".repeat(300).as_str()),
        ("Tag #1?", "What is `#1`? [deprecated] \"old\" & <new>"),
        ("Ünï", "Récupérer l’état 100%"),
        ("按", "获取（v1）"),
        ("..", "../../etc/passwd"),
        ("_svc", "index"),
        ("", ""),
        ("???", "???"),
        ("tabs\tand\nlines", "tabs\tand\nlines"),
    ]
    .map(|(tag, summary)| (tag.to_owned(), summary.to_owned()));
    let mut paths = serde_json::Map::new();
    for (at, (tag, summary)) in names.iter().enumerate() {
        let path = format!("/p{at}/{{id}}");
        paths.insert(path, serde_json::json!({"get": operation(summary, tag)}));
    }
    let mut chosen = operation("Chosen", "t");
    chosen["x-svc"] = serde_json::json!({"href": "/my page/is?here#now"});
    paths.insert("/chosen".to_owned(), serde_json::json!({ "get": chosen }));
    paths.insert("/bad key".to_owned(), serde_json::json!({"get": {"responses": {"": {"description": "odd", "content": {"": {"schema": {"type": "string"}}}}}}}));
    let text = serde_json::json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.test"}],
        "paths": paths, "webhooks": {"": {"post": {"responses": {}}}, "a/b\\c": {"post": {"summary": paragraph, "responses": {}}}}})
    .to_string();
    let made = load_site("api.json", &text);
    let report = assert_no_broken_links("odd names", &made);
    assert_eq!(report.pages, names.len() + 2 + 2 + 1);
    let paths: Vec<&str> = made.site.map.routes.keys().map(String::as_str).collect();
    for path in [
        "/api-reference/ab/apphttpuser",
        "/api-reference/nultag/nul--summary",
        "/api-reference/tag-1/what-is-1-deprecated-old--new",
        "/api-reference/ünï/récupérer-l’état-100",
        "/mypage/isherenow",
    ] {
        assert!(paths.contains(&path), "{path}: {paths:#?}");
    }
    let warned = made.diagnostics.iter();
    let warned: Vec<&str> = warned.map(|diagnostic| diagnostic.code.id).collect();
    assert!(warned.contains(&"nav-generated-address"), "{warned:?}");
    // Encoded in the page.
    let page = made.page("/").expect("the first page");
    assert!(
        page.contains("/api-reference/%C3%BCn%C3%AF/r%C3%A9cup%C3%A9rer-l%E2%80%99%C3%A9tat-100")
    );
}

/// A page whose name is not a valid file name is reported, and all others are exported.
#[test]
fn an_export_skips_pages_with_invalid_file_names() {
    let config = CONFIG.replace(r#"{"group": "API", "openapi": "FILE"},"#, "");
    let long = format!("{}.mdx", "n".repeat(400));
    let made = LoadedSite::of_files([
        ("docs.json", config.as_str()),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n"),
        (r"odd\name.mdx", "---\ntitle: Odd\n---\n\nText.\n"),
        (long.as_str(), "---\ntitle: Long\n---\n\nText.\n"),
    ])
    .expect("the site is made");
    let out = tempfile::tempdir().expect("a directory for the site");
    let report = made.export(out.path()).expect("the site is written");
    let odd: Vec<_> = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "export-name")
        .filter_map(|diagnostic| diagnostic.location.as_ref())
        .map(|at| at.file.to_string())
        .collect();
    assert_eq!(odd, [long.as_str(), r"odd\name.mdx"]);
    for file in ["index.html", "404.html", "sitemap.xml", "llms.txt"] {
        assert!(out.path().join(file).is_file(), "{file}");
    }
}

/// Every page contains the list of pages, so the list must not grow with their number.
#[test]
fn pages_of_a_very_large_group_stay_small() {
    let size = |operations: usize| {
        let paths: serde_json::Map<String, serde_json::Value> = (0..operations)
            .map(|at| {
                let own = serde_json::json!({"get": {"summary": format!("Get the thing number {at}"), "responses": {}}});
                (format!("/things/{at}"), own)
            })
            .collect();
        let text = serde_json::json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths});
        let made = load_site("api.json", &text.to_string());
        let at = operations / 2;
        let path = format!("/api-reference/get-the-thing-number-{at}");
        let page = made.page(&path).expect("the page is there");
        for near in [at - 1, at, at + 1] {
            assert!(
                page.contains(&format!("/get-the-thing-number-{near}\"")),
                "{near}"
            );
        }
        let shown = page.matches("svc-nav-link").count();
        (page.len(), shown)
    };
    let (small, some, large) = (size(300), size(1_000), size(4_000));
    assert!(small.1 >= 300, "a list of usual size is whole: {small:?}");
    assert!(some.0 < 100_000, "{some:?}");
    assert!(large.0 < some.0 + 2_000, "{some:?} {large:?}");
}

fn whole(name: &str) {
    let Some(path) = svc_test_support::reference_path(&format!("corpus/specs/{name}")) else {
        return;
    };
    let text = fs::read_to_string(path).expect("the document is text");
    let made = load_site(name, &text);
    assert_no_broken_links(name, &made);
}

#[test]
fn github_is_exported_completely() {
    whole("github-api.json");
}

#[test]
fn openai_is_exported_completely() {
    whole("openai.yaml");
}

#[test]
fn stripe_is_exported_completely() {
    whole("stripe-2022-04.json");
}
