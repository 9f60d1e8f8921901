//! The administration: the Admin API, the Deployment API, their documents and the dashboard.
//!
//! [`Administration`] answers the requests of a listener or a host of its own: `front` brings a
//! request with its body and the address of its caller to `svc-admin-api` or the dashboard. What
//! these ask for is done by `deployed` with the deployer, `record` writes down what becomes of it,
//! and `peers` tells the other servers of the database. `opening` opens the store when that is
//! possible, `projects` keeps the projects of the settings in it, and `timers` do what time brings.

mod administered;
mod clock;
mod deployed;
mod folder;
mod front;
mod opening;
mod peers;
mod projects;
mod record;
mod running;
mod timers;
mod workers;

pub(crate) use administered::{Administered, Opened};
pub use clock::{SystemClock, SystemRandom};
pub use deployed::Deployed;
pub use folder::FolderAdministration;
pub use front::{Administration, AdministrationOptions};
pub use opening::ADMIN_CODES;
use record::Recorded;
