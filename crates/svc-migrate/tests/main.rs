//! Tests of whole migrations: fixtures in the likeness of real repositories.

mod docusaurus;
mod gitbook;
mod mdbook;
mod mkdocs;
mod readme;
mod starlight;
mod vitepress;

use std::fs;
use std::path::Path;

use svc_mdx::{Options, Severity, parse};
use svc_migrate::{Format, Migration, OutputFile, Repository, detect, migrate};

/// Reads and converts a fixture.
fn fixture(name: &str, format: Format) -> Migration {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    let mut repository = Repository::new();
    read(&dir, "", &mut repository);
    assert_eq!(detect(&repository), Some(format));
    let migration = migrate(&repository, format);
    for page in &migration.pages {
        let text = text(&migration, &page.output);
        let parsed = parse(text, &Options::default());
        assert!(
            !parsed.has(Severity::Error),
            "{}: {:?}",
            page.output,
            parsed.diagnostics
        );
    }
    migration
}

fn read(dir: &Path, prefix: &str, repository: &mut Repository) {
    for entry in fs::read_dir(dir).expect("it can be read") {
        let entry = entry.expect("it can be read");
        let name = entry.file_name().into_string().expect("it can be read");
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            read(&entry.path(), &format!("{path}/"), repository);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            repository.insert_text(&path, &text);
        } else {
            repository.insert_binary(&path);
        }
    }
}

fn text<'a>(migration: &'a Migration, path: &str) -> &'a str {
    match migration.files.get(path) {
        Some(OutputFile::Text(text)) => text,
        other => panic!("{path}: {other:?}, there are {:?}", migration.files.keys()),
    }
}

/// Whether docs.json has a redirect.
fn redirects(migration: &Migration, from: &str, to: &str) -> bool {
    let config: serde_json::Value =
        serde_json::from_str(text(migration, "docs.json")).expect("it is JSON");
    let all = config["redirects"].as_array().cloned().unwrap_or_default();
    all.iter()
        .any(|one| one["source"] == from && one["destination"] == to)
}

fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

/// Asserts that each part of a message is reported at the location that begins with the text.
fn assert_reported(migration: &Migration, expected: &[(&str, &str)]) {
    for (location, part) in expected {
        let mut all = migration.diagnostics.iter();
        let found = all.find(|one| one.message.contains(part));
        let found = found.unwrap_or_else(|| panic!("{part}: {:#?}", migration.diagnostics));
        let at = found.location_string();
        assert!(at.starts_with(location), "{part}: {at}");
    }
}
