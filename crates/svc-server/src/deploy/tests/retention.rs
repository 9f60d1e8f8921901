//! Retention after many deployments, and state after a restart.

use std::io;
use std::sync::{Arc, Mutex};

use super::*;
use crate::deploy::state;

/// Creates a partial snapshot.
fn partial(rig: &Harness) -> PathBuf {
    let dir = rig.data().join("projects/docs/snapshots/.partial-7");
    fs::create_dir(&dir).unwrap();
    dir
}

/// Failed deployments of previews, as they accumulate over months.
fn failures(count: u64, after: &Deployment) -> Vec<Deployment> {
    let first = state::number_of(&after.id) + 1;
    let numbers = first..first + count;
    numbers
        .map(|number| Deployment {
            id: state::id_of(number),
            target: PublishTarget::Preview {
                name: number.to_string(),
            },
            state: DeploymentState::Failed,
            snapshot: None,
            ..after.clone()
        })
        .collect()
}

#[test]
fn rollback_is_possible_after_hundreds_of_preview_deployments() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    rig.write("docs", "index.mdx", "Version two.");
    let live = deploy(&deployer);
    deployer.stop();
    let failed = failures(300, &live);
    let failed: Vec<&Deployment> = failed.iter().collect();
    rig.journal().append(&failed).unwrap();
    let deployer = started(&rig);
    assert!(deployer.list(None).len() < 210);
    assert!(rig.html("docs").contains("Version two."));
    deployer.rollback("docs", None).unwrap();
    assert!(rig.html("docs").contains("Version one."));
}

#[test]
fn every_live_target_has_a_deployment() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    rig.write("docs", "docs.json", "[]");
    let target = next();
    let request = DeployRequest {
        target: target.clone(),
        ..DeployRequest::live("docs", Trigger::Push)
    };
    let id = deployer.trigger(request).unwrap();
    let result = deployer.wait(&id, WAIT_TIMEOUT).unwrap();
    assert_eq!(result.state, DeploymentState::Failed);
    wait_idle(&deployer);
    for deployment in failures(300, &result) {
        let mut state = deployer.0.state();
        state.deployments.insert(deployment.id.clone(), deployment);
    }
    deployer.0.prune("docs", 5);
    assert_eq!(
        deployer.targets("docs"),
        [PublishTarget::Live, target.clone()]
    );
    let all = deployer.list(None);
    assert!(all.len() < 210, "{}", all.len());
    assert!(all.iter().any(|deployment| deployment.target == target));
}

/// A journal that records what is appended, or that fails like a full disk.
#[derive(Debug)]
struct Noting {
    journal: FileJournal,
    noted: Arc<Mutex<Vec<Deployment>>>,
    /// Path that must be removed before a write succeeds.
    full: Option<PathBuf>,
}

impl Journal for Noting {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        if let Some(partial) = &self.full {
            assert!(!partial.exists(), "there could be more room");
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.journal.append(states)?;
        let states = states.iter().map(|state| (*state).clone());
        self.noted.lock().unwrap().extend(states);
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        self.journal.read()
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.rewrite(states)
    }
}

/// An unfinished deployment at the end of the program.
fn begun(live: &Deployment) -> Deployment {
    Deployment {
        id: format!("{}z", live.id),
        state: DeploymentState::Building,
        trigger: Trigger::Push,
        snapshot: None,
        ..live.clone()
    }
}

#[test]
fn a_start_on_a_full_disk_restores_live_sites() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let live = deployer.list(None)[0].clone();
    deployer.stop();
    rig.journal().append(&[&begun(&live)]).unwrap();
    rig.write("docs", "index.mdx", "Version two.");
    rig.published.lock().unwrap().clear();
    let journal = Noting {
        journal: rig.journal(),
        noted: Arc::default(),
        full: Some(partial(&rig)),
    };
    let deployer = rig.start_with(Box::new(journal), vec![rig.plan("docs")]);
    assert!(rig.html("docs").contains("Version one."));
    wait_idle(&deployer);
    deployer.stop();
    // No requested deployment is lost.
    let deployer = started(&rig);
    assert!(rig.html("docs").contains("Version two."));
    assert_eq!(deployer.list(None)[0].trigger, Trigger::Push);
}

#[test]
fn an_interrupted_start_loses_no_requested_deployment() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let live = deployer.list(None)[0].clone();
    deployer.stop();
    let target = next();
    let begun = Deployment {
        target: target.clone(),
        ..begun(&live)
    };
    let journal = rig.journal();
    journal.append(&[&begun]).unwrap();
    // The same disk after each write of the next start.
    let cut = FileJournal::open(&rig.base.path().join("cut")).unwrap();
    cut.append(&[&live, &begun]).unwrap();
    let noted: Arc<Mutex<Vec<Deployment>>> = Arc::default();
    let journal = Noting {
        journal,
        noted: Arc::clone(&noted),
        full: None,
    };
    let deployer = rig.start_with(Box::new(journal), vec![rig.plan("docs")]);
    wait_idle(&deployer);
    assert_eq!(
        deployer.targets("docs"),
        [PublishTarget::Live, target.clone()]
    );
    let noted = noted.lock().unwrap().clone();
    assert!(noted.len() > 3);
    for one in noted {
        cut.append(&[&one]).unwrap();
        let states = cut.read().unwrap();
        let mut list = states.iter().filter(|one| one.target == target);
        let is_there = list.any(|one| !one.state.is_final() || one.state == DeploymentState::Live);
        assert!(is_there, "{states:?}");
    }
}

