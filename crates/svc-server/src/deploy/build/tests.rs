//! Interactions between deployments of different projects.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpListener;
use std::sync::{Condvar, Mutex};

use svc_site::{RemoteDocuments, RemoteState, remote_version};

use super::super::tests::harness::{Harness, WAIT_TIMEOUT, deploy, wait_idle, wait_until};
use super::*;
use crate::deploy::{DeployRequest, Deployer, FileJournal, Journal, Trigger};
use crate::settings::{GitSource, SourceSettings};

#[test]
fn an_unresponsive_source_does_not_delay_other_projects() {
    // The operating system accepts connections, but there is no response.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = listener.local_addr().unwrap();
    let rig = Harness::new(&["well"]);
    let stuck = ProjectConfig {
        source: SourceSettings::Git(GitSource::with_defaults(&format!("http://{url}/docs.git"))),
        ..rig.plan("stuck")
    };
    let deployer = rig.start(vec![stuck]);
    let first = deployer.list(Some("stuck"))[0].clone();
    wait_until("it begins", || {
        let now = deployer.get(&first.id);
        now.is_some_and(|now| now.state == DeploymentState::Building)
    });
    let mut plans = vec![rig.plan("well")];
    plans.extend(
        deployer
            .0
            .state()
            .plans
            .values()
            .map(|plan| (**plan).clone()),
    );
    deployer.set_projects(plans).unwrap();
    assert_eq!(deploy(&deployer, "well").state, DeploymentState::Live);
    let now = deployer.get(&first.id).unwrap();
    assert_eq!(now.state, DeploymentState::Building, "{}", now.summary);
    deployer.stop();
}

#[test]
fn a_source_failure_is_recorded_until_a_fetch_succeeds() {
    let rig = Harness::new(&["docs"]);
    fs::rename(rig.source_dir("docs"), rig.source_dir("away")).unwrap();
    let deployer = rig.start(vec![rig.plan("docs")]);
    wait_idle(&deployer);
    assert!(deployer.0.state().source_failures.contains_key("docs"));
    fs::rename(rig.source_dir("away"), rig.source_dir("docs")).unwrap();
    assert_eq!(deploy(&deployer, "docs").state, DeploymentState::Live);
    assert!(deployer.0.state().source_failures.is_empty());
}

type Documents = BTreeMap<String, RemoteState>;
type DocumentsFn = Arc<dyn Fn(&BTreeSet<String>) -> Documents + Send + Sync>;

/// A document source without requests.
#[derive(Clone)]
struct Stub {
    get: DocumentsFn,
    known: DocumentsFn,
}

impl std::fmt::Debug for Stub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stub")
    }
}

impl RemoteDocuments for Stub {
    fn allows_http(&self) -> bool {
        false
    }

    fn get(&self, urls: &BTreeSet<String>) -> Documents {
        (self.get)(urls)
    }

    fn refresh(&self) {}

    fn has_unfetched(&self) -> bool {
        false
    }

    fn fetch_missing(&self) {}

    fn retain(&self, _: &BTreeSet<String>) {}

    fn version(&self, urls: &BTreeSet<String>) -> u64 {
        remote_version(&(self.known)(urls))
    }

    fn cache_only(&self) -> Arc<dyn RemoteDocuments> {
        Arc::new(self.clone())
    }
}

const NAMES_ANOTHER: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"groups": [{"group": "A", "pages": ["index"]}, {"group": "B", "openapi": "https://a.test/b.json"}]}}"##;

/// A document that changes a number of times, each time after it was fetched.
fn restless(last: usize) -> Stub {
    let version = Arc::new(Mutex::new(0));
    let documents = |urls: &BTreeSet<String>, version: usize| {
        let document = format!(
            r#"{{"openapi": "3.1.0", "info": {{"title": "B", "version": "1"}}, "paths": {{"/b": {{"get": {{"summary": "Number {version}", "responses": {{}}}}}}}}}}"#
        );
        let state = |url: &String| (url.clone(), RemoteState::Fresh((&*document).into()));
        urls.iter().map(state).collect()
    };
    let taken = Arc::clone(&version);
    Stub {
        get: Arc::new(move |urls| {
            let mut version = taken.lock().unwrap();
            let fetched = documents(urls, *version);
            *version = last.min(*version + 1);
            fetched
        }),
        known: Arc::new(move |urls| documents(urls, *version.lock().unwrap())),
    }
}

#[test]
fn a_document_that_changes_during_a_build_is_not_missed() {
    for last in 0..4 {
        let rig = Harness::new(&["docs"]);
        rig.write("docs", "docs.json", NAMES_ANOTHER);
        let mut plan = rig.plan("docs");
        plan.load.remote = Some(Arc::new(restless(last)));
        let deployer = rig.start(vec![plan]);
        wait_idle(&deployer);
        let shows = |number: usize| {
            let (_, site) = deployer.sites().into_iter().next().unwrap();
            let path = format!("/api-reference/number-{number}");
            site.map.routes.contains_key(&path)
        };
        // The first change is part of the build, and the second one is found by a poll.
        assert!(shows(last.min(1)), "{last}");
        let looked = deployer.trigger(DeployRequest::live("docs", Trigger::Poll));
        deployer.wait(&looked.unwrap(), WAIT_TIMEOUT);
        assert!(shows(last), "{last}");
        let unchanged = deploy(&deployer, "docs");
        assert_eq!(unchanged.summary, "nothing changed", "{last}");
        deployer.stop();
    }
}

