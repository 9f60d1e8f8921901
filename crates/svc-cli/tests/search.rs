//! `svc search` and `svc search test`.

use serde_json::{Value, json};

use crate::program::{out, svc};

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let write = |path: &str, text: &str| {
        std::fs::write(dir.path().join(path), text).expect("the directory is new");
    };
    write(
        "docs.json",
        r##"{"theme": "svc", "name": "Harbor", "colors": {"primary": "#112233"}, "navigation": {"pages": ["index", "rigging"]}}"##,
    );
    write("index.mdx", "---\ntitle: Harbor\n---\n\nShips lie here.\n");
    write(
        "rigging.mdx",
        "---\ntitle: Rigging\n---\n\nAll ropes.\n\n## Halyards\n\nA halyard hoists a sail.\n",
    );
    dir
}

#[test]
fn results_are_json_for_programs() {
    let dir = site();
    let output = svc(&["search", ".", "haylard", "--format", "json"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let results: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(
        results,
        json!([{
            "path": "/rigging#halyards",
            "title": "Rigging",
            "section": "Halyards",
            "snippet": "A halyard hoists a sail."
        }])
    );
    let output = svc(&["search", ".", "zzzz", "--format", "json"], dir.path());
    assert_eq!(out(&output).trim(), "[]");
}

#[test]
fn labeled_queries_are_measured_and_compared_with_a_saved_run() {
    let dir = site();
    let labels = |text: &str| std::fs::write(dir.path().join("queries.csv"), text).unwrap();
    labels("query,paths\nhalyard,/rigging\nships,/\n");
    let output = svc(
        &["search", "test", "queries.csv", "--save", "run.json"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let figures = "2 queries: nDCG@10 1.000, MRR 1.000, found@5 1.000, recall@10 1.000\n";
    assert_eq!(out(&output), figures);
    // The page with the word is no longer the one that readers need.
    labels("query,paths\nhalyard,/\nships,/\nzebra,/rigging\n");
    let arguments = ["search", "test", "queries.csv", "--compare", "run.json"];
    let output = svc(&arguments, dir.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = out(&output);
    for line in [
        "not in the first five: halyard",
        "not in the first five: zebra",
        "worse:  1.000 → 0.000  halyard",
        "new:    0.000          zebra",
        "3 queries: nDCG@10 0.333, MRR 0.333, found@5 0.333, recall@10 0.333",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let output = svc(
        &["search", "test", "queries.csv", "--min-ndcg", "0.9"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    labels("query,paths\nships,/missing\n");
    let output = svc(&["search", "test", "queries.csv"], dir.path());
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        warning.contains("`/missing`, a label of `ships`, is not a page of the site"),
        "{warning}"
    );
}
