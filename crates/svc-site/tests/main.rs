//! The integration tests in one binary: each test binary links the whole crate.

mod format;
mod links_only;
mod specification;
