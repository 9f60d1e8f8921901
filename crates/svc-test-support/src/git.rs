//! Bare Git repositories that tests write object by object, without a work tree.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Date of objects without an explicit date.
const DEFAULT_DATE: &str = "2024-01-01T12:00:00Z";

/// A bare repository whose default branch is `main`. The caller owns its directory.
#[derive(Debug)]
pub struct BareRepo(PathBuf);

/// A file of a commit: path and content.
#[derive(Debug, Clone)]
pub enum File<'a> {
    /// A text file.
    Text(&'a str, &'a str),
    /// A binary file.
    Bytes(&'a str, Vec<u8>),
    /// A symbolic link with its target.
    Link(&'a str, &'a str),
    /// An executable text file.
    Program(&'a str, &'a str),
    /// A submodule at a commit that does not exist.
    Submodule(&'a str),
}

/// Whether Git is installed. Prints a message if it is not.
pub fn has_git() -> bool {
    let installed = Command::new("git").arg("--version").output().is_ok();
    if !installed {
        crate::skip("there is no git");
    }
    installed
}

impl BareRepo {
    /// Creates an empty repository in a new directory. Returns `None` if Git is not installed.
    ///
    /// # Panics
    /// When the directory cannot be created.
    pub fn new(dir: &Path) -> Option<Self> {
        if !has_git() {
            return None;
        }
        fs::create_dir_all(dir).expect("a folder");
        let bare = Self(dir.to_owned());
        bare.git(&["init", "-q", "--bare", "-b", "main"]);
        Some(bare)
    }

    /// Path of the repository.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Runs Git in the repository and returns its output.
    ///
    /// # Panics
    /// When Git fails.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_with(arguments, b"", DEFAULT_DATE)
    }

    /// Like [`git`](Self::git), with standard input and a date for new objects.
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
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {stderr}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn index(&self) -> PathBuf {
        self.0.join("index")
    }

    /// Writes a blob and returns its id.
    pub fn blob(&self, bytes: &[u8]) -> String {
        self.git_with(&["hash-object", "-w", "--stdin"], bytes, DEFAULT_DATE)
    }

    /// Writes a tree with exactly these files and returns its id.
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

    /// Commits a tree on a branch, after its current commit. Returns the id.
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

    /// Commits exactly these files on a branch. Returns the id.
    pub fn commit_on(&self, branch: &str, files: &[File<'_>]) -> String {
        self.commit_tree(&self.tree(files), branch, DEFAULT_DATE)
    }

    /// Writes an object of any kind with any content, even if it is malformed. Returns the id.
    pub fn raw(&self, kind: &str, bytes: &[u8]) -> String {
        let arguments = ["hash-object", "-t", kind, "-w", "--literally", "--stdin"];
        self.git_with(&arguments, bytes, DEFAULT_DATE)
    }
}

/// Content of a tree object with these entries: mode, name, id.
///
/// # Panics
/// When an id is invalid.
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
