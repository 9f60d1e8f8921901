//! The deployer as a whole, with folders as sources.

pub(super) mod harness;
mod retention;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::settings::SourceSettings;
use harness::{CONFIG, Harness, WAIT_TIMEOUT, wait_idle, wait_until};

fn start(rig: &Harness) -> Deployer {
    rig.start(vec![rig.plan("docs")])
}

/// Starts the deployer and waits until it is idle.
fn started(rig: &Harness) -> Deployer {
    let deployer = start(rig);
    wait_idle(&deployer);
    deployer
}

fn deploy(deployer: &Deployer) -> Deployment {
    harness::deploy(deployer, "docs")
}

/// A preview.
fn next() -> PublishTarget {
    let name = "next".into();
    PublishTarget::Preview { name }
}

/// Blocks deployments with the lock file of a Git command.
fn lock(rig: &Harness) -> PathBuf {
    rig.write("docs", ".git/index.lock", "");
    rig.source_dir("docs").join(".git/index.lock")
}

fn is_building(deployer: &Deployer) -> bool {
    let all = deployer.list(None);
    all.iter().any(|one| one.state == DeploymentState::Building)
}

/// Number of snapshot directories.
fn snapshots(rig: &Harness) -> usize {
    let dir = rig.data().join("projects/docs/snapshots");
    fs::read_dir(dir).unwrap().count()
}

#[test]
fn image_variants_are_created_once_for_all_projects() {
    let rig = Harness::new(&["docs", "notes"]);
    let image = include_bytes!("../../../../../docs/images/screenshot.png");
    let plans = ["docs", "notes"].map(|project| {
        rig.write(project, "index.mdx", "![Shot](/shot.png)");
        fs::write(rig.source_dir(project).join("shot.png"), image).unwrap();
        let mut plan = rig.plan(project);
        plan.load.site.image_variants = true;
        plan
    });
    let deployer = rig.start(plans.into());
    wait_idle(&deployer);
    let html = rig.html("docs");
    let (_, list) = html.split_once("srcset=\"/_svc/images/").expect("variants");
    let first = list.split(' ').next().unwrap();
    let dir = rig.data().join("images");
    let files = || fs::read_dir(&dir).map_or(0, Iterator::count);
    wait_until("they are made", || files() == 2);
    assert!(dir.join(first).is_file() && rig.html("notes").contains(first));
    // Later deployments succeed.
    let other = include_bytes!("../../../../../docs/images/themes.png");
    fs::write(rig.source_dir("docs").join("shot.png"), other).unwrap();
    assert_eq!(deploy(&deployer).state, DeploymentState::Live);
    wait_until("they are made", || files() == 4);
    assert!(!rig.html("docs").contains(first));
}

#[test]
fn a_change_is_live_only_after_a_deployment() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    assert!(rig.html("docs").contains("Version one."));
    rig.write("docs", "index.mdx", "Version two.");
    assert!(rig.html("docs").contains("Version one."));
    let result = deploy(&deployer);
    assert_eq!(
        (result.state, &*result.summary),
        (DeploymentState::Live, "1 page")
    );
    assert!(rig.html("docs").contains("Version two."));
    let states: Vec<DeploymentState> = deployer
        .list(Some("docs"))
        .iter()
        .map(|deployment| deployment.state)
        .collect();
    assert_eq!(states, [DeploymentState::Live, DeploymentState::Superseded]);
    let log = deployer.report(&result.id).unwrap().log;
    assert!(
        log.iter().any(|line| line.text.starts_with("built in")),
        "{log:?}"
    );
}

#[test]
fn unchanged_files_cause_no_build() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let before = deployer.list(None);
    let result = deploy(&deployer);
    assert_eq!(
        (result.state, &*result.summary),
        (DeploymentState::Live, "nothing changed")
    );
    let id = deployer
        .trigger(DeployRequest::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(deployer.wait(&id, WAIT_TIMEOUT), None);
    assert_eq!(deployer.list(None).len(), before.len() + 1);
}

#[test]
fn a_fatal_problem_leaves_the_live_site_and_is_located() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let before = rig.html("docs");
    rig.write("docs", "docs.json", "{ broken");
    let last = deploy(&deployer);
    assert_eq!(last.state, DeploymentState::Failed);
    assert!(last.summary.contains("docs.json:1:"), "{}", last.summary);
    let report = deployer.report(&last.id).unwrap();
    assert!(
        report.problems.contains("docs.json:1:"),
        "{}",
        report.problems
    );
    assert!(
        report
            .diagnostics
            .as_array()
            .is_some_and(|all| !all.is_empty())
    );
    assert_eq!(rig.html("docs"), before);
    // A known broken state is not built again.
    let id = deployer
        .trigger(DeployRequest::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(deployer.wait(&id, WAIT_TIMEOUT), None);
}

