//! `svc i18n status` and `svc i18n record`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{out, svc};

const CONFIG: &str = r##"{"theme": "svc", "name": "Harbor", "colors": {"primary": "#112233"}, "navigation": {"languages": [
  {"language": "en", "pages": ["index", "rigging"]}, {"language": "de", "pages": ["de/index"]}]}}"##;

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let docs = dir.path().join("docs");
    fs::create_dir_all(docs.join("de")).expect("the directory is new");
    write(&docs, "docs.json", CONFIG);
    write(
        &docs,
        "index.mdx",
        "---\ntitle: Harbor\n---\n\nShips.\n\n## Quays\n\nLong.\n",
    );
    write(&docs, "rigging.mdx", "Ropes.\n");
    write(
        &docs,
        "de/index.mdx",
        "---\ntitle: Hafen\n---\n\nSchiffe.\n",
    );
    dir
}

fn write(docs: &Path, path: &str, text: &str) {
    fs::write(docs.join(path), text).expect("it is writable");
}

#[test]
fn outdated_pages_are_listed_with_the_lines_of_their_sources() {
    let dir = site();
    let docs = dir.path().join("docs");
    let run = |arguments: &[&str]| {
        let output = svc(arguments, dir.path());
        (output.status.code(), out(&output))
    };
    let (code, text) = run(&["i18n", "status", "docs", "--check"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("\nde            2           1         0        1               1\n"),
        "{text}"
    );
    assert!(
        text.ends_with("\nde: missing\n  rigging.mdx\n\nde: without record\n  de/index.mdx\n"),
        "{text}"
    );
    let (code, text) = run(&["i18n", "record", "--dir", "docs"]);
    assert!(
        code == Some(0) && text.starts_with("Recorded 1 page in "),
        "{text}"
    );
    let lock = fs::read_to_string(docs.join("i18n.lock.json")).unwrap();
    assert!(
        lock.contains("\"de/index.mdx\": {\n      \"\": \""),
        "{lock}"
    );
    write(
        &docs,
        "index.mdx",
        "---\ntitle: Harbor\n---\n\nShips.\n\n## Quays\n\nShort.\n",
    );
    let (code, text) = run(&["i18n", "status", "docs"]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains(
            "\nde: de/index.mdx is older than index.mdx\n  index.mdx:7: changed: Quays\n"
        ),
        "{text}"
    );
    let (code, text) = run(&["i18n", "status", "docs", "--check", "--format", "json"]);
    assert_eq!(code, Some(1));
    let status: Value = serde_json::from_str(&text).unwrap();
    let german = &status["languages"][0];
    assert_eq!(german["language"], "de");
    assert_eq!(german["outdated"][0]["sections"][0]["line"], 7);
    assert_eq!(german["missing"][0], "rigging.mdx");
    // It is a note, which does not fail.
    let output = svc(&["validate", "docs"], dir.path());
    let notes = String::from_utf8_lossy(&output.stderr).into_owned() + &out(&output);
    assert!(
        output.status.code() == Some(0) && notes.contains("translation-outdated"),
        "{notes}"
    );
    // Without pages, only new translations are recorded.
    assert!(
        run(&["i18n", "record", "--dir", "docs"])
            .1
            .starts_with("Recorded 0 pages")
    );
    assert_eq!(run(&["i18n", "status", "docs", "--check"]).0, Some(1));
    for page in ["docs/de/index.mdx", "de/index", "de", "index.mdx"] {
        write(&docs, "i18n.lock.json", &lock);
        let (code, text) = run(&["i18n", "record", page, "--dir", "docs"]);
        assert!(
            code == Some(0) && text.starts_with("Recorded 1 page in "),
            "{page}: {text}"
        );
        assert_eq!(
            run(&["i18n", "status", "docs", "--check"]).0,
            Some(0),
            "{page}"
        );
    }
    let (code, _) = run(&["i18n", "record", "rigging.mdx", "--dir", "docs"]);
    assert_eq!(code, Some(2), "it has no translation");
}
