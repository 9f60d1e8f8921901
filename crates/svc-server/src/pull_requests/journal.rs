//! A journal of deployments that also reports those of previews.

use std::io;

use super::{EventSender, PullRequestEvent};
use crate::deploy::{Deployment, Journal, PublishTarget};

/// The journal of the deployer, which also sends the states of previews as events.
#[derive(Debug)]
pub(crate) struct PullRequestJournal {
    journal: Box<dyn Journal>,
    events: EventSender,
}

impl PullRequestJournal {
    pub(crate) fn new(journal: Box<dyn Journal>, events: EventSender) -> Self {
        Self { journal, events }
    }

    fn send(&self, deployment: &Deployment) {
        if deployment.target != PublishTarget::Live {
            let event = PullRequestEvent::Deployment(Box::new(deployment.clone()));
            // The receiver is gone when the server stops.
            let _ = self.events.send(event);
        }
    }
}

impl Journal for PullRequestJournal {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.append(states)?;
        states.iter().for_each(|state| self.send(state));
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        let states = self.journal.read()?;
        // The last run may have ended before all states were announced.
        states.iter().for_each(|state| self.send(state));
        Ok(states)
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.rewrite(states)
    }
}
