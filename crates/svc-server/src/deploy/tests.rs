//! The deployer as a whole, with folders as sources.

use std::collections::BTreeMap;
use std::fs;
use std::io;
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

/// Deployments of previews that failed, as after months of them.
fn failures(count: u64, after: &Deployment) -> Vec<Deployment> {
    let first = state::number_of(&after.id) + 1;
    let numbers = first..first + count;
    numbers
        .map(|number| Deployment {
            id: state::id_of(number),
            target: Target::Preview {
                name: number.to_string(),
            },
            state: State::Failed,
            snapshot: None,
            ..after.clone()
        })
        .collect()
}

#[test]
fn the_way_back_is_open_after_hundreds_of_deployments_of_previews() {
    let scene = Scene::new();
    let deployer = scene.started();
    scene.write("index.mdx", "Version two.");
    let live = deploy(&deployer);
    deployer.stop();
    let failed = failures(300, &live);
    let failed: Vec<&Deployment> = failed.iter().collect();
    scene.journal().append(&failed).unwrap();
    let deployer = scene.started();
    assert!(deployer.list(None).len() < 210);
    assert!(scene.html().contains("Version two."));
    deployer.rollback("docs", None).unwrap();
    assert!(scene.html().contains("Version one."));
}

#[test]
fn whatever_is_shown_has_a_deployment() {
    let scene = Scene::new();
    let deployer = scene.started();
    scene.write("docs.json", "[]");
    let target = Target::Preview {
        name: "next".into(),
    };
    let request = Request {
        target: target.clone(),
        ..Request::live("docs", Trigger::Push)
    };
    let id = deployer.trigger(request).unwrap();
    let done = deployer.wait(&id, PATIENCE).unwrap();
    assert_eq!(done.state, State::Failed);
    rest(&deployer);
    for one in failures(300, &done) {
        let mut state = deployer.0.state();
        state.deployments.insert(one.id.clone(), one);
    }
    deployer.0.tidy("docs", 5);
    assert_eq!(deployer.targets("docs"), [Target::Live, target.clone()]);
    let all = deployer.list(None);
    assert!(all.len() < 210, "{}", all.len());
    assert!(all.iter().any(|one| one.target == target));
}

/// A journal that notes what is appended, or that has no room for it.
#[derive(Debug)]
struct Noting {
    journal: FileJournal,
    noted: Arc<Mutex<Vec<Deployment>>>,
    /// What has to be gone before anything is written.
    full: Option<PathBuf>,
}

