//! The integration tests in one binary: each test binary links the whole crate.

mod cli;
mod search;
mod shell;
