//! Jobs on a repository over SSH, with a server on the loopback interface.

use crate::support;

use support::{World, link, reason};
use svc_agent::{Forge, Hook};
use svc_git::Credentials;
use svc_test_support::ssh::Sshd;

/// A world whose project uses one of the keys; `None` without Git or an SSH server.
async fn world(key: &str, script: &str) -> Option<(World, Sshd)> {
    let mut world = World::new(script).await?;
    let sshd = Sshd::start(world.dir.path(), true)?;
    let hook = Hook {
        command: vec![world.path("hook").display().to_string()],
        timeout: std::time::Duration::from_secs(20),
    };
    let credentials = Credentials::Key {
        file: sshd.key(key),
        known_hosts: Some(sshd.known_hosts()),
    };
    world.put(Forge::Hook(hook), credentials);
    Some((world, sshd))
}

#[tokio::test]
async fn a_job_clones_and_pushes_with_the_key_in_all_turns() {
    let script = "cat >> said.txt; echo >> said.txt; env > env.txt; git remote -v > remote.txt
        git fetch origin main 2> fetched.txt && echo SUCCEEDED >> fetched.txt || true";
    let Some((world, sshd)) = world("key", script).await else {
        return;
    };
    let url = sshd.url(&world.bare());
    let before = world.git(&["rev-parse", "main"]);
    let id = world.job_at(&url, Some("main"), "job_1", "Say it").await;
    let outcome = world.run().await;
    let log = world.log(&id).await;
    assert!(link(&outcome).is_some(), "{log}");
    assert_eq!(world.git(&["rev-parse", "main"]), before);
    assert_eq!(world.git(&["rev-parse", "svc/job-job_1^"]), before);
    assert_eq!(world.git(&["show", "svc/job-job_1:said.txt"]), "Say it");
    // The agent knows the URL but not the key.
    let show = |name: &str| world.git(&["show", &format!("svc/job-job_1:{name}")]);
    assert!(show("remote.txt").contains(&url));
    assert!(!show("env.txt").contains("GIT_SSH"), "{}", show("env.txt"));
    assert!(!show("fetched.txt").contains("SUCCEEDED"), "it has a key");
    world.message(&id, "And this").await;
    let outcome = world.run().await;
    assert!(link(&outcome).is_some(), "{}", world.log(&id).await);
    let shown = world.git(&["show", "svc/job-job_1:said.txt"]);
    assert_eq!(shown, "Say it\nAnd this");
    assert_eq!(
        world.git(&["rev-list", "--count", "main..svc/job-job_1"]),
        "2"
    );
}

#[tokio::test]
async fn a_rejected_key_and_an_unknown_host_fail_the_job() {
    for (key, host, complaint) in [
        ("other", "host", "to a private key without passphrase"),
        ("key", "other", "add the correct key to `known_hosts`"),
    ] {
        let Some((world, sshd)) = world(key, "echo x > x").await else {
            return;
        };
        sshd.trust_host(host);
        let url = sshd.url(&world.bare());
        let id = world.job_at(&url, Some("main"), "job_1", "Do it").await;
        let failure = reason(world.run().await);
        assert!(failure.contains(complaint), "{failure}");
        assert_eq!(world.branches(), ["main"], "{}", world.log(&id).await);
    }
}
