//! `svc validate --fix`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::path::Path;

use crate::program::{assert_contains, err, out, svc};

const CONFIG: &str = "{\r\n  \"theme\": \"svc\", // the theme\r\n  \"name\": \"Acme\",\r\n  \"colors\": { \"primary\": \"0a7d4f\" },\r\n  \"navigation\": {\r\n    \"groups\": [{ \"group\": \"Guides\", \"pages\": [\"index\", \"strat\"] }]\r\n  },\r\n}\r\n";
const FIXED: &str = "{\r\n  \"theme\": \"svc\",\r\n  \"name\": \"Acme\",\r\n  \"colors\": { \"primary\": \"#0a7d4f\" },\r\n  \"navigation\": {\r\n    \"groups\": [{ \"group\": \"Guides\", \"pages\": [\"index\", \"start\"] }]\r\n  }\r\n}\r\n";
const PAGE: &str = "---\ntitle: Home\n---\n\nA<br>*b*   {c d}\n\n<Card titel=\"a\"  href=\"/strat\">\n  See [start](/missing-page-of-another-name).\n</Crad>\n";
const FIXED_PAGE: &str = "---\ntitle: Home\n---\n\nA<br />*b*   \\{c d}\n\n<Card title=\"a\"  href=\"/start\">\n  See [start](/missing-page-of-another-name).\n</Card>\n";

fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("docs.json", CONFIG);
    write("index.mdx", PAGE);
    write("start.mdx", "---\ntitle: Start\n---\n\nText.\n");
    dir
}

fn read(dir: &Path, path: &str) -> String {
    std::fs::read_to_string(dir.join(path)).unwrap()
}

#[test]
fn fixes_change_only_the_characters_of_problems() {
    let dir = site();
    let output = svc(&["validate"], dir.path());
    let text = out(&output);
    assert!(text.contains("  = fix: write `#0a7d4f`\n"), "{text}");
    assert!(
        text.contains(" problems can be fixed with `svc validate --fix`\n"),
        "{text}"
    );
    let output = svc(&["validate", "--fix"], dir.path());
    assert_eq!(read(dir.path(), "docs.json"), FIXED, "{}", err(&output));
    assert_eq!(
        read(dir.path(), "index.mdx"),
        FIXED_PAGE,
        "{}",
        err(&output)
    );
    assert_contains(&err(&output), "fixed docs.json:4:");
    assert_contains(&err(&output), " problems in 2 files\n");
    assert!(
        out(&output).ends_with("2 pages: 1 warning\n"),
        "{}",
        out(&output)
    );
    let output = svc(&["validate", "--fix"], dir.path());
    assert!(
        err(&output).ends_with("nothing to fix\n"),
        "{}",
        err(&output)
    );
}

#[test]
fn a_dry_run_shows_the_changes_and_writes_nothing() {
    let dir = site();
    let output = svc(&["validate", "--fix", "--dry-run"], dir.path());
    let text = out(&output);
    assert!(
        text.contains("--- a/index.mdx\n+++ b/index.mdx\n"),
        "{text}"
    );
    assert!(
        text.contains("-A<br>*b*   {c d}\n+A<br />*b*   \\{c d}\n"),
        "{text}"
    );
    assert_contains(&err(&output), "would fix ");
    assert_eq!(read(dir.path(), "docs.json"), CONFIG);
    assert_eq!(read(dir.path(), "index.mdx"), PAGE);
    assert_eq!(
        svc(&["validate", "--dry-run"], dir.path()).status.code(),
        Some(2)
    );
}

#[test]
fn fixes_are_in_the_output_for_programs() {
    let dir = site();
    let output = svc(&["validate", "--format", "json"], dir.path());
    let value: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    let mut all = value["diagnostics"].as_array().unwrap().iter();
    let color = all.find(|one| one["code"] == "config-color").unwrap();
    assert_eq!(color["fix"]["title"], "write `#0a7d4f`");
    let edit = &color["fix"]["edits"][0];
    let (start, end) = (
        edit["start"].as_u64().unwrap(),
        edit["end"].as_u64().unwrap(),
    );
    let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
    assert_eq!(
        (&CONFIG[range], &edit["text"]),
        ("\"0a7d4f\"", &"\"#0a7d4f\"".into())
    );
}

#[test]
fn one_file_is_fixed_alone() {
    let dir = site();
    let output = svc(&["validate", "--fix", "index.mdx"], dir.path());
    // The page `start` is not in the navigation yet, so no page is similar.
    let fixed = FIXED_PAGE.replace("/start\"", "/strat\"");
    assert_eq!(read(dir.path(), "index.mdx"), fixed, "{}", err(&output));
    assert_eq!(read(dir.path(), "docs.json"), CONFIG);
    std::fs::write(dir.path().join("api.yaml"), "openapi: 3.1\npaths: {}\n").unwrap();
    let output = svc(&["validate", "--fix", "api.yaml"], dir.path());
    let fixed = read(dir.path(), "api.yaml");
    assert_eq!(fixed, "openapi: \"3.1.0\"\npaths: {}\n", "{}", err(&output));
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_site_are_not_changed_and_permissions_remain() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (dir, other) = (site(), tempfile::tempdir().unwrap());
    let page = "---\ntitle: Other\n---\n\nA<br>b\n";
    std::fs::write(other.path().join("other.mdx"), page).unwrap();
    symlink(other.path().join("other.mdx"), dir.path().join("other.mdx")).unwrap();
    let index = dir.path().join("index.mdx");
    std::fs::set_permissions(&index, std::fs::Permissions::from_mode(0o640)).unwrap();
    svc(&["validate", "--fix"], dir.path());
    assert_eq!(read(other.path(), "other.mdx"), page);
    assert_eq!(read(dir.path(), "index.mdx"), FIXED_PAGE);
    let mode = std::fs::metadata(&index).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn a_file_in_another_encoding_is_not_changed() {
    let dir = site();
    let latin = b"---\ntitle: Home\n---\n\nA<br>caf\xe9\n";
    std::fs::write(dir.path().join("index.mdx"), latin).unwrap();
    svc(&["validate", "--fix"], dir.path());
    assert_eq!(std::fs::read(dir.path().join("index.mdx")).unwrap(), latin);
    assert_eq!(read(dir.path(), "docs.json"), FIXED);
}