impl Journal for Noting {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        if let Some(partial) = &self.full {
            assert!(!partial.exists(), "there could be more room");
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.journal.append(states)?;
        let states = states.iter().map(|one| (*one).clone());
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

/// A deployment that was being built when the program ended.
fn begun(live: &Deployment) -> Deployment {
    Deployment {
        id: format!("{}z", live.id),
        state: State::Building,
        trigger: Trigger::Push,
        snapshot: None,
        ..live.clone()
    }
}

#[test]
fn a_start_on_a_full_disk_shows_what_was_live() {
    let scene = Scene::new();
    let deployer = scene.started();
    let live = deployer.list(None)[0].clone();
    deployer.stop();
    scene.journal().append(&[&begun(&live)]).unwrap();
    scene.write("index.mdx", "Version two.");
    scene.shown.lock().unwrap().clear();
    let deployer = scene.start_with(Box::new(Noting {
        journal: scene.journal(),
        noted: Arc::default(),
        full: Some(scene.partial()),
    }));
    assert!(scene.html().contains("Version one."));
    rest(&deployer);
    deployer.stop();
    // Nothing that was asked for is lost by it.
    let deployer = scene.started();
    assert!(scene.html().contains("Version two."));
    assert_eq!(deployer.list(None)[0].trigger, Trigger::Push);
}

#[test]
fn whenever_a_start_is_cut_off_what_was_asked_for_comes_in_the_end() {
    let scene = Scene::new();
    let deployer = scene.started();
    let live = deployer.list(None)[0].clone();
    deployer.stop();
    let target = Target::Preview {
        name: "next".into(),
    };
    let begun = Deployment {
        target: target.clone(),
        ..begun(&live)
    };
    let journal = scene.journal();
    journal.append(&[&begun]).unwrap();
    // The same disk after each line of the next start.
    let cut = FileJournal::open(&scene.base.path().join("cut")).unwrap();
    cut.append(&[&live, &begun]).unwrap();
    let noted: Arc<Mutex<Vec<Deployment>>> = Arc::default();
    let deployer = scene.start_with(Box::new(Noting {
        journal,
        noted: Arc::clone(&noted),
        full: None,
    }));
    rest(&deployer);
    assert_eq!(deployer.targets("docs"), [Target::Live, target.clone()]);
    let noted = noted.lock().unwrap().clone();
    assert!(noted.len() > 3);
    for one in noted {
        cut.append(&[&one]).unwrap();
        let states = cut.read().unwrap();
        let mut own = states.iter().filter(|one| one.target == target);
        let is_there = own.any(|one| !one.state.is_final() || one.state == State::Live);
        assert!(is_there, "{states:?}");
    }
}

#[test]
fn a_project_that_comes_back_shows_what_it_showed() {
    let scene = Scene::new();
    let deployer = scene.started();
    deployer.set_plans(Vec::new()).unwrap();
    assert!(scene.shown.lock().unwrap().is_empty());
    fs::rename(scene.docs(), scene.base.path().join("away")).unwrap();
    deployer.set_plans(vec![scene.plan()]).unwrap();
    assert!(scene.html().contains("Version one."));
    assert_eq!(deploy(&deployer).state, State::Failed);
    assert!(scene.html().contains("Version one."));
}

#[test]
fn a_journal_of_old_lines_is_written_anew() {
    let scene = Scene::new();
    let mut deployer = scene.started();
    let live = deployer.list(None)[0].clone();
    let path = scene.data().join("deployments.journal");
    let lines = || fs::read_to_string(&path).unwrap().lines().count();
    let before = lines();
    let add = |deployer: &Deployer, one: &Deployment, count: usize| {
        let mut state = deployer.0.state();
        let states = vec![one; count];
        deployer.0.write_down(&mut state, &states).unwrap();
    };
    add(&deployer, &live, 500);
    assert_eq!(lines(), before + 500);
    add(&deployer, &live, 600);
    assert_eq!(lines(), 1);
    scene.write("index.mdx", "Version two.");
    let done = deploy(&deployer);
    assert!(lines() > 1);
    // Lines of earlier runs count.
    for _ in 0..3 {
        add(&deployer, &done, 900);
        deployer.stop();
        scene.shown.lock().unwrap().clear();
        deployer = scene.started();
        assert!(scene.html().contains("Version two."));
        assert_eq!(deployer.get(&done.id), Some(done.clone()));
    }
    assert!(lines() < 2_000, "{}", lines());
}

#[test]
fn what_was_begun_when_the_program_ended_is_asked_for_again() {
    let scene = Scene::new();
    let deployer = scene.started();
    let live = deployer.list(None)[0].clone();
    deployer.stop();
    scene.write("index.mdx", "Version two.");
    let begun = begun(&live);
    scene.journal().append(&[&begun]).unwrap();
    let partial = scene.partial();
    let deployer = scene.start();
    // What was live is there before anything is fetched.
    assert!(!scene.html().is_empty());
    rest(&deployer);
    assert!(!partial.exists());
    assert!(scene.html().contains("Version two."));
    let old = deployer.get(&begun.id).unwrap();
    assert_eq!(old.state, State::Failed);
    assert!(
        old.summary.contains("the server stopped"),
        "{}",
        old.summary
    );
    let states: Vec<State> = deployer.list(None).iter().map(|one| one.state).collect();
    assert_eq!(
        states.iter().filter(|state| **state == State::Live).count(),
        1
    );
}

#[test]
fn a_snapshot_that_cannot_be_shown_gives_way_to_the_one_before() {
    let scene = Scene::new();
    let deployer = scene.started();
    scene.write("index.mdx", "Version two.");
    let live = deploy(&deployer);
    deployer.stop();
    let key = live.snapshot.unwrap();
    let snapshots = scene.data().join("projects/docs/snapshots");
    fs::remove_dir_all(snapshots.join(key)).unwrap();
    fs::rename(scene.docs(), scene.base.path().join("away")).unwrap();
    let deployer = scene.started();
    assert!(scene.html().contains("Version one."));
    assert_eq!(deployer.list(None)[0].state, State::Failed);
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
