//! The trait that combines the stores of all resources.

use crate::account::AccountStore;
use crate::agent_job::JobStore;
use crate::audit::AuditStore;
use crate::deployment::DeploymentStore;
use crate::idempotency::IdempotencyStore;
use crate::key::KeyStore;
use crate::project::ProjectStore;
use crate::reader::ReaderStore;

/// Persistence of the Admin API.
pub trait Store:
    ProjectStore
    + KeyStore
    + JobStore
    + IdempotencyStore
    + AuditStore
    + AccountStore
    + DeploymentStore
    + ReaderStore
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
        + ReaderStore
{
}
