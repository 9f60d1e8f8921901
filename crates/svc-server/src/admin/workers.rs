//! The workers that run agents on jobs.

use svc_store::Database;
use tokio::sync::watch;

use crate::{Settings, Tell};

/// How jobs are worked on.
#[derive(Debug, Clone)]
pub(crate) struct Work;

/// What the settings say about it; nothing when no agent is set up.
pub(super) fn work(settings: &Settings, tell: &Tell) -> Option<Work> {
    settings.agent.as_ref()?;
    tell("administration: this version has no workers for `[agent]`");
    Some(Work)
}

/// Works on jobs as the last of `wanted` says, until `stop` is set.
pub(super) async fn run(
    _: Database,
    _: watch::Receiver<Option<Work>>,
    mut stop: watch::Receiver<bool>,
) {
    // The sender is gone when the program ends.
    let _ = stop.wait_for(|stop| *stop).await;
}
