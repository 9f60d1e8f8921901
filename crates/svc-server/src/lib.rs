//! The HTTP server: serves one folder, or the deployments of several projects.
//!
//! [`run_site`] serves a single folder and rebuilds it on every change. [`Projects`] serves several
//! sites: the [`Deployer`] builds them, and [`Sites`] selects one by the host of a request.
//! [`program`] is the command-line interface of both.
//!
//! # Example
//!
//! A [`Server`] sends each request to a [`Responder`], here that of one site:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use svc_server::{Limits, Server, SiteHandle};
//! use svc_site::LoadOptions;
//!
//! # async fn serve() -> std::io::Result<()> {
//! let site = svc_site::load("docs".as_ref(), &LoadOptions::default())?.value;
//! let current = SiteHandle::new(Arc::new(site));
//! let address = ([127, 0, 0, 1], 8080).into();
//! let server = Server::bind(address, Limits::default()).await?;
//! server.run(current.responder(), std::future::pending()).await;
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! In the order of a request:
//!
//! | module | content |
//! |---|---|
//! | `accept`, `limits` | accepts connections within the [`Limits`] |
//! | `write_deadline`, `deadline_stream`, `idle`, `time_budget` | deadlines of a connection |
//! | `http2`, `streams` | budgets for frames of HTTP/2, and deadlines of its streams |
//! | `tls` | certificates, and the redirect to HTTPS |
//! | `framing`, `check`, `allowed_hosts` | rejects malformed requests and unknown hosts |
//! | `in_flight`, `rate_limit`, `caller` | limits for each client, and which client it is |
//! | `service` | from a request to a [`Reply`]; a request with a body goes to a [`BodyRouter`] |
//! | `response_cache` | responses from memory that are sent again without the HTTP library |
//! | `sites` | selects a site by host |
//! | `readers` | who reads: sign-in, and which pages a reader gets |
//! | `oidc` | client of OpenID Connect providers, for readers and the dashboard |
//! | `current`, `site`, `not_found`, `path` | the responses of a site |
//! | `start_page`, `language_tag` | the start page in the language of the reader |
//! | `image_queue`, `variant_cache` | images that are rendered for a request |
//! | `negotiate`, `encoding`, `conditional`, `reply`, `body`, `file` | content coding, preconditions, ranges, bodies |
//! | `document_policy`, `speculation` | headers of pages |
//! | `cdn` | headers for a CDN, and its purge after a deployment |
//! | `relay` | forwards requests of the API playground |
//! | `mcp` | messages of MCP clients, and how to connect them |
//!
//! Around them:
//!
//! | module | content |
//! |---|---|
//! | `run`, `reloader`, `watch`, `live` | one folder: serving, rebuilding, watching, live reload |
//! | `projects`, `settings` | several projects: the server and `server.toml` |
//! | `metrics`, `readiness`, `request_id` | what monitoring reads, and how a request is found in the log |
//! | `deploy` | from the source of a project to the published site |
//! | `webhook`, `previews` | deliveries of forges, and the previews that they start |
//! | `pull_requests` | statuses and comments of previews at forges |
//! | `admin`, `dashboard`, `control` | the Admin API, the web interface, and the control socket |
//! | `remote_documents`, `github`, `dates` | data from outside of the files of a site |
//! | `program`, `site_args`, `network_args`, `store_args`, `summary`, `version` | the command line |
//! | `cli_files` | completions and manual pages of both programs |
//! | `data`, `data_files`, `permissions` | the data directory |
//! | `sockets`, `notify`, `stop` | the service manager: sockets, start and end of the program |

