//! The deployer as a whole, with folders as sources.

mod kept;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_site::LoadOptions;

use super::*;
use crate::Current;
use crate::settings::{GitSettings, SourceSettings};

type Shown = Arc<Mutex<BTreeMap<(String, Target), Current>>>;

#[derive(Default)]
struct Wall(Shown);

impl Stage for Wall {
    fn show(&self, project: &str, target: &Target, current: &Current) {
        let place = (project.to_owned(), target.clone());
        self.0.lock().unwrap().insert(place, current.clone());
    }

    fn hide(&self, project: &str, target: &Target) {
        let place = (project.to_owned(), target.clone());
        self.0.lock().unwrap().remove(&place);
    }
}

struct Scene {
    base: tempfile::TempDir,
    shown: Shown,
    keep: usize,
    stop_on_errors: bool,
}

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
const PATIENCE: Duration = Duration::from_secs(120);

impl Scene {
    fn new() -> Self {
        let scene = Self {
            base: tempfile::tempdir().unwrap(),
            shown: Shown::default(),
            keep: 5,
            stop_on_errors: false,
        };
        scene.write("docs.json", CONFIG);
        scene.write("index.mdx", "Version one.");
        scene
    }

    fn docs(&self) -> PathBuf {
        self.base.path().join("docs")
    }

    fn data(&self) -> PathBuf {
        self.base.path().join("data")
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.docs()).unwrap();
        fs::write(self.docs().join(name), text).unwrap();
    }

    fn plan(&self) -> Plan {
        Plan {
            id: "docs".into(),
            source: SourceSettings::Folder {
                path: self.docs(),
                watch: false,
            },
            git: GitSettings::default(),
            load: LoadOptions::default(),
            stop_on_errors: self.stop_on_errors,
            keep: self.keep,
            poll: None,
        }
    }

    fn journal(&self) -> FileJournal {
        fs::create_dir_all(self.data()).unwrap();
        FileJournal::open(&self.data().join("deployments.journal")).unwrap()
    }

    fn start(&self) -> Deployer {
        self.start_with(Box::new(self.journal()))
    }

    fn start_with(&self, journal: Box<dyn Journal>) -> Deployer {
        let options = DeployerOptions {
            data: self.data(),
            journal,
            stage: Box::new(Wall(Arc::clone(&self.shown))),
            at_once: 1,
            tell: Box::new(|_| ()),
        };
        Deployer::start(options, vec![self.plan()]).unwrap()
    }

    /// The server after the work of its start.
    fn started(&self) -> Deployer {
        let deployer = self.start();
        rest(&deployer);
        deployer
    }

    fn html(&self) -> String {
        let place = ("docs".to_owned(), Target::Live);
        let current = self.shown.lock().unwrap().get(&place).cloned().unwrap();
        let page = current.get().page("/").unwrap();
        String::from_utf8(page.html.bytes.to_vec()).unwrap()
    }

    /// A snapshot that is half written.
    fn partial(&self) -> PathBuf {
        let folder = self.data().join("projects/docs/snapshots/.partial-7");
        fs::create_dir(&folder).unwrap();
        folder
    }

    fn snapshots(&self) -> usize {
        let folder = self.data().join("projects/docs/snapshots");
        fs::read_dir(folder).unwrap().count()
    }
}

fn deploy(deployer: &Deployer) -> Deployment {
    let id = deployer
        .trigger(Request::live("docs", Trigger::Command))
        .unwrap();
    deployer.wait(&id, PATIENCE).unwrap()
}

/// Waits until nothing is left to do.
fn rest(deployer: &Deployer) {
    for one in deployer.list(None) {
        deployer.wait(&one.id, PATIENCE);
    }
}

#[test]
fn a_change_is_live_after_a_deployment_and_not_before() {
    let scene = Scene::new();
    let deployer = scene.started();
    assert!(scene.html().contains("Version one."));
    scene.write("index.mdx", "Version two.");
    assert!(scene.html().contains("Version one."));
    let done = deploy(&deployer);
    assert_eq!((done.state, &*done.summary), (State::Live, "1 page"));
    assert!(scene.html().contains("Version two."));
    let states: Vec<State> = deployer
        .list(Some("docs"))
        .iter()
        .map(|one| one.state)
        .collect();
    assert_eq!(states, [State::Live, State::Superseded]);
    let log = deployer.report(&done.id).unwrap().log;
    assert!(
        log.iter().any(|line| line.text.starts_with("built in")),
        "{log:?}"
    );
}

