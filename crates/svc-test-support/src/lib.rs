//! Fixtures for tests: whole repositories in one string.
