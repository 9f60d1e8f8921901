//! End-to-end tests and benchmarks of the whole workspace.