#[test]
fn equal_files_make_no_work() {
    let scene = Scene::new();
    let deployer = scene.started();
    let before = deployer.list(None);
    let done = deploy(&deployer);
    assert_eq!(
        (done.state, &*done.summary),
        (State::Live, "nothing changed")
    );
    let id = deployer
        .trigger(Request::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(deployer.wait(&id, PATIENCE), None);
    assert_eq!(deployer.list(None).len(), before.len() + 1);
}

#[test]
fn a_fatal_problem_leaves_the_site_as_it_was_and_says_where() {
    let scene = Scene::new();
    let deployer = scene.started();
    let before = scene.html();
    scene.write("docs.json", "{ broken");
    let done = deploy(&deployer);
    assert_eq!(done.state, State::Failed);
    assert!(done.summary.contains("docs.json:1:"), "{}", done.summary);
    let report = deployer.report(&done.id).unwrap();
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
    assert_eq!(scene.html(), before);
    // What is known to be broken is not built again for nothing.
    let id = deployer
        .trigger(Request::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(deployer.wait(&id, PATIENCE), None);
}

#[test]
fn errors_stop_a_deployment_only_where_the_project_says_so() {
    let page = "<Card>\n\n{{ ( }}\n";
    for stop_on_errors in [false, true] {
        let mut scene = Scene::new();
        scene.stop_on_errors = stop_on_errors;
        let deployer = scene.started();
        scene.write("index.mdx", page);
        let done = deploy(&deployer);
        assert_eq!(done.state == State::Failed, stop_on_errors, "{done:?}");
    }
    // The first one serves all the same.
    let mut scene = Scene::new();
    scene.stop_on_errors = true;
    scene.write("index.mdx", page);
    let deployer = scene.started();
    assert_eq!(deployer.list(None)[0].state, State::Live);
}

#[test]
fn a_first_deployment_that_fails_shows_why_until_one_succeeds() {
    let scene = Scene::new();
    scene.write("docs.json", "[]");
    let deployer = scene.started();
    assert_eq!(deployer.list(None)[0].state, State::Failed);
    assert!(scene.html().contains("cannot be shown yet"));
    assert!(scene.html().contains("docs.json:1:1"));
    scene.write("docs.json", CONFIG);
    assert_eq!(deploy(&deployer).state, State::Live);
    assert!(scene.html().contains("Version one."));
}

#[test]
fn a_roll_back_holds_against_looking_but_not_against_news_or_insisting() {
    let scene = Scene::new();
    let deployer = scene.started();
    let first = deployer.list(None)[0].clone();
    scene.write("index.mdx", "Version two.");
    deploy(&deployer);
    let back = deployer.rollback("docs", None).unwrap();
    assert_eq!(
        back.trigger,
        Trigger::Rollback {
            of: first.id.clone()
        }
    );
    assert!(scene.html().contains("Version one."));
    let id = deployer
        .trigger(Request::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(deployer.wait(&id, PATIENCE), None);
    // Also after a start.
    deployer.stop();
    let deployer = scene.started();
    assert!(scene.html().contains("Version one."));
    assert_eq!(deployer.list(None)[0].id, back.id);
    let id = deployer
        .trigger(Request::live("docs", Trigger::Push))
        .unwrap();
    assert_eq!(
        deployer.wait(&id, PATIENCE).unwrap().state,
        State::Superseded
    );
    assert!(scene.html().contains("Version one."));
    assert_eq!(deploy(&deployer).state, State::Live);
    assert!(scene.html().contains("Version two."));
    deployer.rollback("docs", Some(&first.id)).unwrap();
    assert!(scene.html().contains("Version one."));
    scene.write("index.mdx", "Version three.");
    let id = deployer
        .trigger(Request::live("docs", Trigger::Push))
        .unwrap();
    assert_eq!(deployer.wait(&id, PATIENCE).unwrap().state, State::Live);
    assert!(scene.html().contains("Version three."));
}

#[test]
fn only_what_can_be_gone_back_to_is_kept() {
    let mut scene = Scene::new();
    scene.keep = 2;
    let deployer = scene.started();
    let first = deployer.list(None)[0].clone();
    for n in 0..8 {
        scene.write("index.mdx", &format!("Version {n}."));
        assert_eq!(deploy(&deployer).state, State::Live);
    }
    // Two for the way back; those of a moment ago are still in use.
    assert!(
        (2..=6).contains(&scene.snapshots()),
        "{}",
        scene.snapshots()
    );
    assert!(!deployer.is_kept(&first));
    let refused = deployer.rollback("docs", Some(&first.id)).unwrap_err();
    assert!(matches!(refused, Refused::Impossible(text) if text.contains("keep")));
    deployer.stop();
    scene.started();
    assert_eq!(scene.snapshots(), 2);
}

#[test]
fn a_newer_deployment_takes_the_place_of_one_that_waits() {
    let scene = Scene::new();
    // Nothing begins while a Git command is at work.
    let lock = scene.docs().join(".git/index.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    let deployer = scene.start();
    while !deployer
        .list(None)
        .iter()
        .any(|one| one.state == State::Building)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    let ids: Vec<String> = (0..4)
        .map(|_| {
            deployer
                .trigger(Request::live("docs", Trigger::Command))
                .unwrap()
        })
        .collect();
    assert!(ids.is_sorted());
    let looking = deployer
        .trigger(Request::live("docs", Trigger::Poll))
        .unwrap();
    assert_eq!(looking, ids[3]);
    fs::remove_file(lock).unwrap();
    rest(&deployer);
    let ids = ids.into_iter();
    let states: Vec<State> = ids.map(|id| deployer.get(&id).unwrap().state).collect();
    assert_eq!(
        states,
        [
            State::Superseded,
            State::Superseded,
            State::Superseded,
            State::Live
        ]
    );
}

#[test]
fn what_is_being_done_is_told_until_it_is_done() {
    let scene = Scene::new();
    for number in 0..200 {
        scene.write(&format!("p{number}.mdx"), "A page that takes its time.");
    }
    let lock = scene.docs().join(".git/index.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    let deployer = scene.start();
    let id = deployer.list(None)[0].id.clone();
    let end = std::time::Instant::now() + PATIENCE;
    let told = |wanted: &dyn Fn(Option<&str>) -> bool| {
        while !wanted(deployer.progress(&id).as_deref()) {
            assert!(std::time::Instant::now() < end);
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    told(&|text| text.is_some_and(|text| text.contains("Git command")));
    fs::remove_file(lock).unwrap();
    told(&|text| text.is_some_and(|text| text.starts_with("drawing page ")));
    assert_eq!(deployer.get(&id).unwrap().state, State::Live);
    told(&|text| text.is_none());
}

#[test]
fn unknown_projects_are_refused_with_a_suggestion() {
    let scene = Scene::new();
    let deployer = scene.started();
    let refused = deployer
        .trigger(Request::live("dosc", Trigger::Api))
        .unwrap_err();
    assert!(
        refused.to_string().contains("did you mean `docs`"),
        "{refused}"
    );
}

#[test]
fn a_project_that_is_not_wanted_any_more_is_not_shown() {
    let scene = Scene::new();
    let deployer = scene.started();
    deployer.set_plans(Vec::new()).unwrap();
    assert!(scene.shown.lock().unwrap().is_empty());
    assert!(
        deployer
            .trigger(Request::live("docs", Trigger::Api))
            .is_err()
    );
}

#[test]
fn a_preview_stands_beside_the_site_and_stays_away_once_removed() {
    let scene = Scene::new();
    let deployer = scene.started();
    let target = Target::Preview {
        name: "next".into(),
    };
    let request = Request {
        target: target.clone(),
        foreign: true,
        ..Request::live("docs", Trigger::Push)
    };
    let id = deployer.trigger(request).unwrap();
    assert_eq!(deployer.wait(&id, PATIENCE).unwrap().state, State::Live);
    assert_eq!(deployer.targets("docs"), [Target::Live, target.clone()]);
    deployer.remove("docs", &target).unwrap();
    assert_eq!(scene.shown.lock().unwrap().len(), 1);
    deployer.stop();
    scene.shown.lock().unwrap().clear();
    assert_eq!(scene.started().targets("docs"), [Target::Live]);
}

#[test]
fn a_watched_folder_is_deployed_when_it_changes() {
    let scene = Scene::new();
    let deployer = scene.started();
    let mut plan = scene.plan();
    plan.source = SourceSettings::Folder {
        path: scene.docs(),
        watch: true,
    };
    deployer.set_plans(vec![plan]).unwrap();
    scene.write("index.mdx", "Version two.");
    let end = std::time::Instant::now() + PATIENCE;
    while !scene.html().contains("Version two.") {
        assert!(
            std::time::Instant::now() < end,
            "the change was not noticed"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(deployer.list(None)[0].trigger, Trigger::Change);
}
