//! The HTTP server.
//!
//! In the order of a request: `accept` takes the connection inside the [`Limits`], `guarded` puts
//! deadlines on its socket, `idle` and `streams` those of HTTP/2, and `framing` looks at raw heads
//! for what the HTTP library hides, `in_flight` counts the requests of each client, `service` reads
//! one request, `check` refuses what is not well formed, the [`Responder`] makes
//! the answer ([`Current`] for a site), and `negotiate`, `conditional` and `reply` hold the rules
//! of HTTP. [`Sites`] finds the site of a host among many. A request that brings a body goes to what
//! takes it ([`Posts`]), the [`Relay`] for now. [`run_site`] is all of it for one folder. The
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
mod days;
mod deploy;
mod document_policy;
mod drawing;
mod file;
mod framing;
mod github;
mod guarded;
mod hosted;
mod idle;
mod in_flight;
mod limits;
mod live;
mod loading;
mod negotiate;
mod not_found;
mod outside;
mod own_files;
mod path;
mod patience;
mod previews;
mod private;
pub mod program;
mod projects;
mod rates;
mod relay;
mod reloading;
mod reply;
mod run;
mod service;
mod settings;
mod site;
mod sites;
mod speculation;
mod stop;
mod store_place;
mod streams;
mod variant_cache;
mod watch;
mod webhook;

pub use accept::Server;
pub use admin::{
    ADMIN_CODES, Administration, AdministrationOptions, Deployed, FolderAdministration,
    SystemClock, SystemRandom,
};
pub use allowed_hosts::{AllowedHosts, HostFlags};
pub use body::Body;
#[cfg(unix)]
pub use control::{ControlError, ask as ask_server, socket_of};
pub use current::Current;
pub use data::data_folder;
pub use days::dates;
pub use deploy::{
    Action, Commit, Deployer, DeployerOptions, Deployment, FetchSourceError, FileJournal, Journal,
    LogLine, Partial, ProjectConfig, Reference, TriggerError, Report, DeployRequest, Snapshot, Snapshots, Publisher, DeploymentState,
    DeployTarget, Trigger,
};
pub use github::GitHubOptions;
pub use hosted::{FetchPolicy, REMOTE_REFRESH_INTERVAL, RemoteDocumentCache, RemoteDocumentArgs, RemoteDocumentOptions, RefreshReport};
pub use limits::Limits;
pub use loading::Loading;
pub use outside::Outside;
pub use projects::{Projects, LogFn};
pub use relay::{Relay, RelayLimits};
pub use reply::Response;
pub use run::{
    Prepared, RunOptions, check_folder, number, prepare, protection_notice, run_site, summary,
};
pub use service::{Outcome, Posts, Responder, Taken, Upload, VariantWork, Work};
pub use settings::{
    AdminSettings, AgentSettings, Credentials, ForgeApi, ForgeSettings, GitSettings, GitSource,
    Host, HostPattern, ParseHostError, OidcSettings, OutboundSettings, PreviewSettings, ProjectSettings,
    ProjectAgentSettings, ParsedSettings, SETTINGS_CODES, Secret, Settings, SettingsKey,
    SettingsTable, SourceSettings, SettingsEnvironment, WebhookSettings, duration, settings_schema,
    settings_tables,
};
pub use sites::{Served, Sites};
pub use stop::stop_signal;
pub use store_place::StorePlace;
pub use variant_cache::{VariantCache, VariantFlags};
pub use webhook::{
    Delivery, Event, NotTaken, PullRequest, WebhookLimits, Webhooks, is_same_repository,
    read as read_webhook,
};
