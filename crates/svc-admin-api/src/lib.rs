//! The Admin API and the Deployment API: from a request to a response.
//!
//! [`handle`] is the entry point. It finds the operation in [`OPERATIONS`], checks the key, its
//! networks, its scope and the rate limits, and calls the handler in the module of the resource
//! (`agent_job`, `deployment`). Its dependencies are in a [`Context`]: a [`Store`], [`Deployments`],
//! a [`Clock`], [`Random`] and the IP address of the client. The crate has no sockets, no database
//! and no sites. [`MemoryStore`] is a complete store without a disk, for tests, for programs that
//! embed the API, and as the model that other stores are compared with.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use std::time::Duration;
//! # struct Fixed;
//! # impl svc_admin_api::Clock for Fixed {
//! #     fn now(&self) -> svc_admin_api::Timestamp { svc_admin_api::Timestamp::from_millis(0) }
//! #     fn monotonic(&self) -> Duration { Duration::ZERO }
//! # }
//! # impl svc_admin_api::Random for Fixed {
//! #     fn fill(&self, buffer: &mut [u8]) -> Result<(), svc_admin_api::RandomError> {
//! #         buffer.fill(7);
//! #         Ok(())
//! #     }
//! # }
//! # struct NoSites;
//! # impl svc_admin_api::Deployments for NoSites {
//! #     async fn trigger(&self, _: &svc_admin_api::ProjectId, _: &svc_admin_api::DeployTarget,
//! #         _: &svc_admin_api::audit::Actor)
//! #         -> Result<svc_admin_api::DeploymentHandle, svc_admin_api::DeployError> {
//! #         Err(svc_admin_api::DeployError::UnknownProject)
//! #     }
//! #     async fn status(&self, _: &svc_admin_api::StatusId)
//! #         -> Result<Option<svc_admin_api::DeploymentStatus>, svc_admin_api::DeployError> {
//! #         Ok(None)
//! #     }
//! #     async fn list(&self, _: &svc_admin_api::ProjectId, _: usize)
//! #         -> Result<Vec<svc_admin_api::DeploymentSummary>, svc_admin_api::DeployError> {
//! #         Ok(Vec::new())
//! #     }
//! #     async fn roll_back(&self, _: &svc_admin_api::ProjectId, _: &svc_admin_api::StatusId)
//! #         -> Result<svc_admin_api::DeploymentHandle, svc_admin_api::DeployError> {
//! #         Err(svc_admin_api::DeployError::UnknownProject)
//! #     }
//! # }
//! # fn block_on<F: Future>(future: F) -> F::Output {
//! #     let mut future = std::pin::pin!(future);
//! #     let mut task = std::task::Context::from_waker(std::task::Waker::noop());
//! #     loop {
//! #         if let std::task::Poll::Ready(done) = future.as_mut().poll(&mut task) { return done; }
//! #     }
//! # }
//! use svc_admin_api::{Context, MemoryStore, RateLimiter, handle};
//!
//! let store = MemoryStore::default();
//! let limits = RateLimiter::default();
//! let context = Context {
//!     store: &store,
//!     deployments: &NoSites, // implements `Deployments`
//!     clock: &Fixed,         // implements `Clock`
//!     random: &Fixed,        // implements `Random`
//!     limits: &limits,
//!     peer: [192, 0, 2, 1].into(),
//!     base_url: "https://admin.example",
//! };
//! let request = http::Request::get("/v2/agent/docs/jobs").body(Default::default())?;
//! let response = block_on(handle(request, &context));
//! assert_eq!(response.status(), 401);
//! # Ok(())
//! # }
//! ```

mod router;

mod auth;
mod body;
mod context;
mod dispatch;
mod error;
mod id;
mod query;
mod random;
mod reply;
mod store;
mod time;

pub mod account;
pub mod agent_job;
pub mod audit;
pub mod deployment;
pub mod idempotency;
pub mod key;
pub mod project;
pub mod rate_limit;
pub mod reader;

mod memory;

#[cfg(test)]
mod tests;

pub use context::Context;
pub use deployment::{
    DeployError, DeployTarget, DeploymentHandle, DeploymentRecord, DeploymentStatus,
    DeploymentSummary, Deployments,
};
pub use dispatch::handle;
pub use error::{ApiError, ErrorBody};
pub use id::{JobId, KeyId, ParseIdError, ProjectId, ReaderSessionId, ReaderTokenId, StatusId};
pub use memory::MemoryStore;
pub use random::{Random, RandomError};
pub use rate_limit::{RateLimiter, RateLimits};
pub use router::{Access, Document, OPERATIONS, Operation, Verb};
pub use store::{Change, ChangeResult, Store, StoreError};
pub use time::{Clock, Timestamp};

/// Maximum size of a request body in bytes. Servers reject larger bodies before reading them, with
/// the response of [`ApiError::TooLarge`].
pub const MAX_BODY: usize = 256 * 1024;
