//! The Admin API and the Deployment API over a real socket: with an in-memory store, and complete
//! servers with their stores. `SVC_SERVER_KILLS` sets the number of kills.
#![expect(clippy::print_stdout, reason = "long runs quote their numbers")]

mod away;
mod credentials;
#[cfg(unix)]
mod killed;
mod leaks;
mod operations;
pub(crate) mod pages;
#[cfg(unix)]
pub(crate) mod peers;
pub(crate) mod rig;
mod schemathesis;
pub(crate) mod server;
