//! Writes down in the store what becomes of deployments, so that it is known longer than the server
//! remembers it, and to the other servers of a database.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use svc_admin_api::StoreError;
use svc_admin_api::deployment::DeploymentStore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::deployment_service::DeploymentService;
use crate::deploy::{Deployment, FileJournal, Journal};

/// Deployments that wait to be written down while the store is away; the oldest go first.
const MAX_PENDING: usize = 1_000;
/// Time before a store that is away is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// The journal of the deployer, which tells of every state that it keeps.
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
            // Nobody listens any more when the server ends.
            let _ = self.sender.send((*state).clone());
        }
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        let states = self.journal.read()?;
        // The last run may have ended before the store heard of all of them.
        for state in &states {
            let _ = self.sender.send(state.clone());
        }
        Ok(states)
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.rewrite(states)
    }
}

/// Writes down what comes, until nothing comes any more.
pub(super) async fn record<S: DeploymentStore + Clone + Send + 'static>(
    deployed: DeploymentService<S>,
    mut states: UnboundedReceiver<Deployment>,
    tell: crate::LogFn,
) {
    let mut waiting: BTreeMap<String, Deployment> = BTreeMap::new();
    let mut told = false;
    loop {
        if waiting.is_empty() {
            let Some(state) = states.recv().await else {
                return;
            };
            waiting.insert(state.id.clone(), state);
        }
        while let Ok(state) = states.try_recv() {
            waiting.insert(state.id.clone(), state);
        }
        while waiting.len() > MAX_PENDING {
            waiting.pop_first();
        }
        let Some((id, state)) = waiting.pop_first() else {
            continue;
        };
        let (own, one) = (deployed.clone(), state.clone());
        let record = tokio::task::spawn_blocking(move || own.record_of(&one));
        let Ok(Some(record)) = record.await else {
            continue;
        };
        match deployed.store.put_deployment(&record).await {
            Ok(()) => told = false,
            Err(error) => {
                if !told {
                    tell(&format!(
                        "administration: deployments are not written down: {error}"
                    ));
                }
                told = true;
                if matches!(error, StoreError::Unavailable(_)) {
                    waiting.entry(id).or_insert(state);
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }
}
