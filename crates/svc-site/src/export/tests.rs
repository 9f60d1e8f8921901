//! Exports with relative URLs, redirects for hosts, compressed copies and manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::Path;

use sha2::Digest as _;
use svc_source::SourceTree;

use super::*;
use crate::{LoadOptions, SiteOptions, assemble};

const HEAD: &str = r##""theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "##;

fn site(base_path: &str, redirects: &str) -> Site {
    let config = format!(
        r##"{{{HEAD} "redirects": [{redirects}], "navigation": {{"groups": [
        {{"group": "A", "pages": ["index", "guides/start", "deep/er/page"]}}, {{"group": "API", "openapi": "pets.json"}}]}}}}"##
    );
    let tree = SourceTree::from_files([
        ("docs.json", config.as_str()),
        (
            "index.mdx",
            "# Hello\n\n[Start](/guides/start#a) [Self](/) [Old](/old) ![A](/images/a.png)\n",
        ),
        ("guides/start.mdx", "## a\n\n[Page](/deep/er/page?x=1)\n"),
        ("deep/er/page.mdx", "[Home](/)\n\n[Spec](/pets.json)\n"),
        ("images/a.png", "not really"),
        (
            "pets.json",
            r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
            "paths": {"/pets": {"get": {"summary": "List", "responses": {"200": {"description": "ok"}}}}}}"#,
        ),
    ]);
    let options = LoadOptions::from(SiteOptions {
        base_path: base_path.to_owned(),
        export: true,
        ..SiteOptions::default()
    });
    assemble(tree, &options).unwrap().value
}

fn written(site: &Site, options: &ExportOptions) -> (tempfile::TempDir, ExportReport) {
    let out = tempfile::tempdir().unwrap();
    let report = export(site, out.path(), options).unwrap();
    (out, report)
}

