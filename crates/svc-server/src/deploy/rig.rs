//! A deployer of some projects with folders as sources, for tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use svc_site::LoadOptions;

use super::*;
use crate::Current;
use crate::settings::{GitSettings, SourceSettings};

pub(super) const PATIENCE: Duration = Duration::from_secs(120);

type Shown = Arc<Mutex<BTreeMap<(String, Target), Current>>>;

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

pub(super) struct Rig {
    pub(super) base: tempfile::TempDir,
    pub(super) shown: Shown,
    /// What its plans say.
    pub(super) keep: usize,
    pub(super) stop_on_errors: bool,
}

pub(super) const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;

impl Rig {
    /// A folder with a site for each project.
    pub(super) fn new(projects: &[&str]) -> Self {
        let rig = Self {
            base: tempfile::tempdir().unwrap(),
            shown: Shown::default(),
            keep: 5,
            stop_on_errors: false,
        };
        for project in projects {
            rig.write(project, "docs.json", CONFIG);
            rig.write(project, "index.mdx", "Version one.");
        }
        rig
    }

    pub(super) fn folder(&self, project: &str) -> PathBuf {
        self.base.path().join(project)
    }

    pub(super) fn write(&self, project: &str, name: &str, text: &str) {
        let path = self.folder(project).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn plan(&self, project: &str) -> Plan {
        Plan {
            id: project.into(),
            source: SourceSettings::Folder {
                path: self.folder(project),
                watch: false,
            },
            git: GitSettings::default(),
            load: LoadOptions::default(),
            stop_on_errors: self.stop_on_errors,
            keep: self.keep,
            poll: None,
        }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.base.path().join("data")
    }

    pub(super) fn journal(&self) -> FileJournal {
        fs::create_dir_all(self.data()).unwrap();
        FileJournal::open(&self.data().join("deployments.journal")).unwrap()
    }

    pub(super) fn start(
        &self,
        plans: Vec<Plan>,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Deployer {
        self.start_with(Box::new(self.journal()), plans, tell)
    }

    pub(super) fn start_with(
        &self,
        journal: Box<dyn Journal>,
        plans: Vec<Plan>,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Deployer {
        let options = DeployerOptions {
            data: self.data(),
            journal,
            stage: Box::new(Wall(Arc::clone(&self.shown))),
            at_once: 1,
            repositories: Arc::default(),
            tell: Box::new(tell),
            share: Box::new(|_| {}),
        };
        Deployer::start(options, plans).unwrap()
    }

    /// What readers see of the site of a project.
    pub(super) fn html(&self, project: &str) -> String {
        self.page(project, &Target::Live)
    }

    pub(super) fn page(&self, project: &str, target: &Target) -> String {
        let place = (project.to_owned(), target.clone());
        let current = self.shown.lock().unwrap().get(&place).cloned();
        let page = current.and_then(|current| current.get().page("/"));
        let bytes = page.map(|page| page.html.bytes.to_vec());
        String::from_utf8(bytes.unwrap_or_default()).unwrap()
    }
}

pub(super) fn deploy(deployer: &Deployer, project: &str) -> Deployment {
    let request = Request::live(project, Trigger::Command);
    let id = deployer.trigger(request).unwrap();
    deployer.wait(&id, PATIENCE).unwrap()
}

/// Waits until nothing is left to do.
pub(super) fn rest(deployer: &Deployer) {
    for one in deployer.list(None) {
        deployer.wait(&one.id, PATIENCE);
    }
}

pub(super) fn until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
