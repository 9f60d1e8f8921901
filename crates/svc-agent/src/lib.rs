//! Runs agent jobs: what makes a pull request of a prompt.
//!
//! [`work`] takes jobs of a [`Store`](svc_admin_api::Store), one after the other in each of its
//! workers. A job goes through these stages:
//!
//! 1. `workspace`: a private folder with a clone of the repository, and a second folder of Git that
//!    the agent knows nothing of.
//! 2. `program`: the command of the operator runs in the clone, in a `sandbox`, with the prompt on
//!    its standard input. What it prints goes to the log of the job, after `clean` has taken the secrets out.
//! 3. `repository`: what stands in the work tree afterwards becomes a commit on a branch of the
//!    job, and the branch is pushed. The clone may be hostile by then; nothing in it is run,
//!    followed or believed. Before the push, `search` looks for known secrets in what has changed.
//! 4. `forge`: the pull request of the branch is found or opened.
//!
//! All along, `lease` keeps the right to the job. Whoever loses it stops at once.

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
mod worker;
mod workspace;

pub use forge::{Forge, ForgeConfigError, ForgeKind, Hook, RestForge};
pub use options::{Author, Options, ProjectOptions, WorkTreeLimits};
pub use run::RunOutcome;
pub use sandbox::Sandbox;
pub use worker::{run_once, run_workers};