mod accept;
mod admin;
mod allowed_hosts;
mod backup;
mod body;
mod caller;
mod cdn;
mod changes;
mod check;
mod cli_files;
mod conditional;
mod connection;
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
mod encoding;
mod file;
mod framing;
mod github;
mod http2;
mod idle;
mod image_queue;
mod in_flight;
mod language_tag;
mod limits;
mod live;
mod log;
mod mcp;
mod metrics;
mod negotiate;
mod network_args;
mod not_found;
mod notify;
mod oidc;
mod page_head;
mod path;
mod permissions;
mod previews;
pub mod program;
mod projects;
mod pull_requests;
mod rate_limit;
mod readers;
mod readiness;
mod relay;
mod reloader;
mod remote_documents;
mod reply;
mod request_id;
mod response_cache;
mod run;
mod search;
mod service;
mod settings;
mod site;
mod site_args;
mod sites;
mod sockets;
mod speculation;
mod start_page;
mod stop;
mod store_args;
mod streams;
mod summary;
mod time_budget;
mod tls;
#[cfg(feature = "traces")]
mod traces;
mod variant_cache;
mod version;
mod watch;
mod webhook;
mod write_deadline;

pub use accept::Server;
pub use admin::{
    ADMIN_CODES, Administration, AdministrationOptions, DeploymentService, SingleSiteAdmin,
    SystemClock, SystemRandom,
};
pub use allowed_hosts::{AllowedHosts, HostArgs};
pub use body::Body;
pub use cli_files::{CompletionsArgs, ManArgs};
#[cfg(unix)]
pub use control::{ControlError, request_server, socket_path};
pub use current::SiteHandle;
pub use data::data_dir;
pub use dates::dates;
pub use deploy::{
    Action, Cluster, Commit, DeployRequest, Deployer, DeployerOptions, Deployment,
    DeploymentOrigin, DeploymentState, FetchSourceError, FileJournal, Journal, LogLine, Partial,
    ProjectConfig, PublishTarget, Publisher, Reference, Report, Snapshot, Snapshots, Trigger,
    TriggerError,
};
pub use github::GitHubOptions;
pub use image_queue::{VariantWork, Work};
pub use limits::Limits;
pub use log::{Log, LogFilter, LogFormat, LogOptions, ParseLogFilterError};
pub use mcp::{Mcp, McpLimits};
pub use metrics::{ListenerMetrics, METRICS, MetricDescription, MetricKind, Metrics};
pub use network_args::NetworkArgs;
pub use projects::Projects;
pub use relay::{Relay, RelayLimits};
pub use remote_documents::{
    FetchPolicy, REMOTE_REFRESH_INTERVAL, RefreshReport, RemoteDocumentArgs, RemoteDocumentCache,
    RemoteDocumentOptions,
};
pub use reply::Response;
pub use run::{PreparedSite, RunOptions, check_dir, prepare, run_site};
pub use service::{BodyHandler, BodyRouter, Reply, Responder, Upload};
pub use settings::{
    AcmeChallenge, AcmeSettings, AdminSettings, AgentSettings, CdnSettings, Credentials, ForgeApi,
    ForgeSettings, GitSettings, GitSource, HandoverSettings, Host, HostPattern, OidcProvider,
    OidcSettings, OutboundSettings, ParseHostError, ParsedSettings, PreviewSettings,
    ProjectAgentSettings, ProjectSettings, PullRequestSettings, PurgeSettings, ReaderCredential,
    ReaderHeaders, ReaderOidcSettings, ReaderSettings, SETTINGS_CODES, Secret, Settings,
    SettingsEnvironment, SettingsKey, SettingsTable, SourceSettings, TlsSettings, TracesSettings,
    WebhookSettings, duration, settings_schema, settings_tables,
};
pub use site_args::{AudienceArgs, SiteArgs};
pub use sites::{Served, Sites};
pub use sockets::InheritedSockets;
pub use stop::{second_stop_signal, stop_signal};
pub use store_args::StoreArgs;
pub use summary::{pluralize, protection_notice, summary};
pub use tls::{CertificateFiles, Tls};
pub use variant_cache::{VariantArgs, VariantCache};
pub use version::{LONG_VERSION, VERSION};
pub use webhook::{
    Delivery, Event, PullRequest, WebhookLimits, WebhookRejection, Webhooks, is_same_repository,
    read_webhook,
};
