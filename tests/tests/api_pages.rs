//! Pages of API references stay small however large their document is, and everything that they
//! leave out can be opened.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use svc_tests::loaded_site::LoadedSite;
use svc_tests::markup::{elements, tags};
use svc_tests::sites;

type TestResult = Result<(), Box<dyn Error>>;

/// Maximum size of a page in bytes of HTML before the reader opens anything.
const MAX_BYTES: usize = 300_000;
const MAX_ELEMENTS: usize = 4_000;

/// Returns whether to check everything, which takes many minutes.
fn is_thorough() -> bool {
    std::env::var_os("SVC_THOROUGH").is_some()
}

/// Returns the documents of the corpus, the largest first.
fn documents() -> Vec<(u64, PathBuf)> {
    let Some(dir) = svc_test_support::reference_path("corpus/specs") else {
        return Vec::new();
    };
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut documents: Vec<(u64, PathBuf)> = files
        .filter(|file| file.file_name() != "manifest.json")
        .filter_map(|file| Some((file.metadata().ok()?.len(), file.path())))
        .collect();
    documents.sort();
    documents.reverse();
    documents
}

/// Returns a site with a page for every operation, webhook and data model of a document.
fn site_of(path: &Path) -> Result<LoadedSite, Box<dyn Error>> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or("a document has no name")?;
    let text = std::fs::read_to_string(path)?;
    let config = format!(
        r##"{{"theme": "svc", "name": "T", "colors": {{"primary": "#16a34a"}}, "navigation": {{"openapi": "{name}"}}}}"##
    );
    let file = svc_diagnostics::SourceFile::new(name, text.as_str());
    let document = svc_openapi::parse(&file).value.ok_or("it is no document")?;
    let mut files = vec![
        ("docs.json".to_owned(), config),
        (name.to_owned(), text.clone()),
    ];
    // Pages that are not part of the navigation.
    for (at, schema) in document.schema_names().enumerate() {
        let front = format!("---\ntitle: S\nopenapi-schema: {schema:?}\n---\n");
        files.push((format!("schemas/{at}.mdx"), front));
    }
    Ok(LoadedSite::of_files(files)?)
}

/// Statistics of a run.
#[derive(Default)]
struct RunStats {
    pages: usize,
    parts: usize,
    bytes: usize,
    max_bytes: (usize, String),
    max_elements: (usize, String),
    small: usize,
    failures: Vec<String>,
}

impl RunStats {
    fn record(&mut self, label: &str, html: &str) {
        let count = elements(html);
        if html.len() > MAX_BYTES || count > MAX_ELEMENTS {
            self.failures
                .push(format!("{label}: {} bytes, {count} elements", html.len()));
        }
        self.small += usize::from(html.len() < 100_000);
        self.bytes += html.len();
        self.max_bytes = std::mem::take(&mut self.max_bytes).max((html.len(), label.to_owned()));
        self.max_elements = std::mem::take(&mut self.max_elements).max((count, label.to_owned()));
    }
}

#[test]
fn every_page_of_every_document_is_small_with_all_parts_closed() -> TestResult {
    let mut documents = documents();
    let (pages, parts) = if is_thorough() {
        (usize::MAX, 2_000)
    } else {
        documents.retain(|(_, path)| {
            let name = path.file_stem().and_then(|name| name.to_str());
            name.is_some_and(|name| SAMPLE.contains(&name))
        });
        (24, 40)
    };
    if documents.is_empty() {
        return Ok(());
    }
    let mut seen = RunStats::default();
    for (_, path) in &documents {
        let name = path.display().to_string();
        let name = name.rsplit('/').next().unwrap_or_default();
        let Ok(made) = site_of(path) else {
            eprintln!("{name}: no document that can be shown");
            continue;
        };
        one(&made, name, (pages, parts), &mut seen);
    }
    eprintln!(
        "{} documents, {} pages, {} parts; pages and parts have {} bytes on average, {} of them less than 100 kB; the largest {:?}, the fullest {:?}",
        documents.len(),
        seen.pages,
        seen.parts,
        seen.bytes / (seen.pages + seen.parts).max(1),
        seen.small,
        seen.max_bytes,
        seen.max_elements
    );
    assert!(seen.pages >= 100, "only {} pages", seen.pages);
    assert!(seen.parts >= 100, "only {} parts", seen.parts);
    let wrong = &seen.failures;
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
    Ok(())
}

/// Large documents, deep ones, and one whose schemas contain each other.
const SAMPLE: [&str; 6] = [
    "stripe-2022-04",
    "polar-2026-04",
    "k8s-core-v1",
    "adyen-checkout-v71",
    "openhands-agent-sdk",
    "polymorphism-circular",
];

fn one(made: &LoadedSite, name: &str, (pages, parts): (usize, usize), seen: &mut RunStats) {
    let routes: Vec<&String> = made.site.map.routes.keys().collect();
    let mut open: Vec<String> = Vec::new();
    for path in sites::sample(&routes, pages.min(routes.len())) {
        let label = format!("{name} {path}");
        let Some(page) = made.site.page(path) else {
            seen.failures.push(format!("{label}: there is no page"));
            continue;
        };
        if page.broken {
            seen.failures
                .push(format!("{label}: it cannot be rendered"));
        }
        let html = String::from_utf8_lossy(&page.html.bytes);
        seen.pages += 1;
        seen.record(&label, &html);
        open.extend(links(&html));
    }
    let mut known: BTreeSet<String> = open.iter().cloned().collect();
    let mut left = parts;
    open = known.iter().cloned().collect();
    while let Some(path) = open.pop().filter(|_| left > 0) {
        left -= 1;
        let Some(part) = made.site.render_schema_fragment(&path) else {
            seen.failures
                .push(format!("{name} {path}: there is no such part"));
            continue;
        };
        let html = String::from_utf8_lossy(&part.html.bytes);
        seen.parts += 1;
        seen.record(&format!("{name} {path}"), &html);
        let inside = html.split("data-svc-part-inside>").nth(1);
        let shown = inside.is_some_and(|inside| inside.contains("class=\"svc-"));
        if !shown {
            seen.failures
                .push(format!("{name} {path}: there is nothing inside"));
        }
        open.extend(links(&html).filter(|path| known.insert(path.clone())));
    }
}

/// Returns the parts that a page links to.
fn links(html: &str) -> impl Iterator<Item = String> {
    let links = tags(html).into_iter().filter(|tag| tag.name == "a");
    let paths = links.filter_map(|tag| Some(decoded(tag.get("href")?)));
    paths.filter(|path| path.starts_with("/_svc/api/schema/"))
}

fn decoded(path: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digits: String = bytes.by_ref().take(2).map(char::from).collect();
        out.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
    }
    String::from_utf8_lossy(&out).into_owned()
}
