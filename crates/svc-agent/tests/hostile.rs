//! Malicious agents.

use crate::support;

use std::fs;

use support::{World, link, reason};

/// An agent that plants programs in all places where Git would execute one. They write to `CANARY`.
const PLANTS: &str = r#"
canary() { printf '#!/bin/sh\necho "$0" >> %s\n' "CANARY" > "$1"; chmod 755 "$1"; }
canary ../evil.sh
evil=$(cd .. && pwd)/evil.sh
plant() {
    mkdir -p "$1/hooks" "$1/info"
    for hook in pre-commit post-commit pre-push post-index-change reference-transaction post-checkout fsmonitor-watchman; do
        canary "$1/hooks/$hook"
    done
    printf '* filter=evil diff=evil\n' > "$1/info/attributes"
    cat >> "$1/config" <<CONFIG
[core]
    hooksPath = $1/hooks
    fsmonitor = $evil
    sshCommand = $evil
    editor = $evil
    pager = $evil
    askPass = $evil
    gitProxy = $evil
    worktree = /etc
[filter "evil"]
    clean = $evil
    smudge = $evil
    process = $evil
    required = true
[diff "evil"]
    command = $evil
    textconv = $evil
[credential]
    helper = $evil
[remote "origin"]
    receivepack = $evil
[url "ext::$evil "]
    insteadOf = file://
    pushInsteadOf = file://
    insteadOf = /
[gpg]
    program = $evil
[commit]
    gpgSign = true
[gc]
    auto = 1
[alias]
    add = !$evil
CONFIG
}
"#;

fn planting(world: &World, rest: &str) -> String {
    let canary = world.path("canary").display().to_string();
    format!("{}\n{rest}", PLANTS.replace("CANARY", &canary))
}

#[tokio::test]
async fn nothing_that_an_agent_plants_is_executed() {
    for rest in [
        // In its clone.
        "plant \"$PWD/.git\"; echo x > x",
        // In a new clone.
        "rm -rf .git; git init -q; plant \"$PWD/.git\"; echo x > x",
        // A `.git` file that points to another Git directory.
        "mkdir ../other; git init -q --bare ../other; plant \"$(cd ..; pwd)/other\"; rm -rf .git; echo \"gitdir: $(cd ..; pwd)/other\" > .git; echo x > x",
        // In attributes, for users with such a filter.
        "printf '* filter=evil diff=evil merge=evil ident\\n' > .gitattributes; plant \"$PWD/.git\"; echo x > x",
        // In the Git directory for commits, which an agent with the same account can find.
        "plant \"$(cd ..; pwd)/git\"; echo x > x",
        "rm -rf ../git/config; mkdir ../git/config; plant \"$(cd ..; pwd)/git2\"; printf '%s' ../git2 > ../git/commondir; echo x > x",
        // In submodules.
        "printf '[submodule \"x\"]\\n path = x\\n url = ext::%s\\n update = !%s\\n' \"$evil\" \"$evil\" > .gitmodules; plant \"$PWD/.git\"; echo x > x.txt",
    ] {
        let Some(mut world) = World::new("").await else {
            return;
        };
        let script = planting(&world, rest);
        world.agent(&script);
        let (outcome, log) = world.once("Do it").await;
        assert!(link(&outcome).is_some(), "{rest}: {log}");
        assert!(
            !world.path("canary").exists(),
            "{rest}: {}",
            world.text("canary")
        );
        let files = world.files("svc/job-job_1");
        assert!(
            files.iter().any(|file| file.starts_with("100644 x")),
            "{files:?}"
        );
        assert!(
            !files
                .iter()
                .any(|file| file.contains(".git/") || file.ends_with(".git")),
            "{files:?}"
        );
    }
}

#[tokio::test]
async fn nested_repositories_are_regular_files() {
    let script = "mkdir -p sub/deep; cd sub; git init -q; echo a > a
        git add a; git -c user.name=a -c user.email=b commit -q -m x; cd deep; git init -q; echo b > b
        mkdir -p ../../other/.GIT/hooks; echo c > ../../other/.GIT/hooks/c; echo d > ../../other/d";
    let Some(world) = World::new(script).await else {
        return;
    };
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some(), "{log}");
    let files = [
        "100644 a/page.mdx",
        "100644 docs.json",
        "100644 other/d",
        "100644 sub/a",
        "100644 sub/deep/b",
    ];
    assert_eq!(world.files("svc/job-job_1"), files);
}

