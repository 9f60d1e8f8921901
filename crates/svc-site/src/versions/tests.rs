//! Tests with repositories of Git in temporary folders.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

use svc_diagnostics::{Diagnostic, Severity};
use svc_source::Changes;

use super::*;
use crate::{GeneratedFile, load, reload};

const PAGES: &str = r#"{"navigation": {"pages": ["index", "guide", "same"]}}"#;

fn git(dir: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["-c", "user.name=A", "-c", "user.email=a@b.test"]);
    let done = command.args(arguments).output().expect("git runs");
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, text).expect("written");
    }
}

fn commit(dir: &Path, files: &[(&str, &str)]) {
    write(dir, files);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "change"]);
}

fn docs(versions: &str) -> String {
    format!(
        r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#0f766e"}},
        "navigation": {{"versions": [{{"version": "v2", "pages": ["index", "guide", "same", "new"]}}{versions}]}}}}"##
    )
}

/// A repository with the branch `release/1.x`, the tag `v1.0` and newer files on `main`.
fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    git(root, &["init", "-q", "-b", "main"]);
    commit(
        root,
        &[
            ("docs.json", PAGES),
            (
                "index.mdx",
                "---\ntitle: Home\n---\nimport Note from \"/snippets/note.mdx\"\n\n[Guide](/guide) [New](/new) [Gone](/gone)\n\n<Note />\n\n![Logo](/logo.svg)\n",
            ),
            (
                "guide.mdx",
                "---\ntitle: Guide\n---\nOld text. [Home](./index)\n",
            ),
            (
                "same.mdx",
                "---\ntitle: Same\n---\n## Part\n\nEqual text.\n",
            ),
            ("snippets/note.mdx", "The old note.\n"),
            ("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
            ("old.css", "body { color: red }"),
        ],
    );
    git(root, &["branch", "release/1.x"]);
    git(root, &["tag", "v1.0"]);
    git(root, &["rm", "-q", "old.css"]);
    commit(
        root,
        &[
            (
                "docs.json",
                &docs(r#", {"version": "v1", "ref": "release/1.x"}"#),
            ),
            ("index.mdx", "---\ntitle: Home\n---\n[Guide](/guide)\n"),
            ("guide.mdx", "---\ntitle: Guide\n---\nNew text.\n"),
            ("new.mdx", "---\ntitle: New\n---\nText. [Old](/v1/guide)\n"),
            ("snippets/note.mdx", "The new note.\n"),
        ],
    );
    dir
}

fn options() -> LoadOptions {
    LoadOptions::default().without_dates()
}

fn html(site: &Site, path: &str) -> String {
    let page = site.page(path).unwrap_or_else(|| panic!("no page {path}"));
    String::from_utf8_lossy(&page.html.bytes).into_owned()
}

/// Severity, code, location and hint.
fn problems(diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |problem: &Diagnostic| {
        let (severity, code) = (problem.severity.as_str(), problem.code.id);
        format!("{severity} {code} {}", problem.location_string())
    };
    diagnostics.iter().map(line).collect()
}

#[test]
fn a_version_shows_the_files_of_its_branch_below_its_name() {
    let dir = repository();
    let loaded = load(dir.path(), &options()).expect("a site");
    assert_eq!(problems(&loaded.diagnostics), [""; 0]);
    let site = loaded.value;
    let home = html(&site, "/v1");
    // Links, imports and images are those of the version; other pages are those of the site.
    assert!(home.contains("href=\"/v1/guide\" class=\"link\""), "{home}");
    assert!(home.contains("href=\"/new\" class=\"link\""), "{home}");
    assert!(home.contains("The old note.") && !home.contains("The new note."));
    assert!(home.contains("src=\"/v1/logo.svg"), "{home}");
    assert!(html(&site, "/v1/guide").contains("Old text."));
    assert!(html(&site, "/guide").contains("New text."));
    assert!(html(&site, "/v1/guide").contains("href=\"/v1\" class=\"link\""));
    // The style sheets of a site are those of its default branch.
    assert!(!home.contains("old.css") && !html(&site, "/").contains("old.css"));
    // Nothing in the work tree changed.
    assert!(!dir.path().join("v1").exists());
}

#[test]
fn links_in_front_matter_and_documents_are_those_of_the_version() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    git(root, &["init", "-q", "-b", "main"]);
    let api = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1", "description": "[Text](/guide)",
        "license": {"name": "L", "url": "/new"}}, "externalDocs": {"url": "/guide?q#part"},
        "paths": {"/a": {"get": {"summary": "One", "responses": {},
            "externalDocs": {"url": "/gone", "description": "Gone"}}}}}"#;
    let link = |url: &str| format!("---\ntitle: L\nurl: {url}\n---\n");
    let (to_page, to_site, away) = (
        link("/guide#part"),
        link("/new"),
        link("https://x.test/guide"),
    );
    let files: [(&str, &str); 6] = [
        (
            "docs.json",
            r#"{"navigation": {"pages": ["guide", "to-page", "to-site", "away", {"group": "API", "openapi": "api.json"}]}}"#,
        ),
        ("guide.mdx", "---\ntitle: Guide\n---\n"),
        ("to-page.mdx", &to_page),
        ("to-site.mdx", &to_site),
        ("away.mdx", &away),
        ("api.json", api),
    ];
    commit(root, &files);
    git(root, &["branch", "release/1.x"]);
    let config = docs(r#", {"version": "v1", "ref": "release/1.x"}"#);
    let page = "---\ntitle: P\n---\n";
    let newer = [
        ("docs.json", &*config),
        ("index.mdx", page),
        ("same.mdx", page),
        ("new.mdx", page),
    ];
    commit(root, &newer);
    let site = load(root, &options()).expect("a site").value;
    let target = |path: &str| site.map.route(path).and_then(|route| route.url.clone());
    assert_eq!(target("/v1/to-page").as_deref(), Some("/v1/guide#part"));
    assert_eq!(target("/v1/to-site").as_deref(), Some("/new"));
    assert_eq!(target("/v1/away").as_deref(), Some("https://x.test/guide"));
    assert_eq!(target("/to-page").as_deref(), Some("/guide#part"));
    let guide = html(&site, "/v1/guide");
    assert!(guide.contains("href=\"/v1/guide#part\""), "{guide}");
    let one = site.map.routes.values().find(|route| route.title == "One");
    let one = html(&site, &one.expect("a page").path);
    for part in [
        "href=\"/v1/guide\"",
        "href=\"/v1/guide?q#part\"",
        "href=\"/new\">L<",
        "href=\"/v1/gone\">Gone<",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
}

#[test]
fn the_switch_leads_to_the_same_page_or_the_first_one() {
    let dir = repository();
    let site = load(dir.path(), &options()).expect("a site").value;
    let targets = |path: &str| {
        let levels = site.map.divisions(path);
        let items = levels[0].items.iter();
        items
            .map(|item| item.href.clone().expect("a target"))
            .collect::<Vec<_>>()
    };
    // The entry of the version itself leads to its first page.
    assert_eq!(targets("/guide"), ["/", "/v1/guide"]);
    assert_eq!(targets("/v1/guide"), ["/guide", "/v1"]);
    assert_eq!(targets("/v1"), ["/", "/v1"]);
    assert_eq!(targets("/new"), ["/", "/v1"]);
}

#[test]
fn the_canonical_page_of_equal_ones_is_that_of_the_default_version() {
    let dir = repository();
    let mut options = options();
    options.site.origin = "https://a.test".to_owned();
    let site = load(dir.path(), &options).expect("a site").value;
    let canonical = |path: &str| {
        let html = html(&site, path);
        let (_, rest) = html
            .split_once("rel=\"canonical\" href=\"")
            .expect("a canonical URL");
        rest.split('"').next().unwrap_or_default().to_owned()
    };
    assert_eq!(canonical("/v1/same"), "https://a.test/same");
    assert_eq!(canonical("/v1/guide"), "https://a.test/v1/guide");
    assert_eq!(canonical("/same"), "https://a.test/same");
    let map = site.generated_file(GeneratedFile::Sitemap, "https://a.test");
    let map = String::from_utf8_lossy(&map.bytes).into_owned();
    assert!(map.contains("/v1/guide</loc>") && map.contains("<loc>https://a.test/same</loc>"));
    assert!(!map.contains("/v1/same</loc>"), "{map}");
    let llms = site.generated_file(GeneratedFile::Llms, "https://a.test");
    let llms = String::from_utf8_lossy(&llms.bytes).into_owned();
    assert!(
        llms.contains("/guide.md") && !llms.contains("/v1/guide.md"),
        "{llms}"
    );
}

#[test]
fn problems_of_a_version_are_notes_that_name_the_branch() {
    let dir = repository();
    let loaded = load(dir.path(), &options()).expect("a site");
    let validated = crate::validate::site_problems(loaded);
    assert_eq!(
        problems(&validated.diagnostics),
        ["info link-broken release/1.x:index.mdx:6:29"]
    );
    assert!(validated.diagnostics[0].fix.is_none());
    assert!(
        validated
            .text_of("release/1.x:index.mdx")
            .is_some_and(|text| text.contains("/gone"))
    );
    assert_eq!(validated.count(Severity::Warning), 0);
}

#[test]
fn equal_pages_of_two_versions_are_stored_and_rendered_once() {
    const COUNT: usize = 1_000;
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    let mut names = String::new();
    let mut pages = Vec::new();
    for number in 0..COUNT {
        let _ = write!(names, "\"p{number}\",");
        let text = format!(
            "---\ntitle: Page {number}\n---\n## Part {number}\n\nText.\n\n```js\nlet a = {number};\n```\n"
        );
        pages.push((format!("p{number}.mdx"), text));
    }
    let names = names.trim_end_matches(',');
    let old = format!(r#"{{"navigation": {{"pages": [{names}]}}}}"#);
    git(root, &["init", "-q", "-b", "main"]);
    let files: Vec<(&str, &str)> = pages
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    write(root, &files);
    commit(root, &[("docs.json", &old)]);
    git(root, &["branch", "release/1.x"]);
    let new = format!(
        r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#0f766e"}}, "navigation": {{"versions": [
        {{"version": "v2", "pages": [{names}]}}, {{"version": "v1", "ref": "release/1.x"}}]}}}}"##
    );
    commit(root, &[("docs.json", &new)]);
    let site = load(root, &options()).expect("a site").value;
    assert_eq!(site.pages.len(), 2 * COUNT);
    for (path, _) in &pages {
        let texts = [path.clone(), format!("v1/{path}")].map(|path| site.tree.text(&path).cloned());
        let [Some(one), Some(other)] = texts else {
            panic!("{path} is missing");
        };
        assert!(std::sync::Arc::ptr_eq(one.text(), other.text()));
    }
    site.summarize_all(1);
    assert_eq!(site.articles.rendered.load(Ordering::Relaxed), COUNT);
    for path in ["/p7", "/v1/p7"] {
        assert!(html(&site, path).contains("Part 7"), "{path}");
    }
}

