//! The integration tests in one binary: each test binary links the whole crate.

mod dates;
mod http;
mod local;
#[cfg(unix)]
mod nothing_runs;
mod program;
mod ssh;
mod support;
