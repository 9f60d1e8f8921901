//! The hosted OpenAPI documents of all projects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_site::RemoteDocuments;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::deploy::{Deployer, Request, Trigger};
use crate::{Asking, HOSTED_EVERY, HostedDocuments, HostedOptions, Project, Settings};

/// Projects whose documents are asked for at once: servers that do not answer hold up no others.
const AT_ONCE: usize = 16;

/// The documents by project. They outlive a change of the settings.
#[derive(Debug, Clone, Default)]
pub(super) struct HostedByProject {
    all: Arc<Mutex<BTreeMap<String, HostedDocuments>>>,
    /// Other options were taken.
    taken: Arc<Notify>,
}

impl HostedByProject {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, HostedDocuments>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the projects of some settings, and no others.
    pub(super) fn take(&self, settings: &Settings) {
        let mut all = self.all();
        let mut before = std::mem::take(&mut *all);
        for project in &settings.projects {
            let options = options(settings, project);
            let documents = match before.remove(&project.id) {
                Some(known) if *known.options() == options => known,
                Some(known) => {
                    self.taken.notify_one();
                    known.with(options)
                }
                None => HostedDocuments::new(options),
            };
            all.insert(project.id.clone(), documents);
        }
    }

    /// What brings the documents of a project.
    pub(super) fn source(&self, project: &str) -> Option<Arc<dyn RemoteDocuments>> {
        self.all().get(project).map(HostedDocuments::source)
    }

    /// Asks for all documents now and then; a project with another one is deployed.
    pub(super) async fn watch(self, deployer: Deployer) {
        loop {
            let all = self.all().clone();
            let mut asking = JoinSet::new();
            for (project, documents) in all.clone() {
                if asking.len() == AT_ONCE {
                    asking.join_next().await;
                }
                asking.spawn(look(project, documents, deployer.clone()));
            }
            // A mistake with one is none of the others.
            while asking.join_next().await.is_some() {}
            let pauses = all.values().filter_map(HostedDocuments::pause);
            let pause = pauses.min().unwrap_or(HOSTED_EVERY);
            // Either is a reason to ask again.
            let _ = tokio::time::timeout(pause, self.taken.notified()).await;
        }
    }
}

/// Asks for the documents of one project.
async fn look(project: String, documents: HostedDocuments, deployer: Deployer) {
    let refreshed = documents.refresh(&documents.wanted()).await;
    for (address, why) in &refreshed.failed {
        deployer.tell(&format!("`{project}`: `{address}` cannot be had: {why}"));
    }
    if refreshed.changed.is_empty() {
        return;
    }
    // A project that is gone from the settings is refused.
    if let Err(refused) = deployer.trigger(Request::live(project, Trigger::Poll)) {
        deployer.tell(&refused.to_string());
    }
}

/// How the documents of a project are fetched; copies lie in its folder.
fn options(settings: &Settings, project: &Project) -> HostedOptions {
    let folder = settings.data.join("projects").join(&project.id);
    let outside = &settings.outside;
    HostedOptions {
        folder: Some(folder.join("hosted")),
        policy: outside.hosted.clone(),
        offline: outside.offline,
        allows_http: outside.hosted_http,
        asking: Asking::Later,
        every: Some(outside.hosted_every),
        ..HostedOptions::default()
    }
}
