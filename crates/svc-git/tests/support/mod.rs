//! Repositories to fetch from, and servers for them.
#![allow(
    dead_code,
    clippy::print_stderr,
    reason = "each test file uses a part; a skipped test says so"
)]

pub(crate) mod http;
pub(crate) mod ssh;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use svc_git::{Commit, Credentials, GitError, Options, Repository, Secret};
use tempfile::TempDir;

/// A bare repository, a place for stores, and a place for canaries.
pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
}

/// A file of a commit.
pub(crate) enum File<'a> {
    Text(&'a str, &'a str),
    Bytes(&'a str, Vec<u8>),
    Link(&'a str, &'a str),
    Program(&'a str, &'a str),
    Submodule(&'a str),
}

use File::{Bytes, Link, Program, Submodule, Text};

/// Options of somebody with a token.
pub(crate) fn with_token(token: &str, options: Options) -> Options {
    Options {
        credentials: Credentials::Token {
            user: "x-access-token".to_owned(),
            token: Secret::new(token),
        },
        ..options
    }
}

/// Whether there is a `git` to make repositories with.
pub(crate) fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no git");
    }
    found
}

impl Fixture {
    /// An empty bare repository; nothing without Git.
    pub(crate) fn new() -> Option<Self> {
        if !has_git() {
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let fixture = Self { folder };
        fs::create_dir(fixture.bare()).expect("a folder");
        fixture.git(&["init", "-q", "--bare", "-b", "main"]);
        fixture.git(&["config", "uploadpack.allowFilter", "true"]);
        Some(fixture)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn bare(&self) -> PathBuf {
        self.path("origin.git")
    }

    /// Runs Git in the bare repository and returns what it prints.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_with(arguments, b"", "2024-01-01T12:00:00Z")
    }

    pub(crate) fn git_with(&self, arguments: &[&str], input: &[u8], date: &str) -> String {
        let mut child = Command::new("git")
            .arg("-C")
            .arg(self.bare())
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_INDEX_FILE", self.path("index"))
            .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "a@b.c")])
            .envs([
                ("GIT_COMMITTER_NAME", "Ada"),
                ("GIT_COMMITTER_EMAIL", "a@b.c"),
            ])
            .envs([("GIT_AUTHOR_DATE", date), ("GIT_COMMITTER_DATE", date)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("git");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(input).expect("written");
        drop(pipe);
        let output = child.wait_with_output().expect("an output");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {arguments:?}: {words}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(crate) fn blob(&self, bytes: &[u8]) -> String {
        self.git_with(&["hash-object", "-w", "--stdin"], bytes, "")
    }

    /// A tree of exactly these files.
    pub(crate) fn tree(&self, files: &[File<'_>]) -> String {
        let _ = fs::remove_file(self.path("index"));
        let mut lines = String::new();
        for file in files {
            let (mode, id, path) = match file {
                Text(path, text) => ("100644", self.blob(text.as_bytes()), *path),
                Bytes(path, bytes) => ("100644", self.blob(bytes), *path),
                Link(path, target) => ("120000", self.blob(target.as_bytes()), *path),
                Program(path, text) => ("100755", self.blob(text.as_bytes()), *path),
                Submodule(path) => ("160000", "a".repeat(40), *path),
            };
            lines.push_str(&format!("{mode} {id}\t{path}\n"));
        }
        self.git_with(
            &["update-index", "--add", "--index-info"],
            lines.as_bytes(),
            "",
        );
        self.git(&["write-tree"])
    }

    /// A commit on `main`.
    pub(crate) fn commit(&self, date: &str, files: &[File<'_>]) -> String {
        let tree = self.tree(files);
        self.commit_tree(&tree, "main", date)
    }

    pub(crate) fn commit_tree(&self, tree: &str, branch: &str, date: &str) -> String {
        let reference = format!("refs/heads/{branch}");
        let parents = self.git(&["for-each-ref", "--format=%(objectname)", &reference]);
        let mut arguments = vec!["commit-tree", tree, "-m", "A change\n\nAnd why."];
        if !parents.is_empty() {
            arguments.extend(["-p", &parents]);
        }
        let id = self.git_with(&arguments, b"", date);
        self.git(&["update-ref", &reference, &id]);
        id
    }

    /// An object of any kind with any bytes, as no Git would write it.
    pub(crate) fn raw(&self, kind: &str, bytes: &[u8]) -> String {
        self.git_with(
            &["hash-object", "-t", kind, "-w", "--literally", "--stdin"],
            bytes,
            "",
        )
    }

    /// The bytes of a tree.
    pub(crate) fn tree_bytes(entries: &[(&str, &[u8], &str)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend(mode.as_bytes());
            bytes.push(b' ');
            bytes.extend(*name);
            bytes.push(0);
            let digits = |at: usize| u8::from_str_radix(&id[at..at + 2], 16).expect("digits");
            bytes.extend((0..40).step_by(2).map(digits));
        }
        bytes
    }

    pub(crate) fn open(&self, address: &str, options: &Options) -> Repository {
        Repository::open(&self.path("store"), address, options).expect("a repository")
    }

    /// The bare repository where it is.
    pub(crate) fn local(&self, options: &Options) -> Repository {
        self.open(self.bare().to_str().expect("a path"), options)
    }
}

/// All files below a folder, links with their targets.
pub(crate) fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let shown = path
                .strip_prefix(folder)
                .expect("below")
                .display()
                .to_string();
            let data = fs::symlink_metadata(&path).expect("data");
            if data.is_dir() {
                left.push(path);
            } else if data.is_symlink() {
                let target = fs::read_link(&path).expect("a link");
                found.push(format!("{shown} -> {}", target.display()));
            } else {
                found.push(shown);
            }
        }
    }
    found.sort();
    found
}