#[test]
fn the_same_commits_make_the_same_bytes() {
    let dir = repository();
    let site = || load(dir.path(), &options()).expect("a site").value;
    let (one, other) = (site(), site());
    for path in one.map.routes.keys() {
        assert_eq!(html(&one, path), html(&other, path), "{path}");
    }
}

#[test]
fn a_reload_reads_a_branch_that_has_moved_and_nothing_else() {
    let dir = repository();
    let root = dir.path();
    let options = options();
    let site = load(root, &options).expect("a site").value;
    let dates = crate::LastModifiedSource::Fixed(std::sync::Arc::default());
    let head = crate::HistoryHead::of(root, &dates);
    html(&site, "/v1/guide");
    html(&site, "/guide");
    let same = reload(&site, root, &Changes::none(), &options).expect("a site");
    assert!(same.value.cached_page("/v1/guide").is_some());
    assert!(head.same_versions(&crate::HistoryHead::of(root, &dates)));
    git(root, &["checkout", "-q", "release/1.x"]);
    commit(
        root,
        &[("guide.mdx", "---\ntitle: Guide\n---\nCorrected text.\n")],
    );
    git(root, &["checkout", "-q", "main"]);
    assert!(!head.same_versions(&crate::HistoryHead::of(root, &dates)));
    let moved = reload(&same.value, root, &Changes::none(), &options).expect("a site");
    assert_eq!(problems(&moved.diagnostics), [""; 0]);
    assert!(moved.value.cached_page("/guide").is_some());
    assert!(html(&moved.value, "/v1/guide").contains("Corrected text."));
    let fresh = load(root, &options).expect("a site").value;
    for path in fresh.map.routes.keys() {
        assert_eq!(html(&moved.value, path), html(&fresh, path), "{path}");
    }
}

