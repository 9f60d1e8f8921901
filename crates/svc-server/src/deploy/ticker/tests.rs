//! Polling of sources.

use std::process::Command;

use super::super::tests::harness::{Harness, wait_idle, wait_until};
use super::*;
use crate::deploy::DeploymentState;
use crate::settings::GitSource;

const MINUTE: Duration = Duration::from_secs(60);

fn seen(now: Instant) -> SourceStatus {
    SourceStatus {
        fingerprint: None,
        last: Some((now, Duration::ZERO)),
    }
}

#[test]
fn the_poll_interval_counts_from_the_last_poll() {
    let now = Instant::now();
    let seen = seen(now);
    assert!(!seen.is_due(1440 * MINUTE, None, now + 6 * MINUTE));
    assert!(seen.is_due(5 * MINUTE, None, now + 6 * MINUTE));
    assert!(!seen.is_due(7 * MINUTE, None, now + 6 * MINUTE));
}

#[test]
fn a_failed_source_backs_off_in_proportion_to_the_fetch_time() {
    let now = Instant::now();
    let seen = seen(now);
    let second = Duration::from_secs(1);
    let missed = |took| {
        Some(SourceFailure {
            failed_at: now,
            duration: took,
        })
    };
    assert!(seen.is_due(second, missed(Duration::ZERO), now + second));
    assert!(!seen.is_due(second, missed(30 * second), now + MINUTE));
    assert!(seen.is_due(second, missed(30 * second), now + 2 * MINUTE));
    assert!(!seen.is_due(2 * MINUTE, missed(second), now + MINUTE));
}

/// Starts with a project that is not polled, and then enables frequent polling.
fn polled(rig: &Harness, plan: ProjectConfig) -> Deployer {
    let deployer = rig.start(vec![plan.clone()]);
    wait_idle(&deployer);
    assert!(rig.html("docs").contains("Version one."));
    let poll = Some(Duration::from_millis(50));
    deployer
        .set_projects(vec![ProjectConfig { poll, ..plan }])
        .unwrap();
    deployer
}

fn shows_the_second(rig: &Harness, deployer: &Deployer) {
    wait_until("the change was not noticed", || {
        rig.html("docs").contains("Version two.")
    });
    let all = deployer.list(None);
    let live = all
        .iter()
        .find(|deployment| deployment.state == DeploymentState::Live)
        .unwrap();
    assert_eq!(live.trigger, Trigger::Poll);
    deployer.stop();
}

#[test]
fn a_dir_is_deployed_by_polling() {
    let rig = Harness::new(&["docs"]);
    let deployer = polled(&rig, rig.plan("docs"));
    rig.write("docs", "index.mdx", "Version two.");
    shows_the_second(&rig, &deployer);
}

#[test]
fn a_repository_is_deployed_by_polling() {
    if !svc_test_support::git::has_git() {
        return;
    }
    let rig = Harness::new(&["docs"]);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(rig.source_dir("docs"));
        command.args(["-c", "user.name=Ada", "-c", "user.email=a@b.c"]);
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "One"]);
    let plan = ProjectConfig {
        source: SourceSettings::Git(GitSource::with_defaults(
            &rig.source_dir("docs").to_string_lossy(),
        )),
        ..rig.plan("docs")
    };
    let deployer = polled(&rig, plan);
    rig.write("docs", "index.mdx", "Version two.");
    git(&["commit", "-q", "-a", "-m", "Two"]);
    shows_the_second(&rig, &deployer);
}
