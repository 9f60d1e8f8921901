//! Writes the states of deployments to the store, where they are retained longer than by the
//! deployer and are visible to other servers of the database.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use svc_admin_api::StoreError;
use svc_admin_api::deployment::DeploymentStore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tracing::error;

use super::deployment_service::DeploymentService;
use crate::deploy::{Deployment, FileJournal, Journal};

/// Maximum number of deployments that are queued while the store is unavailable; the oldest are
/// dropped.
const MAX_PENDING: usize = 1_000;
/// Delay before an unavailable store is retried.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// The journal of the deployer, which also sends every state to the store.
#[derive(Debug)]
pub(crate) struct RecordingJournal {
    journal: FileJournal,
    sender: UnboundedSender<Deployment>,
}

impl RecordingJournal {
    pub(crate) const fn new(journal: FileJournal, sender: UnboundedSender<Deployment>) -> Self {
        Self { journal, sender }
    }
}

impl Journal for RecordingJournal {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.append(states)?;
        for state in states {
            // The receiver is gone when the server stops.
            let _ = self.sender.send((*state).clone());
        }
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        let states = self.journal.read()?;
        // The last run may have ended before all states were written to the store.
        for state in &states {
            let _ = self.sender.send(state.clone());
        }
        Ok(states)
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.rewrite(states)
    }
}

/// Writes states to the store until the channel is closed. Errors are logged while `is_open`: why
/// the store is not open was logged already.
pub(super) async fn record<S: DeploymentStore + Clone + Send + 'static>(
    deployed: DeploymentService<S>,
    mut states: UnboundedReceiver<Deployment>,
    is_open: impl Fn() -> bool,
) {
    let mut pending: BTreeMap<String, Deployment> = BTreeMap::new();
    let mut is_logged = false;
    loop {
        if pending.is_empty() {
            let Some(state) = states.recv().await else {
                return;
            };
            pending.insert(state.id.clone(), state);
        }
        while let Ok(state) = states.try_recv() {
            pending.insert(state.id.clone(), state);
        }
        while pending.len() > MAX_PENDING {
            pending.pop_first();
        }
        let Some((id, state)) = pending.pop_first() else {
            continue;
        };
        let (service, deployment) = (deployed.clone(), state.clone());
        let record = tokio::task::spawn_blocking(move || service.record_of(&deployment));
        let Ok(Some(record)) = record.await else {
            continue;
        };
        match deployed.store.put_deployment(&record).await {
            Ok(()) => is_logged = false,
            Err(error) => {
                if !is_logged && is_open() {
                    error!("administration: cannot store deployments: {error}");
                }
                is_logged = true;
                if matches!(error, StoreError::Unavailable(_)) {
                    pending.entry(id).or_insert(state);
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }
}
