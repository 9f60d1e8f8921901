//! The integration tests in one binary: each test binary links the whole crate.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

#[cfg(all(unix, feature = "acme"))]
mod acme;
mod admin;
#[cfg(unix)]
mod backup;
#[cfg(unix)]
mod cdn;
#[cfg(unix)]
mod cluster;
mod commands;
mod days;
#[cfg(unix)]
mod deployments;
mod github;
mod http;
#[cfg(target_os = "linux")]
mod isolation;
mod mcp;
mod monitoring;
mod peer_server;
mod previews;
mod program;
#[cfg(unix)]
mod pull_requests;
mod readers;
mod readers_oidc;
mod relay;
mod remote_documents;
mod serving;
mod sites;
#[cfg(all(unix, feature = "traces"))]
mod traces;
mod version_refs;
mod webhooks;
