//! The settings of a server with several projects: `server.toml`.
//!
//! Each table of the file has a module with its type, its schema and its decoder. The JSON
//! Schema and the reference documentation are generated from the same schema.

mod acme;
mod admin;
mod admin_rates;
mod agent;
mod base_path;
mod cdn;
mod codes;
mod decode;
mod environment;
mod git;
mod handover;
mod host;
mod hosts;
mod log;
mod metrics;
mod objects;
mod oidc;
mod outbound;
mod previews;
mod project;
mod project_agent;
mod proxies;
mod pull_requests;
mod read;
mod readers;
mod readers_oidc;
mod schema;
mod secret;
mod server;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod tls;
mod traces;
mod values;
mod webhook;

pub use acme::{AcmeChallenge, AcmeSettings};
pub use admin::AdminSettings;
pub use agent::AgentSettings;
pub(crate) use base_path::{ORIGIN_HINT, parse_base_path, parse_origin};
pub use cdn::{CdnSettings, PurgeSettings};
pub use codes::SETTINGS_CODES;
pub use environment::SettingsEnvironment;
pub use git::GitSettings;
pub use handover::HandoverSettings;
pub(crate) use host::MAX_HOST_BYTES;
pub use host::{Host, HostPattern, ParseHostError};
pub use oidc::{OidcProvider, OidcSettings};
pub use outbound::OutboundSettings;
pub use previews::PreviewSettings;
pub use project::ProjectSettings;
pub use project_agent::{ForgeApi, ForgeSettings, ProjectAgentSettings};
pub use pull_requests::PullRequestSettings;
pub use read::ParsedSettings;
pub use readers::{ReaderCredential, ReaderHeaders, ReaderSettings};
pub use readers_oidc::ReaderOidcSettings;
pub use schema::{SettingsKey, SettingsTable, settings_schema, settings_tables};
pub use server::Settings;
pub use source::{Credentials, GitSource, SourceSettings};
pub use svc_git::Secret;
pub use tls::TlsSettings;
pub use traces::TracesSettings;
pub use values::duration;
pub use webhook::WebhookSettings;
