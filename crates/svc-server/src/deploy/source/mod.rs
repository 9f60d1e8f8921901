//! From where the files of a project come.

mod git;
#[cfg(test)]
mod tests;

use svc_site::{HistoryHead, LastModifiedSource};

use super::{Deployment, FetchSourceError, ProjectConfig, Snapshot, Snapshots};
use crate::settings::SourceSettings;

/// Takes a snapshot of a source. `tell` gets lines for the log.
///
/// # Errors
/// A sentence that says what is wrong with the source and what to do.
pub(super) fn fetch(
    plan: &ProjectConfig,
    deployment: &Deployment,
    into: &Snapshots,
    tell: &dyn Fn(&str),
) -> Result<Snapshot, FetchSourceError> {
    match &plan.source {
        SourceSettings::Dir { path, .. } => super::snapshots::snapshot_dir(path, into, tell),
        SourceSettings::Git(source) => {
            let wanted = (&deployment.target, &deployment.reference);
            git::fetch(source, &plan.git, wanted, into, tell)
        }
    }
}

/// What is known of the dates of files in a snapshot.
pub(super) fn dates(plan: &ProjectConfig, snapshots: &Snapshots, key: &str) -> LastModifiedSource {
    match &plan.source {
        SourceSettings::Dir { path, .. } => LastModifiedSource::Dir {
            path: path.clone(),
            cache: snapshots.sibling("dates"),
        },
        SourceSettings::Git(source) => git::dates(source, snapshots, key),
    }
}

/// The history that the dates come from, where it goes on while the files stay as they are: people
/// commit what they saved before.
pub(super) fn history(plan: &ProjectConfig) -> Option<HistoryHead> {
    match &plan.source {
        SourceSettings::Dir { path, .. } => {
            Some(HistoryHead::of(path, &LastModifiedSource::Enclosing))
        }
        SourceSettings::Git(_) => None,
    }
}
