//! `svc export`: one file that is read without a server.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["index", "b"]}}"##;

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("docs.json", CONFIG),
        ("index.mdx", "---\ntitle: Home\n---\n\n[B](/b#two)\n"),
        ("b.mdx", "---\ntitle: B\n---\n\n## Two\n\nText.\n"),
    ];
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn export(site: &Path, arguments: &[&str], chrome: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
    command
        .args(["export", "."])
        .args(arguments)
        .current_dir(site);
    if let Some(chrome) = chrome {
        command.env("CHROME", chrome);
    }
    command.output().unwrap()
}

#[test]
fn archives_and_books_are_reproducible() {
    let site = site();
    for (arguments, file) in [
        (&["--zip"][..], "export.zip"),
        (&["--output", "a.zip"], "a.zip"),
        (&["--epub"], "export.epub"),
        (&["--output", "a.epub"], "a.epub"),
    ] {
        let mut bytes = Vec::new();
        for _ in 0..2 {
            let output = export(site.path(), arguments, None);
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.starts_with("2 pages in "), "{text}");
            bytes.push(fs::read(site.path().join(file)).unwrap());
        }
        assert!(bytes[0].starts_with(b"PK\x03\x04"));
        assert!(bytes[0] == bytes[1], "{file} is the same");
    }
}

#[test]
fn a_pdf_without_a_browser_is_an_error_with_the_reason() {
    let site = site();
    let output = export(site.path(), &["--pdf"], Some("/nonexistent/chrome"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!site.path().join("export.pdf").exists());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("/nonexistent/chrome"), "{error}");
}

#[test]
fn options_without_effect_are_errors() {
    let site = site();
    for (arguments, part) in [
        (
            &["--output", "a.zip", "--language", "en"][..],
            "all languages",
        ),
        (&["--epub", "--language", "fr"], "no language `fr`"),
        (&["--epub", "--docs-version", "v9"], "no version `v9`"),
        (&["--epub", "--paper", "letter"], "--pdf"),
        (&["--epub", "--zip"], "cannot be used with"),
        (&["--base-path", "/docs"], "no effect"),
    ] {
        let output = export(site.path(), arguments, None);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
}

#[test]
fn problems_of_pages_are_counted_in_all_formats() {
    let site = site();
    let page = "---\ntitle: Home\n---\n\n<Cadr>Text</Cadr>\n";
    fs::write(site.path().join("index.mdx"), page).unwrap();
    for format in ["--zip", "--epub"] {
        let output = export(site.path(), &[format], None);
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("(1 warning)"), "{text}");
        assert!(text.ends_with("run `svc validate .` to see the problems\n"));
        let strict = export(site.path(), &[format, "--strict", "--verbose"], None);
        assert_eq!(strict.status.code(), Some(1), "{strict:?}");
        let error = String::from_utf8_lossy(&strict.stderr);
        assert!(error.contains("index.mdx:5:"), "{error}");
    }
}

#[test]
fn the_flag_of_the_reference_is_accepted_and_its_missing_effect_is_reported() {
    let site = site();
    let output = export(site.path(), &["--disable-openapi"], None);
    assert!(output.status.success(), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("`--disable-openapi` has no effect"),
        "{error}"
    );
}
