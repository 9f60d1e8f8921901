//! Deployments of a program that runs: under load, broken ones, and killed ones. The counts are
//! small here; variables make them large (`SVC_DEPLOYMENTS`, `SVC_BROKEN`, `SVC_KILLS`,
//! `SVC_REWRITES`).
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]
#![expect(clippy::print_stdout, reason = "long runs quote their numbers")]

mod broken;
mod killed;
mod load;
mod rewritten;
mod rig;
