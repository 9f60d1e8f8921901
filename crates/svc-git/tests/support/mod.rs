//! Test repositories and servers for them.
#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

pub(crate) mod http;
pub(crate) mod ssh;

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use svc_git::{Commit, Credentials, GitError, Options, Repository, Secret};
use svc_test_support::git::BareRepo;
pub(crate) use svc_test_support::git::{File, has_git, tree_bytes};
use tempfile::TempDir;

use File::Text;

/// A bare repository, with directories for stores and canaries.
pub(crate) struct Fixture {
    pub(crate) dir: TempDir,
    origin: BareRepo,
}

impl Deref for Fixture {
    type Target = BareRepo;

    fn deref(&self) -> &BareRepo {
        &self.origin
    }
}

/// Adds a token to options.
pub(crate) fn with_token(token: &str, options: Options) -> Options {
    Options {
        credentials: Credentials::Token {
            user: "x-access-token".to_owned(),
            token: Secret::new(token),
        },
        ..options
    }
}

impl Fixture {
    /// An empty bare repository; `None` if Git is not installed.
    pub(crate) fn new() -> Option<Self> {
        let dir = tempfile::tempdir().expect("a folder");
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        origin.git(&["config", "uploadpack.allowFilter", "true"]);
        Some(Self { dir, origin })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn bare(&self) -> PathBuf {
        self.origin.path().to_owned()
    }

    /// Adds a commit to `main`.
    pub(crate) fn commit(&self, date: &str, files: &[File<'_>]) -> String {
        self.commit_tree(&self.tree(files), "main", date)
    }

    pub(crate) fn open(&self, remote: &str, options: &Options) -> Repository {
        Repository::open(&self.path("store"), remote, options).expect("a repository")
    }

    /// Opens the bare repository as a local one.
    pub(crate) fn local(&self, options: &Options) -> Repository {
        self.open(self.bare().to_str().expect("a path"), options)
    }
}

/// All files below a directory, links with their targets.
pub(crate) fn listing(dir: &Path) -> Vec<String> {
    let mut list = Vec::new();
    let mut left = vec![dir.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let shown = path.strip_prefix(dir).expect("below").display().to_string();
            let data = fs::symlink_metadata(&path).expect("data");
            if data.is_dir() {
                left.push(path);
            } else if data.is_symlink() {
                let target = fs::read_link(&path).expect("a link");
                list.push(format!("{shown} -> {}", target.display()));
            } else {
                list.push(shown);
            }
        }
    }
    list.sort();
    list
}

/// Codes of the diagnostics.
pub(crate) fn codes(diagnostics: &[svc_diagnostics::Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|item| item.code.id).collect()
}

/// Fetches and exports. Returns the commit and the exported files.
pub(crate) fn files(
    fixture: &Fixture,
    repository: &Repository,
    reference: &str,
) -> (Commit, Vec<String>) {
    let commit = repository.fetch(reference).expect("a commit");
    let into = fixture.path(&format!("out-{}", commit.id));
    let _ = fs::remove_dir_all(&into);
    repository.export(&commit.id, &into, None).expect("files");
    let exported = listing(&into);
    (commit, exported)
}

/// Checks the behavior that all transports share. `options` give access to the server.
pub(crate) fn check_branch_lifecycle(fixture: &Fixture, remote: &str, options: &Options) {
    let first = fixture.commit(
        "2024-01-01T12:00:00Z",
        &[Text("docs.json", "{}"), Text("a/b.mdx", "one")],
    );
    let repository = fixture.open(remote, options);
    let (commit, exported) = files(fixture, &repository, "main");
    assert_eq!(commit.id.to_string(), first);
    assert_eq!(
        (commit.author.as_str(), commit.message.as_str()),
        ("Ada", "A change")
    );
    assert_eq!(commit.time, 1_704_110_400);
    assert_eq!(exported, ["a/b.mdx", "docs.json"]);

    // A fetch after a push, and one without changes.
    let second = fixture.commit(
        "2024-02-01T12:00:00Z",
        &[
            Text("docs.json", "{}"),
            Text("a/b.mdx", "two"),
            Text("c.mdx", "new"),
        ],
    );
    for _ in 0..2 {
        let (commit, exported) = files(fixture, &repository, "refs/heads/main");
        assert_eq!(commit.id.to_string(), second);
        assert_eq!(exported, ["a/b.mdx", "c.mdx", "docs.json"]);
    }
    let text = fs::read_to_string(fixture.path(&format!("out-{second}/a/b.mdx")));
    assert_eq!(text.expect("a file"), "two");

    // Tags and pull requests are references.
    fixture.git(&["tag", "-a", "-m", "x", "v1", &first]);
    fixture.git(&["update-ref", "refs/pull/12/head", &first]);
    for reference in ["v1", "refs/tags/v1", "refs/pull/12/head"] {
        let (commit, exported) = files(fixture, &repository, reference);
        assert_eq!(
            (commit.id.to_string(), exported.len()),
            (first.clone(), 2),
            "{reference}"
        );
    }

    // A force push to an unrelated commit.
    fixture.git(&["update-ref", "-d", "refs/heads/main"]);
    let third = fixture.commit("2023-01-01T12:00:00Z", &[Text("docs.json", "{\"x\": 1}")]);
    let (commit, exported) = files(fixture, &repository, "main");
    assert_eq!(
        (commit.id.to_string(), exported),
        (third.clone(), vec!["docs.json".to_owned()])
    );

    // A new process reads the existing store.
    drop(repository);
    let repository = fixture.open(remote, options);
    assert_eq!(files(fixture, &repository, "main").0.id.to_string(), third);
    let branches = repository.branches().expect("branches");
    assert_eq!(branches.keys().collect::<Vec<_>>(), ["main"]);

    // A deleted branch.
    fixture.git(&["update-ref", "refs/heads/mains", &third]);
    fixture.git(&["update-ref", "-d", "refs/heads/main"]);
    let error = repository.fetch("main").expect_err("no such branch");
    assert_eq!(
        error.to_string(),
        "the repository has no branch `main`; did you mean `mains`?"
    );
    fixture.git(&["update-ref", "-d", "refs/heads/mains"]);
    let error = repository.fetch("main").expect_err("no branch at all");
    assert!(matches!(error, GitError::Empty), "{error}");
}