#[tokio::test]
async fn links_are_committed_as_links_and_not_followed() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let outside = world.path("outside");
    fs::create_dir_all(outside.join("keep")).expect("a folder");
    fs::write(outside.join("keep/secret"), "a secret of the server").expect("written");
    fs::create_dir(outside.join(".git")).expect("a folder");
    let shown = outside.display();
    world.agent(&format!(
        "ln -s /etc/passwd passwd; ln -s {shown} folder; rm -rf a; ln -s {shown}/keep a; ln -s loop loop
        ln -s {shown} deep.git; ln -s ../../../.. up"
    ));
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some(), "{log}");
    let files = world.files("svc/job-job_1");
    let expected = [
        "120000 a",
        "120000 deep.git",
        "100644 docs.json",
        "120000 folder",
        "120000 loop",
        "120000 passwd",
        "120000 up",
    ];
    assert_eq!(files, expected);
    assert_eq!(world.git(&["show", "svc/job-job_1:passwd"]), "/etc/passwd");
    assert!(outside.join("keep/secret").exists() && outside.join(".git").exists());
}

#[tokio::test]
async fn an_agent_that_removes_its_work_tree_fails_the_job() {
    for (script, expected) in [
        (
            "cd /; rm -rf \"$OLDPWD\"",
            "the agent removed its work tree",
        ),
        (
            "mv ../work ../elsewhere; ln -s /etc ../work",
            "the agent removed its work tree",
        ),
        (
            "mv ../work ../elsewhere; mkdir ../work; echo x > ../work/x",
            "the agent removed its work tree",
        ),
        (
            "echo x > ../x; rm -rf ../work; mv ../x ../work",
            "the agent removed its work tree",
        ),
        ("rm -rf ./* .git", "the agent removed every file"),
        (
            "rm -rf ../git; echo x > x",
            "the folder of the job cannot be used: it was replaced",
        ),
        (
            "chmod 000 .; chmod 000 ../home ..; exit 1",
            "the agent failed",
        ),
    ] {
        let Some(world) = World::new(script).await else {
            return;
        };
        let (outcome, log) = world.once("Do it").await;
        let failure = reason(outcome);
        assert!(failure.contains(expected), "{script}: {failure}");
        assert!(log.contains(&failure), "{log}");
        assert_eq!(world.branches(), ["main"], "{script}");
    }
}

#[tokio::test]
async fn a_link_instead_of_the_git_directory_is_rejected() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let outside = world.path("outside");
    fs::create_dir_all(outside.join("hooks/keep")).expect("a folder");
    fs::write(outside.join("config"), "mine").expect("written");
    world.agent(&format!(
        "rm -rf ../git; ln -s {} ../git; echo x > x",
        outside.display()
    ));
    let (outcome, _) = world.once("Do it").await;
    assert_eq!(
        reason(outcome),
        "the folder of the job cannot be used: it was replaced"
    );
    assert!(outside.join("hooks/keep").exists());
    assert_eq!(world.text("outside/config"), "mine");
}

#[tokio::test]
async fn special_files_do_not_block() {
    let script = "mkfifo pipe; mkdir -p deep; mkfifo deep/pipe; echo x > x";
    let Some(world) = World::new(script).await else {
        return;
    };
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some(), "{log}");
    assert_eq!(world.files("svc/job-job_1").len(), 3);
}

#[tokio::test]
async fn work_trees_are_limited() {
    for (script, expected) in [
        (
            "for i in $(seq 30); do echo > f$i; done",
            "more than 20 files",
        ),
        ("truncate -s 2000000 large", "more than 1000000 bytes"),
        (
            "mkdir -p 1/2/3/4/5/6/7/8/9",
            "more than 5 levels of folders",
        ),
    ] {
        let Some(mut world) = World::new(script).await else {
            return;
        };
        world.options.limits = svc_agent::WorkTreeLimits {
            max_files: 20,
            max_bytes: 1_000_000,
            max_depth: 5,
        };
        let (outcome, _) = world.once("Do it").await;
        let failure = reason(outcome);
        assert_eq!(failure, format!("the work tree has {expected}"), "{script}");
    }
}

#[tokio::test]
async fn names_that_look_like_options_are_committed() {
    let script = "echo x > --force; echo x > '-n'; echo x > 'a
b'; echo x > \"$(printf 'c\\377d')\"; mkdir -- '--all'; echo x > './--all/x'";
    let Some(world) = World::new(script).await else {
        return;
    };
    let (outcome, log) = world.once("--force\n-n").await;
    assert!(link(&outcome).is_some(), "{log}");
    assert_eq!(
        world
            .git(&["ls-tree", "-r", "--name-only", "-z", "svc/job-job_1"])
            .matches('\0')
            .count(),
        7
    );
}
