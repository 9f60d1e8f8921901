//! The store on SQLite and PostgreSQL, compared with the store in memory.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests stop the test, and long runs say how long they were"
)]

mod clients;
mod kill;
mod model;
mod operations;
mod persistence;
mod pull_requests;
mod servers;
mod targets;
mod transfer;
mod world;
