//! Persistence of the Admin API: a trait that combines those of all resources, and their common
//! types.
//!
//! Methods that change data take a [`Change`]. A store must commit the change, its audit entry and
//! the response for its `Idempotency-Key` in one transaction. Every transition of a job is one
//! conditional write (`UPDATE … WHERE … RETURNING`), never a read followed by a write that relies
//! on it.

mod change;
mod error;

use crate::account::AccountStore;
use crate::agent_job::JobStore;
use crate::audit::AuditStore;
use crate::deployment::DeploymentStore;
use crate::idempotency::IdempotencyStore;
use crate::key::KeyStore;
use crate::project::ProjectStore;

pub use change::{Change, ChangeResult};
pub use error::StoreError;

/// Persistence of the Admin API.
pub trait Store:
    ProjectStore + KeyStore + JobStore + IdempotencyStore + AuditStore + AccountStore + DeploymentStore
{
}

impl<S> Store for S where
    S: ProjectStore
        + KeyStore
        + JobStore
        + IdempotencyStore
        + AuditStore
        + AccountStore
        + DeploymentStore
{
}
