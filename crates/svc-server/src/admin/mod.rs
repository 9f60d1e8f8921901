//! The administration: the Admin API, the Deployment API, their documents and the dashboard.
//!
//! [`Administration`] answers the requests of a listener or a host of its own: `dispatch` brings a
//! request with its body and the address of its caller to `svc-admin-api` or the dashboard. What
//! these ask for is done by `deployed` with the deployer, `record` writes down what becomes of it,
//! and `peers` tells the other servers of the database. `opening` opens the store when that is
//! possible, `projects` keeps the projects of the settings in it, and `timers` do what time brings.

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
use record::RecordingJournal;
pub use single_site::SingleSiteAdmin;
pub use store_opener::ADMIN_CODES;