#[test]
fn errors_stop_a_deployment_only_if_configured() {
    let page = "<Card>\n\n{{ ( }}\n";
    for stop_on_errors in [false, true] {
        let mut rig = Harness::new(&["docs"]);
        rig.stop_on_errors = stop_on_errors;
        let deployer = started(&rig);
        rig.write("docs", "index.mdx", page);
        let result = deploy(&deployer);
        assert_eq!(
            result.state == DeploymentState::Failed,
            stop_on_errors,
            "{result:?}"
        );
    }
    // The first deployment is published nevertheless.
    let mut rig = Harness::new(&["docs"]);
    rig.stop_on_errors = true;
    rig.write("docs", "index.mdx", page);
    let deployer = started(&rig);
    assert_eq!(deployer.list(None)[0].state, DeploymentState::Live);
}

#[test]
fn a_failed_first_deployment_shows_the_reason_until_one_succeeds() {
    let rig = Harness::new(&["docs"]);
    rig.write("docs", "docs.json", "[]");
    let deployer = started(&rig);
    assert_eq!(deployer.list(None)[0].state, DeploymentState::Failed);
    assert!(rig.html("docs").contains("cannot be shown yet"));
    assert!(rig.html("docs").contains("docs.json:1:1"));
    rig.write("docs", "docs.json", CONFIG);
    assert_eq!(deploy(&deployer).state, DeploymentState::Live);
    assert!(rig.html("docs").contains("Version one."));
}

#[test]
fn a_rollback_persists_across_polls_but_not_new_commits_or_manual_deployments() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let first = deployer.list(None)[0].clone();
    rig.write("docs", "index.mdx", "Version two.");
    deploy(&deployer);
    let back = deployer.rollback("docs", None).unwrap();
    assert_eq!(
        back.trigger,
        Trigger::Rollback {
            of: first.id.clone()
        }
    );
    assert!(rig.html("docs").contains("Version one."));
    let id = deployer
        .trigger(DeployRequest::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(deployer.wait(&id, WAIT_TIMEOUT), None);
    // Also after a restart.
    deployer.stop();
    let deployer = started(&rig);
    assert!(rig.html("docs").contains("Version one."));
    assert_eq!(deployer.list(None)[0].id, back.id);
    let id = deployer
        .trigger(DeployRequest::live("docs", Trigger::Push))
        .unwrap();
    assert_eq!(
        deployer.wait(&id, WAIT_TIMEOUT).unwrap().state,
        DeploymentState::Superseded
    );
    assert!(rig.html("docs").contains("Version one."));
    assert_eq!(deploy(&deployer).state, DeploymentState::Live);
    assert!(rig.html("docs").contains("Version two."));
    deployer.rollback("docs", Some(&first.id)).unwrap();
    assert!(rig.html("docs").contains("Version one."));
    rig.write("docs", "index.mdx", "Version three.");
    let id = deployer
        .trigger(DeployRequest::live("docs", Trigger::Push))
        .unwrap();
    assert_eq!(
        deployer.wait(&id, WAIT_TIMEOUT).unwrap().state,
        DeploymentState::Live
    );
    assert!(rig.html("docs").contains("Version three."));
}

#[test]
fn only_restorable_snapshots_are_retained() {
    let mut rig = Harness::new(&["docs"]);
    rig.max_retained = 2;
    let deployer = started(&rig);
    let first = deployer.list(None)[0].clone();
    for n in 0..8 {
        rig.write("docs", "index.mdx", &format!("Version {n}."));
        assert_eq!(deploy(&deployer).state, DeploymentState::Live);
    }
    // Two for rollback; recent ones are still in use.
    assert!((2..=6).contains(&snapshots(&rig)), "{}", snapshots(&rig));
    assert!(!deployer.is_restorable(&first));
    let error = deployer.rollback("docs", Some(&first.id)).unwrap_err();
    assert!(matches!(error, TriggerError::Impossible(text) if text.contains("keep")));
    deployer.stop();
    started(&rig);
    assert_eq!(snapshots(&rig), 2);
}

