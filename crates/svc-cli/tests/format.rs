//! `svc format`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{assert_contains, err, out, svc};

const CONFIG: &str = "{\"theme\":\"svc\", // kept\n\"name\":\"Acme\",\"colors\":{\"primary\":\"#0a7d4f\"},\"navigation\":{\"pages\":[\"index\",\"start\"]}}";
const FORMATTED_CONFIG: &str = "{\n  \"theme\": \"svc\", // kept\n  \"name\": \"Acme\",\n  \"colors\": { \"primary\": \"#0a7d4f\" },\n  \"navigation\": { \"pages\": [\"index\", \"start\"] }\n}\n";
const PAGE: &str = "---\ntitle: Home\n---\nWelcome\n=======\n<Card title='a'>\n* __b__\n</Card>";
const FORMATTED_PAGE: &str =
    "---\ntitle: Home\n---\n\n# Welcome\n\n<Card title=\"a\">\n  - **b**\n</Card>\n";
const BROKEN: &str = "<Card>\n\n* a\n";

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("guides")).unwrap();
    std::fs::create_dir_all(dir.path().join("drafts")).unwrap();
    for (path, text) in [
        ("docs.json", CONFIG),
        (".svcignore", "drafts/\n"),
        ("index.mdx", PAGE),
        ("start.mdx", "---\ntitle: Start\n---\n\nText.\n"),
        ("guides/a.md", "* a\n"),
        ("drafts/a.mdx", "* a\n"),
        ("style.css", "a   { }\n\n\n"),
    ] {
        std::fs::write(dir.path().join(path), text).unwrap();
    }
    dir
}

fn read(dir: &Path, path: &str) -> String {
    std::fs::read_to_string(dir.join(path)).unwrap()
}

#[test]
fn files_are_written_in_one_form() {
    let dir = site();
    let output = svc(&["format"], dir.path());
    assert_eq!(out(&output), "3 files formatted, 1 unchanged\n");
    assert_eq!((err(&output).as_str(), output.status.code()), ("", Some(0)));
    assert_eq!(read(dir.path(), "docs.json"), FORMATTED_CONFIG);
    assert_eq!(read(dir.path(), "index.mdx"), FORMATTED_PAGE);
    assert_eq!(read(dir.path(), "guides/a.md"), "- a\n");
    assert_eq!(read(dir.path(), "drafts/a.mdx"), "* a\n");
    assert_eq!(read(dir.path(), "style.css"), "a   { }\n\n\n");
    let output = svc(&["format"], dir.path());
    assert_eq!(out(&output), "4 files unchanged\n");
    let output = svc(&["format", "--check"], dir.path());
    assert_eq!((out(&output).as_str(), output.status.code()), ("", Some(0)));
}

#[test]
fn a_check_lists_files_and_writes_nothing() {
    let dir = site();
    let output = svc(&["format", "--check"], dir.path());
    assert_eq!(out(&output), "docs.json\nguides/a.md\nindex.mdx\n");
    assert_eq!(err(&output), "3 files would be formatted, 1 unchanged\n");
    assert_eq!(output.status.code(), Some(1));
    let output = svc(&["format", "--dry-run", "guides"], dir.path());
    assert_eq!(
        out(&output),
        "--- a/guides/a.md\n+++ b/guides/a.md\n@@ -1 +1 @@\n-* a\n+- a\n"
    );
    assert_eq!(output.status.code(), Some(0));
    let output = svc(&["format", "--dry-run", "--check", "guides"], dir.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(read(dir.path(), "index.mdx"), PAGE);
    assert_eq!(read(dir.path(), "guides/a.md"), "* a\n");
}

#[test]
fn only_named_files_are_formatted() {
    let dir = site();
    let paths = ["format", "drafts/a.mdx", "./guides", "guides/a.md"];
    let output = svc(&paths, dir.path());
    assert_eq!(out(&output), "2 files formatted\n");
    assert_eq!(read(dir.path(), "drafts/a.mdx"), "- a\n");
    assert_eq!(read(dir.path(), "index.mdx"), PAGE);
    // Paths are relative to the current folder, and ignored ones belong to the site.
    let output = svc(&["format", "--check", ".."], &dir.path().join("guides"));
    assert_eq!(out(&output), "../docs.json\n../index.mdx\n");
    for (path, message) in [
        (
            "style.css",
            "svc: style.css: only pages (.mdx, .md) and docs.json are formatted\n",
        ),
        ("none.mdx", "svc: none.mdx: "),
    ] {
        let output = svc(&["format", path], dir.path());
        assert!(err(&output).starts_with(message), "{}", err(&output));
        assert_eq!(output.status.code(), Some(2));
    }
    for arguments in [
        ["format", "-", "index.mdx"],
        ["format", "--stdin-filename", "a.mdx"],
    ] {
        let output = svc(&arguments, dir.path());
        assert!(err(&output).starts_with("svc: `-"), "{}", err(&output));
        assert_eq!(output.status.code(), Some(2));
    }
    std::fs::write(dir.path().join("latin.mdx"), b"caf\xe9\n").unwrap();
    let output = svc(&["format", "latin.mdx"], dir.path());
    assert_contains(&err(&output), "latin.mdx: it is not UTF-8");
}

#[test]
fn files_with_errors_are_named_and_stay() {
    let dir = site();
    std::fs::write(dir.path().join("start.mdx"), BROKEN).unwrap();
    std::fs::write(dir.path().join("docs.json"), "{\"a\": 1,\n\"a\": 2}").unwrap();
    let output = svc(&["format"], dir.path());
    assert_eq!(
        out(&output),
        "2 files formatted, 2 files with errors left as they are\n"
    );
    let text = err(&output);
    assert!(text.contains("start.mdx:1:1"), "{text}");
    assert!(text.contains("start.mdx: left as it is\n"), "{text}");
    assert!(text.contains("docs.json: left as it is\n"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(read(dir.path(), "start.mdx"), BROKEN);
    assert_eq!(read(dir.path(), "index.mdx"), FORMATTED_PAGE);
}

fn format_stdin(arguments: &[&str], text: &str) -> (String, String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["format", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    (out(&output), err(&output), output.status.code())
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let (text, problems, code) = format_stdin(&[], PAGE);
    assert_eq!((&*text, &*problems, code), (FORMATTED_PAGE, "", Some(0)));
    let (text, _, code) = format_stdin(&["--stdin-filename", "site/docs.json"], CONFIG);
    assert_eq!((&*text, code), (FORMATTED_CONFIG, Some(0)));
    let (text, _, code) = format_stdin(&[], FORMATTED_PAGE);
    assert_eq!((&*text, code), (FORMATTED_PAGE, Some(0)));
    let (text, problems, code) = format_stdin(&[], BROKEN);
    assert_eq!((&*text, code), (BROKEN, Some(1)));
    assert!(problems.contains("page.mdx:1:1"), "{problems}");
    let (text, _, code) = format_stdin(&["--check"], PAGE);
    assert_eq!((&*text, code), ("page.mdx\n", Some(1)));
    let (text, _, _) = format_stdin(&["--dry-run"], "* a\n");
    assert!(text.ends_with("-* a\n+- a\n"), "{text}");
}
