//! Which key a request brings.

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

/// How exactly the last use of a key is known, in milliseconds: a write for every request would
/// cost more than it tells.
const LAST_USE_INTERVAL: i64 = 60_000;

/// The key of a request that may be used now and from here.
pub(crate) async fn authenticate<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    context: &Context<'_, S, D>,
    now: Timestamp,
) -> Result<Key, ApiError> {
    let network = rate_limit::client_network(context.peer);
    let passed = context.clock.monotonic();
    let secret = bearer_secret(request);
    let hash = secret.as_ref().map(KeySecret::hash);
    // Before anything is looked up: guessing must not cost the store anything either. Who shares a
    // network with those who guess goes on with a key that was good before.
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
        // The same work as for a key that is there.
        let _ = [0_u8; 32].ct_eq(&secret.hash());
        return Ok(None);
    };
    if !key.matches(&secret) || !key.is_live(now) {
        return Ok(None);
    }
    let fresh = |last: Timestamp| now.millis() - last.millis() < LAST_USE_INTERVAL;
    if !key.last_used_at.is_some_and(fresh) {
        // Nobody is refused because it cannot be noted that he came.
        let _ = context.store.touch_key(&key.id, now).await;
    }
    Ok(Some(key))
}

/// The secret in `Authorization: Bearer`; the word in any case, as HTTP has it, and all else
/// exactly.
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
