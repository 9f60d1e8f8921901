//! The hosted OpenAPI documents of all projects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::deploy::{Deployer, Request, Trigger};
use crate::{HOSTED_EVERY, HostedDocuments, HostedOptions, Project, Settings};

/// The documents by project. They outlive a change of the settings.
#[derive(Debug, Clone, Default)]
pub(super) struct HostedByProject(Arc<Mutex<BTreeMap<String, HostedDocuments>>>);

impl HostedByProject {
    /// Those of a project; copies lie in its folder.
    pub(super) fn of(&self, settings: &Settings, project: &Project) -> HostedDocuments {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let folder = settings.data.join("projects").join(&project.id);
            let outside = &settings.outside;
            HostedDocuments::new(HostedOptions {
                folder: Some(folder.join("hosted")),
                policy: outside.hosted.clone(),
                offline: outside.offline,
                allows_http: outside.hosted_http,
                every: Some(outside.hosted_every),
                ..HostedOptions::default()
            })
        };
        all.entry(project.id.clone()).or_insert_with(make).clone()
    }

    /// Asks for all documents now and then; a project with another one is deployed.
    pub(super) async fn watch(self, deployer: Deployer) {
        loop {
            let all = self
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            for (project, documents) in &all {
                let refreshed = documents.refresh(&documents.wanted()).await;
                for (address, why) in &refreshed.failed {
                    deployer.tell(&format!("`{project}`: `{address}` cannot be had: {why}"));
                }
                if refreshed.changed.is_empty() {
                    continue;
                }
                let trigger = || deployer.trigger(Request::live(project, Trigger::Poll));
                // A project that is gone from the settings is refused.
                if let Err(refused) = trigger() {
                    deployer.tell(&refused.to_string());
                }
            }
            let pauses = all.values().filter_map(HostedDocuments::pause);
            tokio::time::sleep(pauses.min().unwrap_or(HOSTED_EVERY)).await;
        }
    }
}
