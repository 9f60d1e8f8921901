//! The hosted OpenAPI documents of all projects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_site::RemoteDocuments;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::deploy::{DeployRequest, Deployer, Trigger};
use crate::{
    FetchPolicy, ProjectSettings, REMOTE_REFRESH_INTERVAL, RemoteDocumentCache,
    RemoteDocumentOptions, Settings,
};

/// Projects whose documents are asked for at once: servers that do not answer hold up no others.
const MAX_CONCURRENT_PROJECTS: usize = 16;

/// The documents by project. They outlive a change of the settings.
#[derive(Debug, Clone, Default)]
pub(super) struct ProjectDocuments {
    all: Arc<Mutex<BTreeMap<String, RemoteDocumentCache>>>,
    /// Other options were taken.
    changed: Arc<Notify>,
}

impl ProjectDocuments {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, RemoteDocumentCache>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the projects of some settings, and no others.
    pub(super) fn update(&self, settings: &Settings) {
        let mut all = self.all();
        let mut before = std::mem::take(&mut *all);
        for project in &settings.projects {
            let options = options(settings, project);
            let documents = match before.remove(&project.id) {
                Some(known) if *known.options() == options => known,
                Some(known) => {
                    self.changed.notify_one();
                    known.with_options(options)
                }
                None => RemoteDocumentCache::new(options),
            };
            all.insert(project.id.clone(), documents);
        }
    }

    /// What brings the documents of a project.
    pub(super) fn source(&self, project: &str) -> Option<Arc<dyn RemoteDocuments>> {
        self.all().get(project).map(RemoteDocumentCache::source)
    }

    /// Asks for all documents now and then; a project with another one is deployed.
    pub(super) async fn watch(self, deployer: Deployer) {
        loop {
            let all = self.all().clone();
            let mut asking = JoinSet::new();
            for (project, documents) in all.clone() {
                if asking.len() == MAX_CONCURRENT_PROJECTS {
                    asking.join_next().await;
                }
                asking.spawn(refresh_project(project, documents, deployer.clone()));
            }
            // A mistake with one is none of the others.
            while asking.join_next().await.is_some() {}
            let pauses = all.values().filter_map(RemoteDocumentCache::refresh_delay);
            let pause = pauses.min().unwrap_or(REMOTE_REFRESH_INTERVAL);
            // Either is a reason to ask again.
            let _ = tokio::time::timeout(pause, self.changed.notified()).await;
        }
    }
}

/// Asks for the documents of one project.
async fn refresh_project(project: String, documents: RemoteDocumentCache, deployer: Deployer) {
    let refreshed = documents.refresh(&documents.requested_urls()).await;
    for (address, why) in &refreshed.failed {
        deployer.log(&format!("`{project}`: `{address}` cannot be had: {why}"));
    }
    if refreshed.changed.is_empty() {
        return;
    }
    // A project that is gone from the settings is refused.
    if let Err(refused) = deployer.trigger(DeployRequest::live(project, Trigger::Poll)) {
        deployer.log(&refused.to_string());
    }
}

/// How the documents of a project are fetched; copies lie in its folder.
fn options(settings: &Settings, project: &ProjectSettings) -> RemoteDocumentOptions {
    let folder = settings.data.join("projects").join(&project.id);
    let outside = &settings.outbound;
    RemoteDocumentOptions {
        cache_dir: Some(folder.join("hosted")),
        policy: outside.remote.clone(),
        offline: outside.offline,
        allows_http: outside.remote_http,
        fetch_policy: FetchPolicy::Deferred,
        refresh_interval: Some(outside.remote_refresh),
        ..RemoteDocumentOptions::default()
    }
}
