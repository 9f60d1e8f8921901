//! Tests of the public interface.
#![expect(clippy::unwrap_used, reason = "tests")]

mod audiences;
mod hostile;
mod properties;
mod ranking;
mod site;
mod static_search;
