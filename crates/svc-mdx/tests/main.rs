//! The integration tests in one binary: each test binary links the whole crate.

mod bombs;
mod findings;
mod format;
mod hostile;
mod laws;
mod mutations;
mod reference;
mod rejections;
mod round_trip;
mod specification;
mod syntax;
