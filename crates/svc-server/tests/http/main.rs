//! A server on a free port, tested byte by byte.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

#[path = "../serving/mod.rs"]
mod serving;

mod connections;
mod files;
mod frames;
mod hostile;
mod pages;
mod policies;
mod protection;
mod refusals;
mod rig;
