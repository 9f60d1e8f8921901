//! Sources of the files of projects.

mod git;
#[cfg(test)]
mod tests;

use svc_site::{HistoryHead, LastModifiedSource};

use super::{Deployment, FetchSourceError, ProjectConfig, Snapshot, Snapshots};
use crate::settings::SourceSettings;

/// Takes a snapshot of a source. `log` receives lines for the log of the deployment.
///
/// # Errors
/// A message with the problem and the next step.
pub(super) fn fetch(
    plan: &ProjectConfig,
    deployment: &Deployment,
    into: &Snapshots,
    log: &dyn Fn(&str),
) -> Result<Snapshot, FetchSourceError> {
    match &plan.source {
        SourceSettings::Dir { path, .. } => super::snapshots::snapshot_dir(path, into, log),
        SourceSettings::Git(source) => {
            let (target, reference) = (&deployment.target, &deployment.reference);
            let request = (target, reference, deployment.foreign);
            git::fetch(source, &plan.git, request, into, log)
        }
    }
}

/// Source of the dates of files in a snapshot.
pub(super) fn dates(plan: &ProjectConfig, snapshots: &Snapshots, key: &str) -> LastModifiedSource {
    match &plan.source {
        SourceSettings::Dir { path, .. } => LastModifiedSource::Dir {
            path: path.clone(),
            cache: snapshots.sibling("dates"),
        },
        SourceSettings::Git(source) => git::dates(source, snapshots, key),
    }
}

/// Git head for the dates of files, if it can change while the files stay the same: files in a
/// folder may be committed after they were saved.
pub(super) fn history(plan: &ProjectConfig) -> Option<HistoryHead> {
    match &plan.source {
        SourceSettings::Dir { path, .. } => {
            Some(HistoryHead::of(path, &LastModifiedSource::Enclosing))
        }
        SourceSettings::Git(_) => None,
    }
}
