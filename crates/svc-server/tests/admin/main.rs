//! The Admin API and the Deployment API over a real socket, with a store in memory.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

#[path = "../serving/mod.rs"]
mod serving;

mod credentials;
mod leaks;
mod operations;
mod pages;
mod rig;
mod schemathesis;
mod server;
