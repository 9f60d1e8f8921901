//! Authentication of requests.

use bytes::Bytes;
use http::{Request, header};
use subtle::ConstantTimeEq as _;

use crate::context::Context;
use crate::deployment::Deployments;
use crate::error::ApiError;
use crate::key::{Key, KeySecret};
use crate::rate_limit::{self, LimitClass};
use crate::store::{Store, StoreError};
use crate::time::Timestamp;

/// Precision of the time of last use of a key in milliseconds. A write per request would be too
/// expensive.
const LAST_USE_INTERVAL: i64 = 60_000;

/// The key of a request, if it is valid and may be used from the address of the client.
pub(crate) async fn authenticate<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    context: &Context<'_, S, D>,
    now: Timestamp,
) -> Result<Key, ApiError> {
    let network = rate_limit::client_network(context.peer);
    let passed = context.clock.monotonic();
    let secret = bearer_secret(request);
    let hash = secret.as_ref().map(KeySecret::hash);
    // Checked before the store is accessed, so that guessing keys causes no load. Clients in the
    // same network can still use keys that were valid before.
    if !hash.is_some_and(|hash| context.limits.is_known_valid(&hash)) {
        context
            .limits
            .check(LimitClass::Unauthenticated, &network, passed)?;
    }
    let Some(key) = lookup_key(secret, context, now).await? else {
        context
            .limits
            .acquire(LimitClass::Unauthenticated, &network, passed)?;
        return Err(ApiError::Unauthorized);
    };
    if let Some(hash) = hash {
        context.limits.note_valid_key(hash);
    }
    Ok(key)
}

async fn lookup_key<S: Store, D: Deployments>(
    secret: Option<KeySecret>,
    context: &Context<'_, S, D>,
    now: Timestamp,
) -> Result<Option<Key>, StoreError> {
    let Some(secret) = secret else {
        return Ok(None);
    };
    let Some(key) = context.store.key_by_lookup(secret.lookup()).await? else {
        // Takes the same time as for an existing key.
        let _ = [0_u8; 32].ct_eq(&secret.hash());
        return Ok(None);
    };
    if !key.matches(&secret) || !key.is_live(now) {
        return Ok(None);
    }
    let fresh = |last: Timestamp| now.millis() - last.millis() < LAST_USE_INTERVAL;
    if !key.last_used_at.is_some_and(fresh) {
        // The request is valid even if its time cannot be stored.
        let _ = context.store.touch_key(&key.id, now).await;
    }
    Ok(Some(key))
}

/// The secret in `Authorization: Bearer`. The scheme is case-insensitive (RFC 9110, section 11.1);
/// everything else must match exactly.
fn bearer_secret(request: &Request<Bytes>) -> Option<KeySecret> {
    let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    KeySecret::parse(token)
}
