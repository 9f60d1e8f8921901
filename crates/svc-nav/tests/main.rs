//! The integration tests in one binary: each test binary links the whole crate.

mod laws;
mod oracle;
mod properties;
mod rules;
mod specification;
