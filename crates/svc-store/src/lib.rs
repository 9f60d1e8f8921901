//! Keeps what the Admin API has to remember, in SQLite or in PostgreSQL.
//!
//! [`Database::open`] opens either; a [`Database`] is a
//! [`Store`](svc_admin_api::Store). SQLite is a file and needs nothing else; PostgreSQL is for
//! several servers that share what they keep. A change that was answered lasts: its transaction,
//! with the entry of the audit log and the answer that is remembered, has been synchronised to the
//! disk. A change whose end is not known is
//! [`Unavailable`](svc_admin_api::StoreError::Unavailable), never `Done`.
//!
//! There is no logic of the API in here: what may follow on what is said by
//! [`Job::step`](svc_admin_api::agent_job::Job::step), and the tests hold every statement against
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

pub use database::Database;
pub use error::OpenError;
pub use notice::Notice;
pub use queries::actions::{ServerRecord, SharedAction};