/// The codes of what an export found.
pub(crate) fn codes(found: &[svc_diagnostics::Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|one| one.code.id).collect()
}

/// Fetches and exports; the files that came.
pub(crate) fn files(
    fixture: &Fixture,
    repository: &Repository,
    reference: &str,
) -> (Commit, Vec<String>) {
    let commit = repository.fetch(reference).expect("a commit");
    let into = fixture.path(&format!("out-{}", commit.id));
    let _ = fs::remove_dir_all(&into);
    repository.export(&commit.id, &into, None).expect("files");
    let found = listing(&into);
    (commit, found)
}

/// What a server of any kind must do. `options` are what it takes to reach it.
pub(crate) fn life_of_a_branch(fixture: &Fixture, address: &str, options: &Options) {
    let first = fixture.commit(
        "2024-01-01T12:00:00Z",
        &[Text("docs.json", "{}"), Text("a/b.mdx", "one")],
    );
    let repository = fixture.open(address, options);
    let (commit, found) = files(fixture, &repository, "main");
    assert_eq!(commit.id.to_string(), first);
    assert_eq!(
        (commit.author.as_str(), commit.message.as_str()),
        ("Ada", "A change")
    );
    assert_eq!(commit.time, 1_704_110_400);
    assert_eq!(found, ["a/b.mdx", "docs.json"]);

    // A push, and again without one.
    let second = fixture.commit(
        "2024-02-01T12:00:00Z",
        &[
            Text("docs.json", "{}"),
            Text("a/b.mdx", "two"),
            Text("c.mdx", "new"),
        ],
    );
    for _ in 0..2 {
        let (commit, found) = files(fixture, &repository, "refs/heads/main");
        assert_eq!(commit.id.to_string(), second);
        assert_eq!(found, ["a/b.mdx", "c.mdx", "docs.json"]);
    }
    let text = fs::read_to_string(fixture.path(&format!("out-{second}/a/b.mdx")));
    assert_eq!(text.expect("a file"), "two");

    // Tags and requests are references like others.
    fixture.git(&["tag", "-a", "-m", "x", "v1", &first]);
    fixture.git(&["update-ref", "refs/pull/12/head", &first]);
    for reference in ["v1", "refs/tags/v1", "refs/pull/12/head"] {
        let (commit, found) = files(fixture, &repository, reference);
        assert_eq!(
            (commit.id.to_string(), found.len()),
            (first.clone(), 2),
            "{reference}"
        );
    }

    // A force push to an unrelated commit.
    fixture.git(&["update-ref", "-d", "refs/heads/main"]);
    let third = fixture.commit("2023-01-01T12:00:00Z", &[Text("docs.json", "{\"x\": 1}")]);
    let (commit, found) = files(fixture, &repository, "main");
    assert_eq!(
        (commit.id.to_string(), found),
        (third.clone(), vec!["docs.json".to_owned()])
    );

    // A new process finds what was there.
    drop(repository);
    let repository = fixture.open(address, options);
    assert_eq!(files(fixture, &repository, "main").0.id.to_string(), third);
    let branches = repository.branches().expect("branches");
    assert_eq!(branches.keys().collect::<Vec<_>>(), ["main"]);

    // A deleted branch.
    fixture.git(&["update-ref", "refs/heads/mains", &third]);
    fixture.git(&["update-ref", "-d", "refs/heads/main"]);
    let error = repository.fetch("main").expect_err("no such branch");
    assert_eq!(
        error.to_string(),
        "the repository has no branch `main`; there is `mains`"
    );
    fixture.git(&["update-ref", "-d", "refs/heads/mains"]);
    let error = repository.fetch("main").expect_err("no branch at all");
    assert!(matches!(error, GitError::Empty), "{error}");
}
