//! The HTTP server.
//!
//! In the order of a request: `accept` accepts the connection within the [`Limits`],
//! `deadline_stream` enforces deadlines on its socket, `idle` and `streams` enforce those of
//! HTTP/2, `framing` inspects the raw head, `in_flight` limits the requests of each client,
//! `service` reads the request, `check` rejects invalid requests, and the [`Responder`] produces
//! the response ([`SiteHandle`] for a site). `negotiate`, `conditional` and `reply` implement
//! content negotiation, preconditions and ranges. [`Sites`] selects a site by host. A request with
//! a body is routed by a [`BodyRouter`], such as that of the [`Relay`]. [`run_site`] serves a
//! single folder, the [`Deployer`] builds the sites of several projects, and [`program`] is the
//! command-line interface.

mod accept;
mod admin;
mod allowed_hosts;
mod body;
mod caller;
mod check;
mod conditional;
#[cfg(unix)]
mod control;
mod current;
pub mod dashboard;
mod data;
mod data_files;
mod dates;
mod deadline_stream;
mod deploy;
mod document_policy;
mod file;
mod framing;
mod github;
mod idle;
mod image_queue;
mod in_flight;
mod limits;
mod live;
mod log;
mod negotiate;
mod network_args;
mod not_found;
mod path;
mod permissions;
mod previews;
pub mod program;
mod projects;
mod rate_limit;
mod relay;
mod reloader;
mod remote_documents;
mod reply;
mod run;
mod service;
mod settings;
mod site;
mod site_args;
mod sites;
mod speculation;
mod stop;
mod store_args;
mod streams;
mod time_budget;
mod variant_cache;
mod watch;
mod webhook;

pub use accept::Server;
pub use admin::{
    ADMIN_CODES, Administration, AdministrationOptions, DeploymentService, SingleSiteAdmin,
    SystemClock, SystemRandom,
};
pub use allowed_hosts::{AllowedHosts, HostArgs};
pub use body::Body;
#[cfg(unix)]
pub use control::{ControlError, request_server, socket_path};
pub use current::SiteHandle;
pub use data::data_dir;
pub use dates::dates;
pub use deploy::{
    Action, Commit, DeployRequest, Deployer, DeployerOptions, Deployment, DeploymentState,
    FetchSourceError, FileJournal, Journal, LogLine, Partial, ProjectConfig, PublishTarget,
    Publisher, Reference, Report, Snapshot, Snapshots, Trigger, TriggerError,
};
pub use github::GitHubOptions;
pub use limits::Limits;
pub use log::{Log, LogFilter, LogFormat, LogOptions, ParseLogFilterError};
pub use network_args::NetworkArgs;
pub use projects::Projects;
pub use relay::{Relay, RelayLimits};
pub use remote_documents::{
    FetchPolicy, REMOTE_REFRESH_INTERVAL, RefreshReport, RemoteDocumentArgs, RemoteDocumentCache,
    RemoteDocumentOptions,
};
pub use reply::Response;
pub use run::{
    PreparedSite, RunOptions, check_dir, pluralize, prepare, protection_notice, run_site, summary,
};
pub use service::{BodyHandler, BodyRouter, Reply, Responder, Upload, VariantWork, Work};
pub use settings::{
    AdminSettings, AgentSettings, Credentials, ForgeApi, ForgeSettings, GitSettings, GitSource,
    Host, HostPattern, OidcSettings, OutboundSettings, ParseHostError, ParsedSettings,
    PreviewSettings, ProjectAgentSettings, ProjectSettings, SETTINGS_CODES, Secret, Settings,
    SettingsEnvironment, SettingsKey, SettingsTable, SourceSettings, WebhookSettings, duration,
    settings_schema, settings_tables,
};
pub use site_args::SiteArgs;
pub use sites::{Served, Sites};
pub use stop::stop_signal;
pub use store_args::StoreArgs;
pub use variant_cache::{VariantArgs, VariantCache};
pub use webhook::{
    Delivery, Event, PullRequest, WebhookLimits, WebhookRejection, Webhooks, is_same_repository,
    read_webhook,
};