#[test]
fn versions_that_cannot_be_shown_are_reported_at_their_ref() {
    let dir = repository();
    let root = dir.path();
    git(root, &["checkout", "-q", "--orphan", "empty"]);
    git(root, &["rm", "-rfq", "."]);
    commit(root, &[("page.mdx", "Text")]);
    git(root, &["checkout", "-q", "main"]);
    write(root, &[("old/x.mdx", "---\ntitle: X\n---\nText\n")]);
    let problem = |entry: &str| {
        write(root, &[("docs.json", &docs(&format!(", {entry}")))]);
        let loaded = load(root, &options()).expect("a site");
        let problems = loaded.diagnostics.iter().map(|problem| {
            let hint = problem.hint.as_deref().unwrap_or_default();
            format!("{}: {hint}", problem.code.id)
        });
        problems.collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        problem(r#"{"version": "v1", "ref": "relase/1.x"}"#),
        "version-ref-missing: did you mean `release/1.x`?"
    );
    assert_eq!(
        problem(r#"{"version": "v1", "ref": "v1.O"}"#),
        "version-ref-missing: did you mean `v1.0`?"
    );
    assert!(problem(r#"{"version": "v1", "ref": "empty"}"#).starts_with("version-ref-no-config"));
    assert_eq!(
        problem(r#"{"version": "Old", "ref": "v1.0"}"#),
        "version-ref-path: rename the version or `old`"
    );
    assert!(
        problem(r#"{"version": "v1", "ref": "v1.0"}, {"version": "V1", "ref": "v1.0"}"#)
            .starts_with("version-ref-path")
    );
    assert!(problem(r#"{"version": "***", "ref": "v1.0"}"#).starts_with("version-ref-path"));
    let many: Vec<String> = (0..=MAX_VERSION_REFS)
        .map(|number| format!(r#"{{"version": "r{number}", "ref": "v1.0"}}"#))
        .collect();
    assert_eq!(
        problem(&many.join(",")),
        "version-ref-limit: remove the oldest ones"
    );
    // The rest of the site is shown.
    let loaded = load(root, &options()).expect("a site");
    assert!(loaded.value.page("/guide").is_some() && loaded.value.page("/r3/guide").is_some());
    let id = WorkTree::discover(root)
        .and_then(|tree| tree.resolve("v1.0").ok())
        .expect("a commit");
    assert_eq!(
        problem(&format!(r#"{{"version": "v1", "ref": "{id}"}}"#)),
        ""
    );
    fs::remove_dir_all(root.join(".git")).expect("removed");
    assert!(
        problem(r#"{"version": "v1", "ref": "v1.0"}"#).contains("in a clone of the repository")
    );
}

#[test]
fn nested_refs_are_noted_and_ignored() {
    let dir = repository();
    let root = dir.path();
    git(root, &["checkout", "-q", "release/1.x"]);
    let nested = r#"{"navigation": {"versions": [{"version": "v1", "pages": ["guide"]}, {"version": "v0", "ref": "v1.0"}]}}"#;
    commit(root, &[("docs.json", nested)]);
    git(root, &["checkout", "-q", "main"]);
    let loaded = load(root, &options()).expect("a site");
    assert_eq!(
        problems(&loaded.diagnostics),
        ["info nav-version-ref-position release/1.x:docs.json:1:94"]
    );
    assert!(loaded.value.page("/v1/guide").is_some() && loaded.value.page("/v0/guide").is_none());
}

#[test]
fn directories_have_the_name_of_the_version() {
    for (version, dir) in [
        ("v1", "v1"),
        ("1.x", "1.x"),
        ("Version 2 (old)", "version-2--old"),
        ("../etc", "etc"),
        ("_svc", "svc"),
        (".git", "git"),
        ("日本", "日本"),
        ("***", ""),
        ("a/b", "a-b"),
    ] {
        assert_eq!(version_dir(version), dir);
    }
}

#[test]
fn snapshots_contain_the_files_of_versions() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    let config = docs(r#", {"version": "v1", "ref": "a"}, {"version": "v0", "ref": "b"}"#);
    write(
        root,
        &[
            ("docs.json", &config),
            ("index.mdx", "---\ntitle: Home\n---\nText\n"),
            // A repository cannot provide the files of its versions.
            (".svc-versions/v0/docs.json", PAGES),
            (
                ".svc-versions/versions.json",
                r#"{"versions":{"v0":{"ref":"b","commit":"1"}}}"#,
            ),
        ],
    );
    let lookup = |path: &str| {
        Some(SourceFile::new(
            path,
            fs::read_to_string(root.join(path)).ok()?,
        ))
    };
    let requests = version_requests(&lookup);
    let missing = svc_git::GitError::ReferenceNotFound {
        name: "b".to_owned(),
        suggestions: vec!["a".to_owned()],
    };
    write_versions(root, &requests, |request, dir| {
        if request.version == "v0" {
            return Ok::<_, std::io::Error>(Err(VersionProblem::of("b", &missing)));
        }
        write(
            dir,
            &[
                ("docs.json", PAGES),
                ("guide.mdx", "---\ntitle: G\n---\nOld\n"),
            ],
        );
        Ok(Ok("c0ffee".to_owned()))
    })
    .expect("written");
    let options = LoadOptions {
        versions: VersionSource::Snapshot,
        ..options()
    };
    let loaded = load(root, &options).expect("a site");
    assert!(html(&loaded.value, "/v1/guide").contains("Old"));
    let of_version: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter(|problem| problem.code.id.starts_with("version-ref"))
        .map(|problem| problem.hint.as_deref())
        .collect();
    assert_eq!(of_version, [Some("did you mean `a`?")]);
    assert!(loaded.value.page("/v0/guide").is_none());
}
