//! The HTTP server.
//!
//! In the order of a request: `accept` takes the connection inside the [`Limits`], `deadline_stream` puts
//! deadlines on its socket, `idle` and `streams` those of HTTP/2, and `framing` looks at raw heads
//! for what the HTTP library hides, `in_flight` counts the requests of each client, `service` reads
//! one request, `check` refuses what is not well formed, the [`Responder`] makes
//! the answer ([`SiteHandle`] for a site), and `negotiate`, `conditional` and `reply` hold the rules
//! of HTTP. [`Sites`] finds the site of a host among many. A request that brings a body goes to what
//! takes it ([`BodyRouter`]), the [`Relay`] for now. [`run_site`] is all of it for one folder. The
//! [`Deployer`] makes the sites of many projects. [`program`] is what is typed.

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
mod dates;
mod deploy;
mod document_policy;
mod image_queue;
mod file;
mod framing;
mod github;
mod deadline_stream;
mod remote_documents;
mod idle;
mod in_flight;
mod limits;
mod live;
mod site_args;
mod negotiate;
mod not_found;
mod network_args;
mod data_files;
mod path;
mod time_budget;
mod previews;
mod permissions;
pub mod program;
mod projects;
mod rate_limit;
mod relay;
mod reloader;
mod reply;
mod run;
mod service;
mod settings;
mod site;
mod sites;
mod speculation;
mod stop;
mod store_args;
mod streams;
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
    Action, Commit, Deployer, DeployerOptions, Deployment, FetchSourceError, FileJournal, Journal,
    LogLine, Partial, ProjectConfig, Reference, TriggerError, Report, DeployRequest, Snapshot, Snapshots, Publisher, DeploymentState,
    DeployTarget, Trigger,
};
pub use github::GitHubOptions;
pub use remote_documents::{FetchPolicy, REMOTE_REFRESH_INTERVAL, RemoteDocumentCache, RemoteDocumentArgs, RemoteDocumentOptions, RefreshReport};
pub use limits::Limits;
pub use site_args::SiteArgs;
pub use network_args::NetworkArgs;
pub use projects::{Projects, LogFn};
pub use relay::{Relay, RelayLimits};
pub use reply::Response;
pub use run::{
    PreparedSite, RunOptions, check_dir, pluralize, prepare, protection_notice, run_site, summary,
};
pub use service::{Reply, BodyRouter, Responder, BodyHandler, Upload, VariantWork, Work};
pub use settings::{
    AdminSettings, AgentSettings, Credentials, ForgeApi, ForgeSettings, GitSettings, GitSource,
    Host, HostPattern, ParseHostError, OidcSettings, OutboundSettings, PreviewSettings, ProjectSettings,
    ProjectAgentSettings, ParsedSettings, SETTINGS_CODES, Secret, Settings, SettingsKey,
    SettingsTable, SourceSettings, SettingsEnvironment, WebhookSettings, duration, settings_schema,
    settings_tables,
};
pub use sites::{Served, Sites};
pub use stop::stop_signal;
pub use store_args::StoreArgs;
pub use variant_cache::{VariantCache, VariantArgs};
pub use webhook::{
    Delivery, Event, WebhookRejection, PullRequest, WebhookLimits, Webhooks, is_same_repository,
    read_webhook,
};
