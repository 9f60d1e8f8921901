//! A deployer for tests, with folders as sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use svc_site::LoadOptions;

use crate::SiteHandle;
use crate::deploy::*;
use crate::settings::{GitSettings, SourceSettings};

pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

type PublishedSites = Arc<Mutex<BTreeMap<(String, PublishTarget), SiteHandle>>>;

struct TestPublisher(PublishedSites);

impl Publisher for TestPublisher {
    fn publish(&self, project: &str, target: &PublishTarget, current: &SiteHandle) {
        let target_key = (project.to_owned(), target.clone());
        self.0.lock().unwrap().insert(target_key, current.clone());
    }

    fn updated(&self, _: &str, _: &PublishTarget) {}

    fn hide(&self, project: &str, target: &PublishTarget) {
        let target_key = (project.to_owned(), target.clone());
        self.0.lock().unwrap().remove(&target_key);
    }
}

pub(crate) struct Harness {
    pub(crate) base: tempfile::TempDir,
    pub(crate) published: PublishedSites,
    /// Retention of the projects.
    pub(crate) max_retained: usize,
    pub(crate) stop_on_errors: bool,
}

pub(crate) const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;

impl Harness {
    /// Creates a folder with a site for each project.
    pub(crate) fn new(projects: &[&str]) -> Self {
        let rig = Self {
            base: tempfile::tempdir().unwrap(),
            published: PublishedSites::default(),
            max_retained: 5,
            stop_on_errors: false,
        };
        for project in projects {
            rig.write(project, "docs.json", CONFIG);
            rig.write(project, "index.mdx", "Version one.");
        }
        rig
    }

    pub(crate) fn source_dir(&self, project: &str) -> PathBuf {
        self.base.path().join(project)
    }

    pub(crate) fn write(&self, project: &str, name: &str, text: &str) {
        let path = self.source_dir(project).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn plan(&self, project: &str) -> ProjectConfig {
        ProjectConfig {
            id: project.into(),
            source: SourceSettings::Dir {
                path: self.source_dir(project),
                watch: false,
            },
            git: GitSettings::default(),
            load: LoadOptions::default(),
            private_previews: false,
            preview_integrations: false,
            stop_on_errors: self.stop_on_errors,
            max_retained: self.max_retained,
            poll: None,
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.base.path().join("data")
    }

    pub(crate) fn journal(&self) -> FileJournal {
        fs::create_dir_all(self.data()).unwrap();
        FileJournal::open(&self.data().join("deployments.journal")).unwrap()
    }

    pub(crate) fn start(&self, plans: Vec<ProjectConfig>) -> Deployer {
        self.start_with(Box::new(self.journal()), plans)
    }

    pub(crate) fn start_with(
        &self,
        journal: Box<dyn Journal>,
        plans: Vec<ProjectConfig>,
    ) -> Deployer {
        let options = DeployerOptions {
            data: self.data(),
            journal,
            publisher: Box::new(TestPublisher(Arc::clone(&self.published))),
            max_builds: 1,
            repositories: Arc::default(),
            share: Box::new(|_| {}),
            cluster: None,
        };
        Deployer::start(options, plans).unwrap()
    }

    /// HTML of the live site of a project.
    pub(crate) fn html(&self, project: &str) -> String {
        self.page(project, &PublishTarget::Live)
    }

    pub(crate) fn page(&self, project: &str, target: &PublishTarget) -> String {
        let target_key = (project.to_owned(), target.clone());
        let current = self.published.lock().unwrap().get(&target_key).cloned();
        let page = current.and_then(|current| current.get().page("/"));
        let bytes = page.map(|page| page.html.bytes.to_vec());
        String::from_utf8(bytes.unwrap_or_default()).unwrap()
    }
}

pub(crate) fn deploy(deployer: &Deployer, project: &str) -> Deployment {
    let request = DeployRequest::live(project, Trigger::Command);
    let id = deployer.trigger(request).unwrap();
    deployer.wait(&id, WAIT_TIMEOUT).unwrap()
}

/// Waits until the deployer is idle.
pub(crate) fn wait_idle(deployer: &Deployer) {
    for deployment in deployer.list(None) {
        deployer.wait(&deployment.id, WAIT_TIMEOUT);
    }
}

pub(crate) fn wait_until(condition: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + WAIT_TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < end, "{condition}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
