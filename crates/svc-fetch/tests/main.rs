//! The integration tests in one binary: each test binary links the whole crate.

mod blocked;
mod responses;
mod stub_server;
