//! The remote OpenAPI documents of all projects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_fetch::FetchCounters;
use svc_site::RemoteDocuments;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tracing::warn;

use crate::deploy::{DeployRequest, Deployer, Trigger};
use crate::{
    FetchPolicy, ProjectSettings, REMOTE_REFRESH_INTERVAL, RemoteDocumentCache,
    RemoteDocumentOptions, Settings,
};

/// Maximum number of projects whose documents are fetched concurrently, so that slow servers do not
/// delay other projects.
const MAX_CONCURRENT_PROJECTS: usize = 16;

/// Document caches by project. They survive a change of the settings.
#[derive(Debug, Clone, Default)]
pub(super) struct ProjectDocuments {
    all: Arc<Mutex<BTreeMap<String, RemoteDocumentCache>>>,
    /// Notified when the options have changed.
    changed: Arc<Notify>,
    /// Count the requests of all projects.
    counters: Arc<FetchCounters>,
}

impl ProjectDocuments {
    /// No documents. `counters` count the requests for those of all projects.
    pub(super) fn new(counters: Arc<FetchCounters>) -> Self {
        Self {
            counters,
            ..Self::default()
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, RemoteDocumentCache>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the projects with those of some settings.
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
                None => RemoteDocumentCache::counted_by(options, Arc::clone(&self.counters)),
            };
            all.insert(project.id.clone(), documents);
        }
    }

    /// Source of the documents of a project.
    pub(super) fn source(&self, project: &str) -> Option<Arc<dyn RemoteDocuments>> {
        self.all().get(project).map(RemoteDocumentCache::source)
    }

    /// Fetches all documents periodically; a project with a changed document is deployed.
    pub(super) async fn watch(self, deployer: Deployer) {
        loop {
            let all = self.all().clone();
            let mut tasks = JoinSet::new();
            for (project, documents) in all.clone() {
                if tasks.len() == MAX_CONCURRENT_PROJECTS {
                    tasks.join_next().await;
                }
                tasks.spawn(refresh_project(project, documents, deployer.clone()));
            }
            // A panic in one task does not affect the others.
            while tasks.join_next().await.is_some() {}
            let pauses = all.values().filter_map(RemoteDocumentCache::refresh_delay);
            let pause = pauses.min().unwrap_or(REMOTE_REFRESH_INTERVAL);
            // Either is a reason to fetch the documents.
            let _ = tokio::time::timeout(pause, self.changed.notified()).await;
        }
    }
}

/// Fetches the documents of one project.
async fn refresh_project(project: String, documents: RemoteDocumentCache, deployer: Deployer) {
    let refreshed = documents.refresh(&documents.requested_urls()).await;
    for (url, reason) in &refreshed.failed {
        warn!(project, "cannot fetch `{url}`: {reason}");
    }
    if refreshed.changed.is_empty() {
        return;
    }
    // A project that was removed from the settings is rejected.
    if let Err(error) = deployer.trigger(DeployRequest::live(project, Trigger::Poll)) {
        warn!("{error}");
    }
}

/// Options for fetching the documents of a project; the cache is in its directory.
fn options(settings: &Settings, project: &ProjectSettings) -> RemoteDocumentOptions {
    let dir = settings.data.join("projects").join(&project.id);
    let outbound = &settings.outbound;
    RemoteDocumentOptions {
        cache_dir: Some(dir.join("hosted")),
        policy: outbound.remote.clone(),
        offline: outbound.offline,
        allows_http: outbound.remote_http,
        fetch_policy: FetchPolicy::Deferred,
        refresh_interval: Some(outbound.remote_refresh),
        ..RemoteDocumentOptions::default()
    }
}
