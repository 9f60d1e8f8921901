//! What the end-to-end tests and benchmarks share.

pub mod api;
pub mod browser;
pub mod dashboard;
pub mod gallery;
pub mod http;
pub mod made;
pub mod markup;
pub mod mutated;
pub mod pictures;
pub mod preview;
pub mod random;
pub mod server;
pub mod sites;
pub mod source_words;
pub mod tools;