fn read(out: &tempfile::TempDir, path: &str) -> String {
    fs::read_to_string(out.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const OLD: &str = r#"{"source": "/old", "destination": "/guides/start"}"#;

#[test]
fn relative_urls_link_files_to_each_other() {
    let (out, _) = written(&site(RELATIVE_BASE, OLD), &ExportOptions::default());
    let home = read(&out, "index.html");
    for link in [
        "href=\"./guides/start/index.html#a\"",
        "href=\"./old/index.html\"",
        "src=\"./images/a.png\"",
        "data-base=\".\"",
    ] {
        assert!(home.contains(link), "{link}: {home}");
    }
    let start = read(&out, "guides/start/index.html");
    assert!(start.contains("href=\"../../deep/er/page/index.html?x=1\""));
    let page = read(&out, "deep/er/page/index.html");
    assert!(page.contains("href=\"../../../index.html\""));
    assert!(page.contains("href=\"../../../pets.json\""));
    assert!(page.contains("src=\"../../../_svc/assets/files."));
    assert!(read(&out, "old/index.html").contains("url=../guides/start/index.html\""));
    // The server may send this page for a path of any depth.
    let not_found = read(&out, "404.html");
    assert!(
        not_found.contains("href=\"/\"") && !not_found.contains("\"./_svc"),
        "{not_found}"
    );
    let search = read(&out, "_svc/search/meta.bin.js");
    assert!(search.starts_with("svcFile(\"H4sI") && search.ends_with("\", true)\n"));
}

#[test]
fn no_relative_base_is_left_in_any_file() {
    for flat in [false, true] {
        let options = ExportOptions {
            flat,
            ..ExportOptions::default()
        };
        let (out, report) = written(&site(RELATIVE_BASE, OLD), &options);
        for file in &report.manifest {
            let bytes = fs::read(out.path().join(&file.path)).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(RELATIVE_BASE), "{}", file.path);
        }
    }
}

#[test]
fn absolute_urls_stay_absolute() {
    let config = format!(r##"{{{HEAD} "navigation": {{"pages": ["index", "a/b"]}}}}"##);
    let tree = SourceTree::from_files([
        ("docs.json", config.as_str()),
        ("index.mdx", "# Hello\n"),
        ("a/b.mdx", "# There\n"),
    ]);
    let options = LoadOptions::from(SiteOptions {
        base_path: RELATIVE_BASE.to_owned(),
        origin: "https://docs.test/sub".to_owned(),
        export: true,
        ..SiteOptions::default()
    });
    let site = assemble(tree, &options).unwrap().value;
    let (out, _) = written(&site, &ExportOptions::default());
    assert!(
        read(&out, "a/b/index.html")
            .contains("<link rel=\"canonical\" href=\"https://docs.test/sub/a/b\"")
    );
    assert!(read(&out, "sitemap.xml").contains("<loc>https://docs.test/sub/a/b</loc>"));
}

#[test]
fn links_to_redirected_paths_target_the_destination() {
    let redirect = r#"{"source": "/was/:rest*", "destination": "/:rest*"}"#;
    let site = site(RELATIVE_BASE, redirect);
    let relative = Relative::new(&site, false, BTreeSet::new()).unwrap();
    let html = format!(
        "<a href=\"{RELATIVE_BASE}/was/deep/er/page?x#y\"> <a href=\"{RELATIVE_BASE}/was\"> <a href=\"{RELATIVE_BASE}/was/nothing\">"
    );
    let relative_html =
        String::from_utf8(relative.relativize("a/b.html", html.as_bytes())).unwrap();
    assert_eq!(
        relative_html,
        "<a href=\"../deep/er/page/index.html?x#y\"> <a href=\"../index.html\"> <a href=\"../was/nothing\">"
    );
}

const PATTERNS: &str = r#"{"source": "/old", "destination": "/guides/start", "permanent": false},
    {"source": "/v1/:slug*", "destination": "/v2/:slug*"},
    {"source": "/u/:user/posts/:id", "destination": "/p/:id-:user"},
    {"source": "/a/*/z", "destination": "/z/*"},
    {"source": "/pre-:x", "destination": "https://else.test/:x"},
    {"source": "/guides/:any", "destination": "/new/:any"},
    {"source": "/odd.path(1)x", "destination": "/x$y"}"#;

fn hosts(formats: &[RedirectFormat], base: &str) -> (tempfile::TempDir, Vec<String>) {
    let options = ExportOptions {
        redirects: formats.iter().copied().collect(),
        ..ExportOptions::default()
    };
    let (out, report) = written(&site(base, PATTERNS), &options);
    let left = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "redirect-left-out")
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    (out, left)
}

#[test]
fn patterns_are_pages_for_the_pages_that_they_lead_to() {
    let redirects = r#"{"source": "/first/:rest*", "destination": "/guides/start"}, {"source": "/was/start", "destination": "/"},
        {"source": "/was/:rest*", "destination": "/guides/:rest*#a"}, {"source": "/by/:lang/:name", "destination": "/guides/:name"},
        {"source": "/gh/:rest*", "destination": "https://git.test/:rest*"}, {"source": "/v/:a/x/:b", "destination": "/:a/er/:b"}"#;
    let options = ExportOptions {
        redirects: [RedirectFormat::Html].into(),
        ..ExportOptions::default()
    };
    let (out, report) = written(&site("/docs", redirects), &options);
    let to = |path: &str| {
        let text = fs::read_to_string(out.path().join(path)).ok()?;
        let (_, rest) = text.split_once("url=")?;
        Some(rest.split('"').next()?.to_owned())
    };
    assert_eq!(to("was/start/index.html").as_deref(), Some("/docs/"));
    assert_eq!(
        to("v/deep/x/page/index.html").as_deref(),
        Some("/docs/deep/er/page")
    );
    let left_out: Vec<&str> = report
        .diagnostics
        .iter()
        .filter(|one| one.code.id == "redirect-left-out")
        .filter_map(|one| one.message.split('`').nth(1))
        .collect();
    // The second pattern leads to one page only, and an earlier redirect has its path.
    assert_eq!(
        left_out,
        [
            "/first/:rest*",
            "/was/:rest*",
            "/by/:lang/:name",
            "/gh/:rest*"
        ]
    );
    let options = ExportOptions::default();
    let redirects = r#"{"source": "/was/:rest*", "destination": "/guides/:rest*#a"}, {"source": "/guides/began", "destination": "/guides/start"}, {"source": "/gh/:rest*", "destination": "https://git.test/:rest*"}"#;
    let (out, report) = written(&site("", redirects), &options);
    assert!(read(&out, "was/start/index.html").contains("url=/guides/start#a"));
    // A redirect that leads to another one.
    assert!(read(&out, "was/began/index.html").contains("url=/guides/began#a"));
    // The other host has them.
    let is_left_out = |one: &Diagnostic| one.code.id == "redirect-left-out";
    assert!(!report.diagnostics.iter().any(is_left_out));
}

#[test]
fn redirect_lists_contain_the_rules_that_their_hosts_support() {
    let (out, left) = hosts(&[RedirectFormat::Netlify], "/docs");
    let list = read(&out, "_redirects");
    for line in [
        "/docs/old /docs/guides/start 302",
        "/docs/v1/* /docs/v2/:splat 301",
        "/docs/u/:user/posts/:id /docs/p/:id-:user 301",
        "/docs/guides/:any /docs/new/:any 301",
    ] {
        assert!(list.lines().any(|text| text == line), "{line}: {list}");
    }
    assert_eq!(left.len(), 2, "{left:#?}");
    assert!(!out.path().join("old/index.html").exists());
    let (out, left) = hosts(&[RedirectFormat::Cloudflare], "");
    let list = read(&out, "_redirects");
    assert!(list.contains("/v1/* /v2/:splat 308\n"), "{list}");
    assert!(list.contains("/old /guides/start 307\n"), "{list}");
    // There a rule takes precedence over a file.
    assert!(!list.contains("/guides/:any"), "{list}");
    assert!(
        left.iter()
            .any(|text| text.contains("the page `/guides/start`")),
        "{left:#?}"
    );
}

#[test]
fn exports_contain_the_files_for_discovery_and_their_headers() {
    let (out, report) = written(&site("/docs", PATTERNS), &ExportOptions::default());
    let has = |path: &str| report.manifest.iter().any(|file| file.path == path);
    let index = read(&out, ".well-known/agent-skills/index.json");
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let skill = &index["skills"][0];
    let path = skill["url"]
        .as_str()
        .unwrap()
        .strip_prefix("/docs/")
        .unwrap();
    let text = read(&out, path);
    let digest = format!("sha256:{:x}", sha2::Sha256::digest(&text));
    assert_eq!(skill["digest"], digest);
    assert_eq!(read(&out, "skill.md"), text);
    assert!(has(".well-known/skills/index.json") && !has("sitemap-1.xml"));
    let headers = read(&out, "_headers");
    let expected = "/docs/*\n  Link: </docs/llms.txt>; rel=\"llms-txt\", ";
    assert!(headers.starts_with(expected), "{headers}");
    assert!(
        headers.contains("  X-Llms-Txt: /docs/llms.txt\n"),
        "{headers}"
    );
    assert!(!headers.contains("mcp"), "{headers}");
    let (out, _) = hosts(&[RedirectFormat::Vercel], "/docs");
    let settings: serde_json::Value = serde_json::from_str(&read(&out, "vercel.json")).unwrap();
    assert_eq!(settings["headers"][0]["source"], "/docs/(.*)");
    assert_eq!(settings["headers"][0]["headers"][0]["key"], "Link");
    assert!(!out.path().join("_headers").exists());
    // The digest is that of the text without the marks of relative URLs.
    let (out, _) = written(&site(RELATIVE_BASE, PATTERNS), &ExportOptions::default());
    let index = read(&out, ".well-known/agent-skills/index.json");
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let skill = &index["skills"][0];
    let text = read(&out, skill["url"].as_str().unwrap().trim_start_matches('/'));
    assert_eq!(
        skill["digest"],
        format!("sha256:{:x}", sha2::Sha256::digest(&text))
    );
    assert!(read(&out, "_headers").contains("  Link: </llms.txt>;"));
}

#[test]
fn vercel_redirects_use_path_to_regexp() {
    let (out, left) = hosts(&[RedirectFormat::Vercel], "");
    let settings: serde_json::Value = serde_json::from_str(&read(&out, "vercel.json")).unwrap();
    let of = |source: &str| {
        let mut all = settings["redirects"].as_array().unwrap().iter();
        let redirect = all.find(|item| item["source"] == source);
        let redirect = redirect.unwrap_or_else(|| panic!("{source}: {settings:#}"));
        (
            redirect["destination"].as_str().unwrap().to_owned(),
            redirect["permanent"] == true,
        )
    };
    assert_eq!(of("/old"), ("/guides/start".to_owned(), false));
    assert_eq!(of("/v1/:part1*"), ("/v2/:part1*".to_owned(), true));
    assert_eq!(of("/u/:part1/posts/:part3").0, "/p/:part3-:part1");
    assert_eq!(of("/a/:part1*/z").0, "/z/:part1*");
    assert_eq!(of("/pre-:part0").0, "https://else.test/:part0");
    assert_eq!(of("/odd.path\\(1\\)x").0, "/x$y");
    assert_eq!(left.len(), 1, "{left:#?}");
}

#[test]
fn nginx_and_apache_get_regular_expressions() {
    let (out, _) = hosts(&[RedirectFormat::Nginx, RedirectFormat::Apache], "/docs");
    let nginx = read(&out, "redirects.nginx.conf");
    for line in [
        r#"location ~ "^/docs/old/?$" { return 307 "/docs/guides/start$is_args$args"; }"#,
        r#"location ~ "^/docs/v1(?:/(.*))?/?$" { return 308 "/docs/v2/$1$is_args$args"; }"#,
        r#"location ~ "^/docs/u/([^/]+)/posts/([^/]+)/?$" { return 308 "/docs/p/$2-$1$is_args$args"; }"#,
    ] {
        assert!(nginx.lines().any(|text| text == line), "{line}: {nginx}");
    }
    assert!(!nginx.contains("x$y"), "{nginx}");
    let apache = read(&out, ".htaccess");
    for line in [
        r#"RedirectMatch 307 "^/docs/old/?$" "/docs/guides/start""#,
        r#"RedirectMatch 308 "^/docs/a(?:/(.*))?/z/?$" "/docs/z/$1""#,
        r#"RedirectMatch 308 "^/docs/pre\-([^/]+)/?$" "https://else.test/$1""#,
        r#"RedirectMatch 308 "^/docs/odd\.path\(1\)x/?$" "/docs/x\$y""#,
    ] {
        let line = line.replace("pre\\-", "pre-");
        assert!(apache.lines().any(|text| text == line), "{line}: {apache}");
    }
}

fn all(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().display().to_string();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Compares the manifest with the files in the directory.
fn is_exact(out: &tempfile::TempDir, report: &ExportReport) {
    let files = all(out.path());
    let paths: BTreeSet<&str> = report.manifest.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, files.keys().map(String::as_str).collect());
    for file in &report.manifest {
        let bytes = &files[&file.path];
        assert_eq!(file.bytes, bytes.len() as u64, "{}", file.path);
        let hash = format!("{:x}", <sha2::Sha256 as sha2::Digest>::digest(bytes));
        assert_eq!(file.sha256, hash, "{}", file.path);
    }
}

/// A file of the repository at the path of a feed, and a page at the path of the error page.
#[test]
fn files_of_the_repository_replace_generated_ones() {
    let config = format!(r##"{{{HEAD} "navigation": {{"pages": ["changes", "404"]}}}}"##);
    let tree = SourceTree::from_files([
        ("docs.json", config.as_str()),
        ("changes.mdx", "<Update label=\"One\">First.</Update>\n"),
        ("changes/rss.xml", "<own/>"),
        ("404.mdx", "Lost, and found.\n"),
    ]);
    let site = assemble(tree, &LoadOptions::default()).unwrap().value;
    let options = ExportOptions {
        flat: true,
        ..ExportOptions::default()
    };
    let (out, report) = written(&site, &options);
    is_exact(&out, &report);
    assert_eq!(read(&out, "changes/rss.xml"), "<own/>");
    assert!(read(&out, "404.html").contains("Lost, and found."));
}

#[test]
fn the_manifest_lists_exactly_the_written_files() {
    let options = ExportOptions {
        precompress: vec![ContentEncoding::Gzip],
        ..ExportOptions::default()
    };
    let (out, report) = written(&site("", OLD), &options);
    is_exact(&out, &report);
    let list = manifest_json(&report.manifest);
    assert_eq!(parse_manifest(&list).unwrap(), report.manifest);
    assert!(parse_manifest("{}").is_err() && parse_manifest("[").is_err());
    let manifest = r#"[{"path": "../x", "bytes": 1, "sha256": ""}]"#;
    assert_eq!(parse_manifest(manifest).unwrap(), []);
}

#[test]
fn compressed_copies_contain_the_file_and_are_smaller() {
    let options = ExportOptions {
        precompress: vec![ContentEncoding::Gzip, ContentEncoding::Brotli],
        ..ExportOptions::default()
    };
    let (out, report) = written(&site("", OLD), &options);
    let page = fs::read(out.path().join("index.html")).unwrap();
    let mut plain = Vec::new();
    let packed = fs::read(out.path().join("index.html.gz")).unwrap();
    flate2::read::GzDecoder::new(&*packed)
        .read_to_end(&mut plain)
        .unwrap();
    assert_eq!(plain, page);
    let packed = fs::read(out.path().join("index.html.br")).unwrap();
    plain.clear();
    brotli::BrotliDecompress(&mut &*packed, &mut plain).unwrap();
    assert_eq!(plain, page);
    let sizes: BTreeMap<&str, u64> = report
        .manifest
        .iter()
        .map(|file| (&*file.path, file.bytes))
        .collect();
    for (path, size) in &sizes {
        for ending in [".gz", ".br"] {
            if let Some(original) = path.strip_suffix(ending) {
                assert!(*size < sizes[original], "{path}");
            }
        }
    }
    assert!(!sizes.contains_key("images/a.png.gz"));
    let second = written(&site("", OLD), &options);
    assert_eq!(second.1.manifest, report.manifest);
}

#[test]
fn only_unmodified_files_of_the_manifest_are_removed() {
    let (out, before) = written(&site("", OLD), &ExportOptions::default());
    for (path, text) in [("mine.txt", "mine"), ("guides/start.md", "changed")] {
        fs::write(out.path().join(path), text).unwrap();
    }
    let stays =
        |file: &ExportedFile| !file.path.contains("guides/start") && file.path != "old/index.html";
    let now: Vec<ExportedFile> = before
        .manifest
        .iter()
        .filter(|file| stays(file))
        .cloned()
        .collect();
    let removed = remove_stale(out.path(), &before.manifest, &now).unwrap();
    assert_eq!(removed, before.manifest.len() - now.len() - 1);
    let exists = |path: &str| out.path().join(path).exists();
    assert!(exists("mine.txt") && exists("guides/start.md") && exists("index.html"));
    assert!(!exists("guides/start") && !exists("old"));
}
