//! Shared helpers of the end-to-end tests and benchmarks.

pub mod api;
pub mod browser;
pub mod dashboard;
pub mod gallery;
pub mod http;
pub mod images;
pub mod loaded_site;
pub mod markup;
pub mod mutation;
pub mod preview;
pub mod projects;
pub mod random;
pub mod server;
pub mod sites;
pub mod source_text;
pub mod tools;