#[test]
fn a_newer_deployment_supersedes_a_queued_one() {
    let rig = Harness::new(&["docs"]);
    let lock = lock(&rig);
    let deployer = start(&rig);
    wait_until("it begins", || is_building(&deployer));
    let ids: Vec<String> = (0..4)
        .map(|_| {
            deployer
                .trigger(DeployRequest::live("docs", Trigger::Command))
                .unwrap()
        })
        .collect();
    assert!(ids.is_sorted());
    let looking = deployer
        .trigger(DeployRequest::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(looking, ids[3]);
    fs::remove_file(lock).unwrap();
    wait_idle(&deployer);
    let ids = ids.into_iter();
    let states: Vec<DeploymentState> = ids.map(|id| deployer.get(&id).unwrap().state).collect();
    assert_eq!(
        states,
        [
            DeploymentState::Superseded,
            DeploymentState::Superseded,
            DeploymentState::Superseded,
            DeploymentState::Live
        ]
    );
}

#[test]
fn progress_is_reported_until_a_deployment_finishes() {
    let rig = Harness::new(&["docs"]);
    for number in 0..200 {
        rig.write(
            "docs",
            &format!("p{number}.mdx"),
            "A page that takes its time.",
        );
    }
    let lock = lock(&rig);
    let deployer = start(&rig);
    let id = deployer.list(None)[0].id.clone();
    let end = std::time::Instant::now() + WAIT_TIMEOUT;
    let wait_progress = |expected: &dyn Fn(Option<&str>) -> bool| {
        while !expected(deployer.progress(&id).as_deref()) {
            assert!(std::time::Instant::now() < end);
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    wait_progress(&|text| text.is_some_and(|text| text.contains("Git command")));
    fs::remove_file(lock).unwrap();
    wait_progress(&|text| text.is_some_and(|text| text.starts_with("prerendering page ")));
    assert_eq!(deployer.get(&id).unwrap().state, DeploymentState::Live);
    wait_progress(&|text| text.is_none());
}

#[test]
fn unknown_projects_are_rejected_with_a_suggestion() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let error = deployer
        .trigger(DeployRequest::live("dosc", Trigger::Api))
        .unwrap_err();
    assert!(error.to_string().contains("did you mean `docs`"), "{error}");
}

#[test]
fn a_removed_project_is_hidden() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    deployer.set_projects(Vec::new()).unwrap();
    assert!(rig.published.lock().unwrap().is_empty());
    assert!(
        deployer
            .trigger(DeployRequest::live("docs", Trigger::Api))
            .is_err()
    );
}

#[test]
fn queued_deployments_fail_when_their_project_is_removed() {
    let rig = Harness::new(&["docs"]);
    let lock = lock(&rig);
    let deployer = start(&rig);
    wait_until("it begins", || is_building(&deployer));
    let waits = DeployRequest::live("docs", Trigger::Command);
    let queued = deployer.trigger(waits).unwrap();
    let looks = DeployRequest {
        target: next(),
        ..DeployRequest::live("docs", Trigger::Poll)
    };
    // Previews are built one after another.
    let other = (state::lane("docs", &next()), "other".to_owned());
    deployer.0.state().building.extend([other]);
    let looking = deployer.trigger(looks).unwrap();
    deployer.set_projects(Vec::new()).unwrap();
    let result = deployer.wait(&queued, Duration::ZERO).unwrap();
    assert_eq!(result.state, DeploymentState::Failed);
    assert!(
        result.summary.contains("removed from the settings"),
        "{result:?}"
    );
    assert_eq!(deployer.get(&looking), None);
    fs::remove_file(lock).unwrap();
    deployer.stop();
    // None of it is requested again.
    let written = rig.journal().read().unwrap();
    let written = written.iter().find(|item| item.id == queued).unwrap();
    assert_eq!(written.state, DeploymentState::Failed);
}

#[test]
fn a_removed_preview_is_not_restored() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let target = next();
    let request = DeployRequest {
        target: target.clone(),
        foreign: true,
        ..DeployRequest::live("docs", Trigger::Push)
    };
    let id = deployer.trigger(request).unwrap();
    assert_eq!(
        deployer.wait(&id, WAIT_TIMEOUT).unwrap().state,
        DeploymentState::Live
    );
    assert_eq!(
        deployer.targets("docs"),
        [PublishTarget::Live, target.clone()]
    );
    deployer.remove("docs", &target).unwrap();
    assert_eq!(rig.published.lock().unwrap().len(), 1);
    deployer.stop();
    rig.published.lock().unwrap().clear();
    assert_eq!(started(&rig).targets("docs"), [PublishTarget::Live]);
}

#[test]
fn a_watched_dir_is_deployed_when_it_changes() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let mut plan = rig.plan("docs");
    plan.source = SourceSettings::Dir {
        path: rig.source_dir("docs"),
        watch: true,
    };
    deployer.set_projects(vec![plan]).unwrap();
    rig.write("docs", "index.mdx", "Version two.");
    wait_until("the change was not noticed", || {
        rig.html("docs").contains("Version two.")
    });
    assert_eq!(deployer.list(None)[0].trigger, Trigger::Change);
}
