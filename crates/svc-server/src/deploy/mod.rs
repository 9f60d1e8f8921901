//! Deployments: from the source of a project to the site that readers see.
//!
//! [`Deployer::trigger`] is the one way in: forges, polling, signals, the command line and programs
//! call it. A deployment waits in a queue, where a newer one of the same target takes its place,
//! and is then made by a thread of low priority: `source` fetches a [`Snapshot`], the site is
//! loaded from it, `build` judges it (a fatal problem leaves readers what they have), and the
//! [`Journal`] and [`SiteHandle`] change. Drawing pages in advance comes after that, in `drawing`.
//! `restore` brings back what was live before the program ended, however it ended.

mod build;
mod deployer;
mod journal;
mod model;
mod placeholder;
mod prerender;
mod priority;
mod report;
mod repositories;
mod restore;
mod rollback;
mod snapshots;
mod source;
mod state;
#[cfg(test)]
mod test_harness;
#[cfg(test)]
mod tests;
mod ticker;

pub use deployer::{Deployer, DeployerOptions, ProjectConfig, Publisher};
pub use journal::{FileJournal, Journal};
pub use model::{
    Action, Commit, DeployRequest, Deployment, DeploymentState, LogLine, PublishTarget, Reference,
    Report, Trigger, TriggerError,
};
pub(crate) use rollback::RollbackTarget;
pub(crate) use snapshots::{DirFingerprint, fingerprint_dir};
pub use snapshots::{FetchSourceError, Partial, Snapshot, Snapshots};

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
