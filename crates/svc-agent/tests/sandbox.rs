//! Isolation of agents, and secrets that are not pushed.

use crate::support;

use std::fs;
use std::process::Command;

use support::{World, link, reason};
use svc_agent::Sandbox;
use svc_git::Secret;

/// Whether sandboxes work on this machine.
fn works() -> bool {
    let tried = Command::new("bwrap")
        .args(["--unshare-all", "--ro-bind", "/", "/", "true"])
        .status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        svc_test_support::skip("`bwrap` does not work here");
    }
    works
}

async fn world(script: &str) -> Option<World> {
    if !works() {
        return None;
    }
    let mut world = World::new(script).await?;
    world.options.sandbox = Sandbox::Auto;
    Some(world)
}

#[tokio::test]
async fn a_sandboxed_agent_works_in_its_clone() {
    let script = "cat > a/said.md; echo two >> a/page.mdx; echo kept > \"$HOME/x\"; \
                  echo kept > \"$TMPDIR/y\"; git log --oneline | head -1; cat \"$SVC_PROMPTS\"; echo $PWD";
    let Some(world) = world(script).await else {
        return;
    };
    let (outcome, log) = world.once("say it").await;
    assert!(link(&outcome).is_some(), "{log}");
    assert!(log.contains("[\"say it\"]"), "{log}");
    let branch = world.branches().into_iter().find(|name| name != "main");
    let files = world.files(&branch.expect("a branch"));
    assert!(files.contains(&"100644 a/said.md".to_owned()), "{files:?}");
}

#[tokio::test]
async fn a_sandboxed_agent_sees_no_data_of_the_server() {
    let Some(mut world) = world("true").await else {
        return;
    };
    let canary = world.path("admin.sqlite");
    fs::write(&canary, "CANARY").expect("written");
    let outside = world.path("outside");
    let script = format!(
        "cat {canary}; ls -a {data}; ls -d ../git ../lock; echo x > {outside}; echo x > /usr/x; \
         cat /proc/$PPID/environ /proc/1/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; ls /etc /root /home; \
         echo done > done.md",
        canary = canary.display(),
        data = world.dir.path().display(),
        outside = outside.display(),
    );
    world.agent(&script);
    let (outcome, log) = world.once("look around").await;
    assert!(link(&outcome).is_some(), "{log}");
    assert!(!log.contains("CANARY"), "{log}");
    for hidden in ["admin.sqlite\n", "repositories\n", "shadow\n"] {
        assert!(!log.contains(hidden), "{hidden}: {log}");
    }
    // Present in the environment of the test, but not of the agent.
    assert!(!log.contains("CARGO_"), "{log}");
    let program = std::env::current_exe().expect("a path");
    let program = program
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    assert!(!log.contains(&program), "{log}");
    assert!(!outside.exists());
}

#[tokio::test]
async fn processes_in_the_sandbox_are_killed_with_it() {
    let Some(mut world) = world("true").await else {
        return;
    };
    let sleep = format!("sleep {}", 1_000_000 + std::process::id());
    world.agent(&format!("setsid {sleep} & echo x > x.md; {sleep}"));
    world.options.timeout = std::time::Duration::from_secs(1);
    let (outcome, _) = world.once("wait").await;
    assert!(reason(outcome).contains("longer than 1 seconds"));
    let left = Command::new("pgrep").args(["-f", &sleep]).output();
    let left = left.map(|output| output.stdout).unwrap_or_default();
    assert_eq!(String::from_utf8_lossy(&left), "");
}

#[tokio::test]
async fn a_secret_in_a_file_is_not_pushed() {
    let Some(mut world) = World::new("true").await else {
        return;
    };
    world.options.secrets = vec![Secret::new("hook-s3cr3t-of-the-server")];
    let cases = [
        (
            "printf 'a\\nhook-s3cr3t-of-the-server' > a/env.txt",
            "a/env.txt",
        ),
        (
            "printf 'a\\0hook-s3cr3t-of-the-server\\n' > a/raw.bin",
            "a/raw.bin",
        ),
        ("ln -s hook-s3cr3t-of-the-server a/link", "a/link"),
        (
            "echo '*.md diff=x binary' > .gitattributes; echo hook-s3cr3t-of-the-server > b.md",
            "b.md",
        ),
    ];
    for (number, (script, file)) in cases.into_iter().enumerate() {
        world.agent(script);
        let id = world.job(&format!("job_{number}"), "leak").await;
        let failure = reason(world.run().await);
        assert!(
            failure.contains(&format!("`{file}` contains a secret")),
            "{failure}"
        );
        assert_eq!(world.branches(), ["main"], "nothing was pushed");
        let log = world.log(&id).await;
        assert!(!log.contains("hook-s3cr3t"), "{log}");
    }
}

#[tokio::test]
async fn a_secret_in_the_commit_message_is_not_pushed() {
    let Some(mut world) = World::new("echo x > x.md").await else {
        return;
    };
    world.options.secrets = vec![Secret::new("hook-s3cr3t-of-the-server")];
    let (outcome, _) = world.once("write hook-s3cr3t-of-the-server down").await;
    assert!(reason(outcome).contains("commit message contains"));
    assert_eq!(world.branches(), ["main"], "nothing was pushed");
}
