//! Nothing in a repository is executed.

use crate::support;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::File::{Link, Submodule, Text};
use support::http::{Server, ServerOptions};
use support::ssh::{SshOptions as _, Sshd};
use support::{Fixture, listing};
use svc_git::{Options, WorkTree};

/// All hooks of Git.
static HOOKS: [&str; 14] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "post-update",
    "pre-auto-gc",
    "pre-commit",
    "pre-receive",
    "reference-transaction",
    "proc-receive",
    "update",
];

/// Configuration and hooks that would run the canary.
fn trap(git_dir: &Path, canary: &Path) {
    let script = git_dir.join("trap.sh");
    fs::write(
        &script,
        format!("#!/bin/sh\ntouch '{}'\nexec cat\n", canary.display()),
    )
    .expect("written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("made executable");
    let run = script.display();
    let config = format!(
        "[core]\n\tfsmonitor = {run}\n\tsshCommand = {run}\n\tpager = {run}\n\teditor = {run}\n\
         \taskPass = {run}\n\tgitProxy = {run}\n\talternateRefsCommand = {run}\n\
         [credential]\n\thelper = !{run}\n[filter \"x\"]\n\tsmudge = {run}\n\tclean = {run}\n\
         \tprocess = {run}\n\trequired = true\n[diff]\n\texternal = {run}\n[diff \"x\"]\n\
         \ttextconv = {run}\n\tcommand = {run}\n[merge \"x\"]\n\tdriver = {run}\n\
         [uploadpack]\n\tpackObjectsHook = {run}\n[remote \"origin\"]\n\turl = ext::{run}\n\
         \tuploadpack = {run}\n\tvcs = x\n[gpg]\n\tprogram = {run}\n[log]\n\tshowSignature = true\n\
         [interactive]\n\tdiffFilter = {run}\n[alias]\n\tlog = !{run}\n[submodule \"m\"]\n\
         \turl = ext::{run}\n\tupdate = !{run}\n"
    );
    let path = git_dir.join("config");
    let before = fs::read_to_string(&path).expect("a config");
    fs::write(path, before + &config).expect("written");
    fs::create_dir_all(git_dir.join("hooks")).expect("a folder");
    for hook in HOOKS {
        fs::copy(&script, git_dir.join("hooks").join(hook)).expect("copied");
    }
}

/// Files that would execute something in an unhardened checkout.
fn files<'a>() -> Vec<support::File<'a>> {
    vec![
        Text("docs.json", "{}"),
        Text(
            ".gitattributes",
            "* filter=x diff=x merge=x\n*.ident ident export-subst\n",
        ),
        Text(
            ".gitmodules",
            "[submodule \"m\"]\n\tpath = m\n\turl = --upload-pack=touch /tmp/x\n\tupdate = !touch /tmp/x\n",
        ),
        Submodule("m"),
        Link("hooks", ".git/hooks"),
        Text("a.mdx", "text"),
    ]
}

#[test]
fn nothing_in_config_hooks_or_attributes_is_executed() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    fixture.commit("2024-01-01T12:00:00Z", &files());
    let canary = fixture.path("canary");
    let server = Server::start(fixture.dir.path().to_owned(), ServerOptions::default());
    let sshd = Sshd::start(fixture.dir.path(), true);
    let plain = Options {
        allow_http: true,
        history: true,
        ..Options::default()
    };
    let program = Options {
        git_program: Some(PathBuf::from("git")),
        ..plain.clone()
    };
    let bare = fixture.bare();
    let mut remotes = vec![
        (server.url(), plain.clone()),
        (server.url(), program.clone()),
        (bare.display().to_string(), plain),
        (bare.display().to_string(), program),
    ];
    if let Some(sshd) = &sshd {
        remotes.push((sshd.url(&bare), sshd.options("key")));
    }
    trap(&bare, &canary);
    for (number, (url, options)) in remotes.iter().enumerate() {
        let repository = fixture.open(url, options);
        // Programs that the server runs for itself are out of scope.
        let commit = repository.fetch("main").expect("a commit");
        let into = fixture.path(&format!("out-{number}"));
        repository.export(&commit.id, &into, None).expect("files");
        assert_eq!(
            listing(&into),
            [".gitattributes", ".gitmodules", "a.mdx", "docs.json"]
        );
        repository.dates(&commit.id).expect("dates");
        repository.branches().expect("branches");
        assert!(!canary.exists(), "{url} {options:?}");
    }
    // Proves that the trap works: an unhardened program triggers it.
    let mut careless = Command::new(bare.join("trap.sh"));
    careless.stdin(std::process::Stdio::null());
    assert!(careless.status().is_ok_and(|status| status.success()) && canary.exists());
}

#[test]
fn reading_dates_of_a_work_tree_executes_nothing() {
    if !support::has_git() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let canary = dir.path().join("canary");
    let tree = dir.path().join("tree");
    fs::create_dir(&tree).expect("a folder");
    fs::write(tree.join("a.mdx"), "text").expect("written");
    for arguments in [
        &["init", "-q"][..],
        &["add", "."],
        &["commit", "-q", "-m", "x"],
    ] {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(&tree)
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c"]);
        assert!(
            command
                .args(arguments)
                .status()
                .is_ok_and(|status| status.success())
        );
    }
    trap(&tree.join(".git"), &canary);
    let around = WorkTree::discover(&tree).expect("a work tree");
    assert_eq!(
        around.dates(around.head().expect("a commit"), None).len(),
        1
    );
    assert!(!canary.exists());
}
