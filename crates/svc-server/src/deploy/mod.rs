//! Deployments: from the source of a project to the published site.
//!
//! [`Deployer::trigger`] is the single entry point for forges, polling, signals, the command line
//! and API clients. A deployment is queued, where a newer one of the same target supersedes it, and
//! is then built by a thread of low priority: `source` fetches a [`Snapshot`], the site is loaded
//! from it, `build` decides whether it is published (a fatal problem keeps the live site), and the
//! [`Journal`] and the [`SiteHandle`] are updated. `prerender` renders pages afterwards. `restore`
//! publishes what was live before the program ended, even after a crash.

mod build;
mod cluster;
mod deployer;
mod journal;
mod model;
mod placeholder;
mod prerender;
mod priority;
mod project;
mod releases;
mod report;
mod repositories;
mod restore;
mod rollback;
mod snapshots;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod ticker;

pub use cluster::Cluster;
pub use deployer::{Deployer, DeployerOptions, Publisher};
pub(crate) use journal::parse_journal;
pub use journal::{FileJournal, Journal};
pub(crate) use model::RollbackTarget;
pub use model::{
    Action, Commit, DeployRequest, Deployment, DeploymentOrigin, DeploymentState, LogLine,
    PublishTarget, Reference, Report, Trigger, TriggerError,
};
pub use project::ProjectConfig;
pub(crate) use snapshots::{DirFingerprint, fingerprint_dir};
pub use snapshots::{FetchSourceError, Partial, Snapshot, Snapshots};

/// Milliseconds since the Unix epoch.
pub(crate) fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
