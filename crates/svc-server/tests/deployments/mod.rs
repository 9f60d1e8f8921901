//! Deployments of a running program: under load, broken, and killed. The counts are small; the
//! variables `SVC_DEPLOYMENTS`, `SVC_BROKEN`, `SVC_KILLS` and `SVC_REWRITES` increase them. `SVC_THOROUGH=1` makes
//! the soak take half an hour.
#![expect(clippy::print_stdout, reason = "long runs quote their numbers")]

mod broken;
#[cfg(target_os = "linux")]
mod hostile;
mod killed;
mod load;
mod rewritten;
mod rig;
#[cfg(target_os = "linux")]
mod soak;
