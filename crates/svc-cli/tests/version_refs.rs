//! Versions of a site from other branches, on the command line.

use std::fs;
use std::path::Path;

use svc_test_support::git::{BareRepo, File};

use crate::program::{assert_contains, err, out, svc};

const OLD: &str = r#"{"navigation": {"pages": ["index"]}}"#;

fn config(reference: &str) -> String {
    format!(
        r##"{{"theme": "svc", "name": "Acme", "colors": {{"primary": "#0a7d4f"}}, "navigation": {{"versions": [
            {{"version": "v2", "pages": ["index"]}}, {{"version": "v1", "ref": "{reference}"}}]}}}}"##
    )
}

/// A work tree with the branch `release/1.x`, whose page has a broken link. `None` without Git.
fn site(dir: &Path, reference: &str) -> Option<()> {
    let repository = BareRepo::new(&dir.join(".git"))?;
    let old = "---\ntitle: Home\n---\n\nOld text. [Gone](/gone)\n";
    repository.commit_on(
        "release/1.x",
        &[File::Text("docs.json", OLD), File::Text("index.mdx", old)],
    );
    let (config, new) = (config(reference), "---\ntitle: Home\n---\n\nNew text.\n");
    repository.commit_on(
        "main",
        &[
            File::Text("docs.json", &config),
            File::Text("index.mdx", new),
        ],
    );
    fs::write(dir.join("docs.json"), config).expect("written");
    fs::write(dir.join("index.mdx"), new).expect("written");
    Some(())
}

#[test]
fn a_build_contains_the_pages_of_a_branch() {
    let dir = tempfile::tempdir().unwrap();
    let Some(()) = site(dir.path(), "release/1.x") else {
        return;
    };
    let built = svc(&["build", ".", "--out", "out"], dir.path());
    assert_eq!(
        built.status.code(),
        Some(0),
        "{}{}",
        out(&built),
        err(&built)
    );
    let page = |path: &str| fs::read_to_string(dir.path().join("out").join(path)).unwrap();
    assert!(page("index.html").contains("New text."));
    let old = ["v1/index.html", "v1.html"]
        .into_iter()
        .find(|path| dir.path().join("out").join(path).exists());
    assert!(page(old.unwrap()).contains("Old text."));
    // The work tree is not changed.
    assert!(!dir.path().join("v1").exists());
    // Problems of pages that were published before are notes.
    let validated = svc(&["validate", "--strict"], dir.path());
    assert_eq!(validated.status.code(), Some(0), "{}", out(&validated));
    assert_contains(&out(&validated), "info[link-broken]");
    assert_contains(&out(&validated), "--> release/1.x:index.mdx:5:11");
}

#[test]
fn a_branch_that_does_not_exist_is_an_error_with_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    let Some(()) = site(dir.path(), "relaese/1.x") else {
        return;
    };
    let validated = svc(&["validate"], dir.path());
    assert_eq!(validated.status.code(), Some(1), "{}", out(&validated));
    assert_contains(&out(&validated), "error[version-ref-missing]");
    assert_contains(&out(&validated), "did you mean `release/1.x`?");
}