/// Counts concurrent fetches of documents, which happen during builds.
#[derive(Debug, Default)]
struct Gate {
    /// Current and maximum number of concurrent fetches.
    inside: Mutex<(usize, usize)>,
    changed: Condvar,
}

impl Gate {
    /// Waits until the wanted number of fetches is running.
    fn pass(&self, count: usize) -> Documents {
        let mut active = self.inside.lock().unwrap();
        active.0 += 1;
        active.1 = active.1.max(active.0);
        self.changed.notify_all();
        let result = self
            .changed
            .wait_timeout_while(active, WAIT_TIMEOUT, |active| active.1 < count);
        drop(result.unwrap());
        // The others would have started by now.
        std::thread::sleep(Duration::from_millis(20));
        self.inside.lock().unwrap().0 -= 1;
        Documents::new()
    }
}

const PROJECTS: [&str; 4] = ["a", "b", "c", "d"];

/// Builds all projects, each waiting for `count` others, and returns the maximum number of
/// concurrent builds.
fn together(rig: &Harness, deployer: &Deployer, count: usize) -> usize {
    let gate = Arc::new(Gate::default());
    let plan = |project: &&str| {
        let mut plan = rig.plan(project);
        let gate = Arc::clone(&gate);
        plan.load.remote = Some(Arc::new(Stub {
            get: Arc::new(move |_| gate.pass(count)),
            known: Arc::new(|_| Documents::new()),
        }));
        plan
    };
    deployer
        .set_projects(PROJECTS.iter().map(plan).collect())
        .unwrap();
    let ids = PROJECTS.map(|project| {
        rig.write(project, "index.mdx", &format!("Version {count}."));
        deployer
            .trigger(DeployRequest::live(project, Trigger::Command))
            .unwrap()
    });
    for id in ids {
        deployer.wait(&id, WAIT_TIMEOUT).unwrap();
    }
    let active = gate.inside.lock().unwrap();
    active.1
}

#[test]
fn concurrent_builds_are_limited_by_the_settings() {
    let rig = Harness::new(&PROJECTS);
    for project in PROJECTS {
        rig.write(project, "docs.json", NAMES_ANOTHER);
    }
    let deployer = rig.start(Vec::new());
    assert_eq!(together(&rig, &deployer, 1), 1);
    deployer.set_max_builds(2).unwrap();
    assert_eq!(together(&rig, &deployer, 2), 2);
    deployer.set_max_builds(1).unwrap();
    assert_eq!(together(&rig, &deployer, 0), 1);
    deployer.stop();
}

#[test]
fn production_sites_precede_previews_which_precede_forks() {
    let rig = Harness::new(&["docs"]);
    let deployer = rig.start(vec![rig.plan("docs")]);
    wait_idle(&deployer);
    let live = deployer.list(None)[0].clone();
    let preview = Deployment {
        id: "0".into(),
        target: PublishTarget::Preview { name: "x".into() },
        ..live.clone()
    };
    let foreign = Deployment {
        id: "00".into(),
        foreign: true,
        ..preview.clone()
    };
    let mut turns = [&foreign, &preview, &live].map(priority_of);
    turns.sort();
    assert_eq!(turns, [&live, &preview, &foreign].map(priority_of));
    // A build that is not next waits even if a permit is free.
    deployer.0.state().fetched.insert(priority_of(&live));
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| deployer.0.acquire_permit(&preview).is_some());
        wait_until("it waits", || {
            deployer.0.state().fetched.contains(&priority_of(&preview))
        });
        assert_eq!(deployer.0.state().active_builds, 0);
        deployer.0.state().fetched.remove(&priority_of(&live));
        deployer.0.changed.notify_all();
        assert!(thread.join().unwrap());
    });
    // No further builds start.
    deployer.stop();
    assert!(deployer.0.acquire_permit(&live).is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn deployments_are_built_at_low_priority() {
    /// Niceness of the current thread.
    fn niceness() -> i32 {
        let stat = fs::read_to_string("/proc/thread-self/stat").unwrap();
        // The name in parentheses can contain spaces.
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    /// Priorities of the threads that append to the journal.
    #[derive(Debug)]
    struct PriorityJournal(FileJournal, Arc<Mutex<Vec<(String, i32)>>>);

    impl Journal for PriorityJournal {
        fn append(&self, states: &[&Deployment]) -> io::Result<()> {
            let name = std::thread::current().name().unwrap_or_default().to_owned();
            self.1.lock().unwrap().push((name, niceness()));
            self.0.append(states)
        }

        fn read(&self) -> io::Result<Vec<Deployment>> {
            self.0.read()
        }

        fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
            self.0.rewrite(states)
        }
    }

    let rig = Harness::new(&["docs"]);
    let threads = Arc::new(Mutex::new(Vec::new()));
    let journal = PriorityJournal(rig.journal(), Arc::clone(&threads));
    let deployer = rig.start_with(Box::new(journal), vec![rig.plan("docs")]);
    wait_idle(&deployer);
    let threads = threads.lock().unwrap();
    let mut workers = threads
        .iter()
        .filter(|(name, _)| name == "svc-deploy")
        .peekable();
    assert!(workers.peek().is_some(), "{threads:?}");
    assert!(workers.all(|(_, nice)| *nice >= 10), "{threads:?}");
}
