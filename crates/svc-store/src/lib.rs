//! Persistence of the Admin API in SQLite or PostgreSQL.
//!
//! [`Database::open`] opens either one; a [`Database`] is a [`Store`](svc_admin_api::Store). SQLite
//! is a file and needs no other program; PostgreSQL is for several servers that share their data. A
//! successful change is durable: its transaction, with the audit entry and the recorded response,
//! has been synced to disk. A change with an unknown result is
//! [`Unavailable`](svc_admin_api::StoreError::Unavailable), never `Done`.
//!
//! The crate has no logic of the API: transitions are defined by
//! [`Job::apply`](svc_admin_api::agent_job::Job::apply), and the tests compare every statement with
//! [`MemoryStore`](svc_admin_api::MemoryStore).
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("admin.sqlite");
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
//! use svc_admin_api::project::ProjectStore as _;
//! use svc_store::Database;
//!
//! let store = Database::open(&format!("sqlite:{}", path.display())).await?;
//! assert!(store.projects().await?.is_empty());
//! store.close().await;
//! # Ok(())
//! # })
//! # }
//! ```

mod database;
mod pull_requests;
mod targets;
mod traits;

mod queries;
mod sql;
mod transaction;

mod cache;
mod migrations;
mod postgres;
mod sqlite;

mod error;
mod notice;
mod statistics;
mod transfer;
mod url;

pub use database::Database;
pub use error::OpenError;
pub use notice::Notice;
pub use queries::actions::{ServerRecord, SharedAction};
pub use queries::pull_requests::{PullRequestClaim, PullRequestRecord, PullRequestResult};
pub use queries::readers::ReaderRevocation;
pub use queries::snapshots::SnapshotRecord;
pub use queries::targets::{TargetClaim, TargetRecord, TargetResult};
pub use statistics::StoreStatistics;
pub use transfer::{TransferError, back_up_store, check_store_file, copy_store};
