//! The administration: the Admin API, the Deployment API, their OpenAPI documents and the
//! dashboard.
//!
//! [`Administration`] serves the requests of a separate listener or host: `dispatch` reads the body
//! and determines the client, and `svc-admin-api` or the dashboard handle the request.
//! `deployment_service` implements deployments with the deployer, `record` writes their states to
//! the store, and `peers` synchronizes the servers that share a database. `store_opener` opens the
//! store, `projects` saves the projects of the settings in it, and `timers` runs periodic tasks.

mod admin_server;
mod bound_admin;
mod clock;
mod deployment_service;
mod dispatch;
mod peers;
mod projects;
mod record;
mod single_site;
mod store_opener;
mod timers;
mod workers;

pub(crate) use admin_server::{AdminBuilder, AdminServer};
pub use clock::{SystemClock, SystemRandom};
pub use deployment_service::DeploymentService;
pub use dispatch::{Administration, AdministrationOptions};
pub(crate) use peers::id as server_id;
use record::RecordingJournal;
pub use single_site::SingleSiteAdmin;
pub use store_opener::ADMIN_CODES;
pub(crate) use workers::{AgentCounters, forge_host, forge_kind};
