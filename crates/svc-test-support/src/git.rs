//! Bare Git repositories that tests write object by object, without a work tree.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// When everything is written that says no date.
const DEFAULT_DATE: &str = "2024-01-01T12:00:00Z";

/// A bare repository whose first branch is `main`. Its folder goes with whoever made it.
#[derive(Debug)]
pub struct BareRepo(PathBuf);

/// A file of a commit: its path, and what it holds.
#[derive(Debug, Clone)]
pub enum File<'a> {
    /// A text.
    Text(&'a str, &'a str),
    /// Any bytes.
    Bytes(&'a str, Vec<u8>),
    /// A symbolic link, and where it leads.
    Link(&'a str, &'a str),
    /// A text that may be executed.
    Program(&'a str, &'a str),
    /// A submodule at a commit that is nowhere.
    Submodule(&'a str),
}

/// Whether there is a `git` to make repositories with; that there is none is printed.
pub fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok();
    if !found {
        #[expect(
            clippy::print_stderr,
            reason = "a test that does nothing has to say so"
        )]
        {
            eprintln!("skipped: there is no git");
        }
    }
    found
}

impl BareRepo {
    /// An empty repository in a new folder; nothing without Git.
    ///
    /// # Panics
    /// When the folder cannot be made.
    pub fn new(folder: &Path) -> Option<Self> {
        if !has_git() {
            return None;
        }
        fs::create_dir_all(folder).expect("a folder");
        let bare = Self(folder.to_owned());
        bare.git(&["init", "-q", "--bare", "-b", "main"]);
        Some(bare)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Runs Git in the repository and returns what it prints.
    ///
    /// # Panics
    /// When Git fails.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_with(arguments, b"", DEFAULT_DATE)
    }

    /// As [`git`](Self::git), with a standard input and a date for what is written.
    ///
    /// # Panics
    /// When Git fails.
    pub fn git_with(&self, arguments: &[&str], input: &[u8], date: &str) -> String {
        let mut child = Command::new("git")
            .arg("-C")
            .arg(&self.0)
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_INDEX_FILE", self.index())
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
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {words}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn index(&self) -> PathBuf {
        self.0.join("index")
    }

    /// The id of a file with these bytes.
    pub fn blob(&self, bytes: &[u8]) -> String {
        self.git_with(&["hash-object", "-w", "--stdin"], bytes, DEFAULT_DATE)
    }

    /// The id of a tree of exactly these files.
    pub fn tree(&self, files: &[File<'_>]) -> String {
        let _ = fs::remove_file(self.index());
        let mut lines = String::new();
        for file in files {
            let (mode, id, path) = match file {
                File::Text(path, text) => ("100644", self.blob(text.as_bytes()), *path),
                File::Bytes(path, bytes) => ("100644", self.blob(bytes), *path),
                File::Link(path, target) => ("120000", self.blob(target.as_bytes()), *path),
                File::Program(path, text) => ("100755", self.blob(text.as_bytes()), *path),
                File::Submodule(path) => ("160000", "a".repeat(40), *path),
            };
            lines.push_str(&format!("{mode} {id}\t{path}\n"));
        }
        let arguments = ["update-index", "--add", "--index-info"];
        self.git_with(&arguments, lines.as_bytes(), DEFAULT_DATE);
        self.git(&["write-tree"])
    }

    /// A commit of a tree on a branch, after the one that is there; its id.
    pub fn commit_tree(&self, tree: &str, branch: &str, date: &str) -> String {
        let reference = format!("refs/heads/{branch}");
        let parent = self.git(&["for-each-ref", "--format=%(objectname)", &reference]);
        let mut arguments = vec!["commit-tree", tree, "-m", "A change\n\nAnd why."];
        if !parent.is_empty() {
            arguments.extend(["-p", &parent]);
        }
        let id = self.git_with(&arguments, b"", date);
        self.git(&["update-ref", &reference, &id]);
        id
    }

    /// A commit of exactly these files on a branch; its id.
    pub fn commit_on(&self, branch: &str, files: &[File<'_>]) -> String {
        self.commit_tree(&self.tree(files), branch, DEFAULT_DATE)
    }

    /// An object of any kind with any bytes, as no Git would write it; its id.
    pub fn raw(&self, kind: &str, bytes: &[u8]) -> String {
        let arguments = ["hash-object", "-t", kind, "-w", "--literally", "--stdin"];
        self.git_with(&arguments, bytes, DEFAULT_DATE)
    }
}

/// The bytes of a tree with these entries: mode, name, id.
///
/// # Panics
/// When an id is none.
pub fn tree_bytes(entries: &[(&str, &[u8], &str)]) -> Vec<u8> {
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
