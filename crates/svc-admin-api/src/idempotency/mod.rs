//! `Idempotency-Key`: a request that comes twice has one effect and one answer.
//!
//! Only answers of success are remembered; after a refusal the same request may succeed. Changes of
//! the store remember in the same transaction. What happens outside of it (a deployment) is
//! reserved first and settled afterwards; a reservation that nobody settles lapses.

use std::future::Future;
use std::time::Duration;

use http::HeaderMap;
use sha2::{Digest, Sha256};

use crate::audit::AuditEntry;
use crate::error::ApiError;
use crate::id::KeyId;
use crate::store::{ChangeResult, StoreError};
use crate::time::Timestamp;

/// How long an answer is remembered.
pub const RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a reservation holds.
pub const RESERVATION_TTL: Duration = Duration::from_secs(60);

/// Characters that the header may have.
const MAX_KEY_LEN: usize = 255;

/// One request that is to have one effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key that sent it; others may use the same text for something else.
    pub owner: KeyId,
    /// The text of the header.
    pub name: String,
    /// SHA-256 of method, address and body.
    pub fingerprint: [u8; 32],
    /// Until when its answer is remembered.
    pub until: Timestamp,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedResponse {
    /// The status.
    pub status: u16,
    /// The body, JSON.
    pub body: String,
}

/// Remembers answers.
pub trait IdempotencyStore: Sync {
    /// Reserves the right to act: `Done` for whoever is first, or whose predecessor's
    /// reservation lapsed.
    fn reserve(
        &self,
        once: &IdempotencyKey,
        now: Timestamp,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Ends a reservation: with the answer that counts from now on and its entry in the audit log,
    /// or with nothing, after which the next one may try.
    fn complete(
        &self,
        once: &IdempotencyKey,
        done: Option<(&RecordedResponse, &AuditEntry)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Forgets answers whose time is over, and says how many.
    fn delete_expired(
        &self,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}

/// Reads the header of a request.
pub(crate) fn parse_header(
    headers: &HeaderMap,
    owner: &KeyId,
    parts: [&[u8]; 3],
    now: Timestamp,
) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let name = value.to_str().unwrap_or_default();
    let fits =
        (1..=MAX_KEY_LEN).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_graphic());
    if !fits || values.next().is_some() {
        return Err(ApiError::InvalidIdempotencyKey);
    }
    let mut hash = Sha256::new();
    for part in parts {
        // With the length before it no part can pretend to be the beginning of the next.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    Ok(Some(IdempotencyKey {
        owner: owner.clone(),
        name: name.to_owned(),
        fingerprint: hash.finalize().into(),
        until: now.plus(RETENTION),
    }))
}
