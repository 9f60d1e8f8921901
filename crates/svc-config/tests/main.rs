//! The integration tests in one binary: each test binary links the whole crate.

mod cases;
mod properties;
mod schema;
mod specification;
mod suite;