#[test]
fn a_readded_project_restores_its_live_site() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    deployer.set_projects(Vec::new()).unwrap();
    assert!(rig.published.lock().unwrap().is_empty());
    fs::rename(rig.source_dir("docs"), rig.base.path().join("away")).unwrap();
    deployer.set_projects(vec![rig.plan("docs")]).unwrap();
    assert!(rig.html("docs").contains("Version one."));
    assert_eq!(deploy(&deployer).state, DeploymentState::Failed);
    assert!(rig.html("docs").contains("Version one."));
}

#[test]
fn an_outdated_journal_is_rewritten() {
    let rig = Harness::new(&["docs"]);
    let mut deployer = started(&rig);
    let live = deployer.list(None)[0].clone();
    let path = rig.data().join("deployments.journal");
    let lines = || fs::read_to_string(&path).unwrap().lines().count();
    let before = lines();
    let add = |deployer: &Deployer, deployment: &Deployment, count: usize| {
        let mut state = deployer.0.state();
        let states = vec![deployment; count];
        deployer.0.append_journal(&mut state, &states).unwrap();
    };
    add(&deployer, &live, 500);
    assert_eq!(lines(), before + 500);
    add(&deployer, &live, 600);
    assert_eq!(lines(), 1);
    rig.write("docs", "index.mdx", "Version two.");
    let result = deploy(&deployer);
    assert!(lines() > 1);
    // Lines of earlier runs count.
    for _ in 0..3 {
        add(&deployer, &result, 900);
        deployer.stop();
        rig.published.lock().unwrap().clear();
        deployer = started(&rig);
        assert!(rig.html("docs").contains("Version two."));
        assert_eq!(deployer.get(&result.id), Some(result.clone()));
    }
    assert!(lines() < 2_000, "{}", lines());
}

#[test]
fn unfinished_deployments_are_requeued_after_a_start() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    let live = deployer.list(None)[0].clone();
    deployer.stop();
    rig.write("docs", "index.mdx", "Version two.");
    let begun = begun(&live);
    rig.journal().append(&[&begun]).unwrap();
    let partial = partial(&rig);
    let deployer = start(&rig);
    // What was live is served before anything is fetched.
    assert!(!rig.html("docs").is_empty());
    wait_idle(&deployer);
    assert!(!partial.exists());
    assert!(rig.html("docs").contains("Version two."));
    let old = deployer.get(&begun.id).unwrap();
    assert_eq!(old.state, DeploymentState::Failed);
    assert!(
        old.summary.contains("the server stopped"),
        "{}",
        old.summary
    );
    let states: Vec<DeploymentState> = deployer.list(None).iter().map(|item| item.state).collect();
    assert_eq!(
        states
            .iter()
            .filter(|state| **state == DeploymentState::Live)
            .count(),
        1
    );
}

#[test]
fn a_preview_with_a_broken_snapshot_is_requeued() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    rig.write("docs", "index.mdx", "Version two.");
    let target = next();
    let request = DeployRequest {
        target: target.clone(),
        ..DeployRequest::live("docs", Trigger::Push)
    };
    let id = deployer.trigger(request).unwrap();
    let lost = deployer.wait(&id, WAIT_TIMEOUT).unwrap();
    deployer.stop();
    let snapshots = rig.data().join("projects/docs/snapshots");
    fs::remove_dir_all(snapshots.join(lost.snapshot.unwrap())).unwrap();
    rig.published.lock().unwrap().clear();
    let deployer = started(&rig);
    assert!(rig.page("docs", &target).contains("Version two."));
    assert_eq!(
        deployer.get(&id).unwrap().state,
        DeploymentState::Superseded
    );
    let all = deployer.list(None);
    let live = |item: &&Deployment| item.target == target && item.state == DeploymentState::Live;
    assert_eq!(all.iter().filter(live).count(), 1, "{all:?}");
}

#[test]
fn a_broken_snapshot_falls_back_to_the_previous_one() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    rig.write("docs", "index.mdx", "Version two.");
    let live = deploy(&deployer);
    deployer.stop();
    let key = live.snapshot.unwrap();
    let snapshots = rig.data().join("projects/docs/snapshots");
    fs::remove_dir_all(snapshots.join(key)).unwrap();
    fs::rename(rig.source_dir("docs"), rig.base.path().join("away")).unwrap();
    let deployer = started(&rig);
    assert!(rig.html("docs").contains("Version one."));
    assert_eq!(deployer.list(None)[0].state, DeploymentState::Failed);
}

#[test]
fn lines_that_are_added_while_a_deployment_ends_stay_in_its_log() {
    let rig = Harness::new(&["docs"]);
    let deployer = started(&rig);
    for round in 0..4 {
        rig.write("docs", "index.mdx", &format!("Round {round}."));
        let request = DeployRequest::live("docs", Trigger::Command);
        let id = deployer.trigger(request).unwrap();
        let add = |thread: usize| {
            let mut lines = Vec::new();
            // The report is written after this state.
            deployer.wait(&id, WAIT_TIMEOUT).unwrap();
            // Below the limit of a log.
            while lines.len() < 100 {
                let line = format!("line {} of {thread}", lines.len());
                deployer.add_log_line(&id, &line);
                lines.push(line);
                std::thread::sleep(Duration::from_micros(50));
            }
            lines
        };
        let added = std::thread::scope(|scope| {
            let threads = [scope.spawn(|| add(0)), scope.spawn(|| add(1))];
            threads.map(|thread| thread.join().unwrap()).concat()
        });
        wait_idle(&deployer);
        let report = deployer.report(&id).unwrap();
        let is_lost = |line: &&String| report.log.iter().all(|known| known.text != **line);
        let lost: Vec<_> = added.iter().filter(is_lost).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
}
