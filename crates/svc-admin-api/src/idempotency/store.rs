//! Persistence of recorded responses.

use std::future::Future;

use super::{IdempotencyKey, RecordedResponse};
use crate::audit::AuditEntry;
use crate::store::{ChangeResult, StoreError};
use crate::time::Timestamp;

/// Persistence of recorded responses.
pub trait IdempotencyStore: Sync {
    /// Reserves a request. `Done` for the first one, and after a reservation has expired.
    fn reserve(
        &self,
        once: &IdempotencyKey,
        now: Timestamp,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Completes a reservation with the response and its audit entry, or releases it with `None`,
    /// so that a retry is possible.
    fn complete(
        &self,
        once: &IdempotencyKey,
        done: Option<(&RecordedResponse, &AuditEntry)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Deletes expired responses. Returns how many were deleted.
    fn delete_expired(
        &self,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}
