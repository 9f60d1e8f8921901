//! The integration tests in one binary: each test binary links the whole crate.

mod forges;
mod hostile;
mod jobs;
#[cfg(target_os = "linux")]
mod sandbox;
mod ssh;
mod support;
mod workers;
