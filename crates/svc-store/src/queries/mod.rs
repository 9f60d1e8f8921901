//! SQL statements, one file per store trait.

pub(crate) mod accounts;
pub(crate) mod actions;
pub(crate) mod audit;
pub(crate) mod deployments;
pub(crate) mod idempotency;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod logs;
pub(crate) mod projects;
pub(crate) mod pull_requests;
pub(crate) mod reader_sessions;
pub(crate) mod reader_tokens;
pub(crate) mod readers;
pub(crate) mod shared_keys;
pub(crate) mod snapshots;
pub(crate) mod targets;
pub(crate) mod workers;
