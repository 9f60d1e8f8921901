//! `Idempotency-Key`: a repeated request has one effect and one response.
//!
//! Only successful responses are recorded; after an error the same request may succeed. Changes of
//! the store record the response in their transaction. Effects outside of the store (deployments)
//! are reserved first and completed afterwards; abandoned reservations expire.

mod store;

use std::time::Duration;

use http::HeaderMap;
use sha2::{Digest, Sha256};

use crate::error::ApiError;
use crate::id::KeyId;
use crate::time::Timestamp;

pub use store::IdempotencyStore;

/// How long responses are recorded.
pub const RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// Lifetime of a reservation.
pub const RESERVATION_TTL: Duration = Duration::from_secs(60);

/// Maximum length of the header in characters.
const MAX_KEY_LEN: usize = 255;

/// Identity of an idempotent request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The API key of the request; other keys have their own idempotency keys.
    pub owner: KeyId,
    /// Value of the header.
    pub name: String,
    /// SHA-256 hash of method, path and body.
    pub fingerprint: [u8; 32],
    /// Time until when the response is recorded.
    pub until: Timestamp,
}

/// A recorded response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedResponse {
    /// HTTP status.
    pub status: u16,
    /// JSON body.
    pub body: String,
}

/// Parses the header of a request.
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
        // The length prefix prevents that parts run into each other.
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
