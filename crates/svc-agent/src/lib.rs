//! Runs agent jobs: turns a prompt into a pull request.
//!
//! [`run_workers`] claims jobs of a [`Store`](svc_admin_api::Store), one after the other in each
//! worker. A job has these stages:
//!
//! 1. `workspace`: a private directory with a clone of the repository, and a second Git directory
//!    that the agent does not know.
//! 2. `program`: the command of the operator runs in the clone, in a `sandbox`, with the prompt on
//!    standard input. Its output goes to the log of the job after `redact` has removed secrets.
//! 3. `repository`: the work tree becomes a commit on a branch of the job, and the branch is
//!    pushed. The clone is untrusted: nothing in it is executed or followed. Before the push,
//!    `search` looks for known secrets in the changes.
//! 4. `forge`: the pull request of the branch is found or opened.
//!
//! During all stages `lease` renews the lease. A run that loses it stops immediately.

mod forge;
mod git;
mod lease;
mod log;
mod messages;
mod options;
mod process_group;
mod program;
mod redact;
mod repository;
mod run;
mod sandbox;
mod search;
mod statistics;
mod stop;
mod worker;
mod workspace;

pub use forge::{
    CommitState, CommitStatus, Forge, ForgeConfigError, ForgeError, ForgeKind, Hook, RestForge,
};
pub use options::{Author, Options, ProjectOptions, Sandbox, WorkTreeLimits};
pub use run::RunOutcome;
pub use statistics::{JobCounters, OutcomeStatistics};
pub use worker::{run_once, run_workers};
