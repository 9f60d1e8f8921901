//! `svc migrate`: no page loses its words, and every old URL leads to its page.
//!
//! The words of a page are read from its old source with a Markdown parser of another author.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]
#![expect(clippy::print_stderr, reason = "figures must be seen")]

mod components;
mod page_text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{err, out, svc};

/// The smallest share of the words of a page that must be on the new page.
const MIN_TOKENS: f64 = 0.98;

/// What is measured about a migration.
#[derive(Debug, Default)]
struct Figures {
    pages: usize,
    /// Pages whose words survive.
    complete: usize,
    old_urls: usize,
    /// Old URLs that lead to their page.
    answered: usize,
    /// Errors of the new site in pages that the report does not name.
    unreported: Vec<String>,
    /// Pages with missing words and URLs without a page.
    losses: Vec<String>,
}

impl Figures {
    fn print(&self, name: &str) {
        let percent = 100.0 * self.complete as f64 / self.pages.max(1) as f64;
        eprintln!(
            "{name}: words survive on {percent:.1} % of {} pages, {} of {} old URLs lead to their page, {} errors that the report does not name",
            self.pages,
            self.answered,
            self.old_urls,
            self.unreported.len()
        );
        for line in self.losses.iter().chain(&self.unreported).take(60) {
            eprintln!("  {line}");
        }
    }
}

/// Converts a repository with the program and compares the new site with the old sources.
fn measure(dir: &Path) -> Figures {
    let new = tempfile::tempdir().unwrap();
    let to = new.path().join("site");
    let arguments = [
        "migrate",
        dir.to_str().unwrap(),
        "--to",
        to.to_str().unwrap(),
    ];
    let output = svc(
        &[&arguments[..], &["--format", "json"]].concat(),
        new.path(),
    );
    let report: Value = serde_json::from_str(&out(&output))
        .unwrap_or_else(|error| panic!("{error}: {}", err(&output)));
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let named: BTreeSet<String> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| text(one, "file"))
        .collect();
    let messages: Vec<String> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| text(one, "message"))
        .collect();
    svc_site::worker::trust_components();
    let site = svc_site::load(&to, &svc_site::LoadOptions::default())
        .unwrap()
        .value;
    let mut figures = Figures::default();
    for error in report["siteErrors"].as_array().unwrap() {
        let output = text(error, "file");
        let pages = report["pages"].as_array().unwrap();
        let source = pages.iter().find(|page| text(page, "output") == output);
        // Errors in docs.json are named by the value that they are about.
        let message = text(error, "message");
        let value = message.split('`').nth(1).map(|value| format!("`{value}`"));
        let is_named = value.is_some_and(|value| messages.iter().any(|one| one.contains(&value)));
        let is_in_page = source.is_some_and(|page| named.contains(&text(page, "source")));
        if !is_named && !is_in_page {
            figures
                .unreported
                .push(format!("{output}: {}", text(error, "message")));
        }
    }
    for page in report["pages"].as_array().unwrap() {
        let (source, path) = (text(page, "source"), text(page, "path"));
        figures.pages += 1;
        let html = site.page(&path).map(|page| page.html.bytes.clone());
        let html = html.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let old = std::fs::read_to_string(dir.join(&source)).unwrap();
        let found = page_text::compare(
            &old,
            source.ends_with(".mdx"),
            html.as_deref().unwrap_or_default(),
        );
        if found.share() >= MIN_TOKENS {
            figures.complete += 1;
        } else {
            figures.losses.push(format!(
                "{source}: {:.1} % of {} words; missing: {}",
                100.0 * found.share(),
                found.total,
                found.missing.join(" ")
            ));
        }
        for url in page["oldUrls"].as_array().unwrap() {
            figures.old_urls += 1;
            let url = url.as_str().unwrap();
            match destination(&site, url) == Some(path.clone()) {
                true => figures.answered += 1,
                false => figures
                    .losses
                    .push(format!("{url} does not lead to {path}")),
            }
        }
    }
    figures
}

/// The page that a URL path leads to, directly or by redirects.
fn destination(site: &svc_site::Site, url: &str) -> Option<String> {
    let mut path = url.to_owned();
    for _ in 0..8 {
        let trimmed = match path.trim_end_matches('/') {
            "" => "/",
            trimmed => trimmed,
        };
        if site.page(trimmed).is_some() {
            return Some(trimmed.to_owned());
        }
        path = site.map.redirects.find(trimmed)?.0;
    }
    None
}

/// The repositories in likeness of real ones.
fn fixtures() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../svc-migrate/tests/fixtures");
    let mut all: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    all.sort();
    all
}

/// Fixtures whose short pages consist of marks of their generator, which are no words for readers.
const MARKS: &[&str] = &["mkdocs", "readme", "starlight"];

#[test]
fn fixtures_keep_their_words_and_urls() {
    let all = fixtures();
    assert!(all.len() >= 3);
    let mut incomplete = Vec::new();
    for dir in all {
        let figures = measure(&dir);
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        figures.print(&name);
        assert!(figures.pages > 0, "{name}");
        let is_whole = figures.complete == figures.pages;
        if !is_whole && !MARKS.contains(&&*name) {
            incomplete.push(format!("{name}: {:?}", figures.losses));
        }
        assert_eq!(
            figures.answered, figures.old_urls,
            "{name}: {:?}",
            figures.losses
        );
        assert!(
            figures.unreported.is_empty(),
            "{name}: {:?}",
            figures.unreported
        );
    }
    assert!(incomplete.is_empty(), "{incomplete:#?}");
}

#[test]
#[ignore = "needs a repository in SVC_MIGRATE_DIR"]
fn a_real_repository_keeps_its_words_and_urls() {
    let Some(dir) = std::env::var_os("SVC_MIGRATE_DIR") else {
        svc_test_support::skip("SVC_MIGRATE_DIR is not set");
        return;
    };
    let figures = measure(Path::new(&dir));
    figures.print(&dir.to_string_lossy());
    assert!(
        figures.complete * 100 >= figures.pages * 95,
        "words are missing"
    );
    assert_eq!(figures.answered, figures.old_urls);
    assert!(figures.unreported.is_empty());
}
