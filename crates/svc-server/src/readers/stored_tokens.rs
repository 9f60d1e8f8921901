//! Tokens that an administrator has made, in the store.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::request::Parts;
use svc_admin_api::Timestamp;
use svc_admin_api::reader::{ReaderStore as _, ReaderToken, ReaderTokenSecret};
use svc_store::Database;
use tokio::time::Instant;
use tracing::warn;

use super::identity::{Reader, bearer};
use super::shared::timestamp;
use super::{Readers, now};

/// Maximum number of tokens in memory. Others are read from the store for each request.
const MAX_TOKENS: usize = 10_000;
/// Time for which a token in memory is not read again, so that a revocation has effect within a
/// second.
const MAX_AGE: Duration = Duration::from_millis(900);
/// Precision of the time of the last use.
const TOUCH_INTERVAL: Duration = Duration::from_secs(60);

/// Tokens of the store by the hashes of their secrets, with the time at which each was read.
#[derive(Debug, Default)]
pub(super) struct StoredTokens(Mutex<HashMap<[u8; 32], (ReaderToken, Instant)>>);

impl StoredTokens {
    /// A token that was read a moment ago.
    fn fresh(&self, hash: &[u8; 32]) -> Option<ReaderToken> {
        let tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (token, read_at) = tokens.get(hash)?;
        (read_at.elapsed() < MAX_AGE).then(|| token.clone())
    }

    fn insert(&self, token: ReaderToken) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MAX_TOKENS && !tokens.contains_key(&token.hash) {
            tokens.retain(|_, (_, read_at)| read_at.elapsed() < MAX_AGE);
        }
        if tokens.len() < MAX_TOKENS || tokens.contains_key(&token.hash) {
            tokens.insert(token.hash, (token, Instant::now()));
        }
    }

    /// Keeps what is known about a token for another moment.
    fn extend(&self, hash: &[u8; 32]) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, read_at)) = tokens.get_mut(hash) {
            *read_at = Instant::now();
        }
    }

    fn remove(&self, hash: &[u8; 32]) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.remove(hash);
    }
}

impl Readers {
    /// The token of a request that has to be read from the store.
    pub(super) fn unread_token(&self, parts: &Parts) -> Option<String> {
        self.0.state.0.database.as_ref()?;
        let token = bearer(parts).filter(|token| is_candidate(token))?;
        let is_known = self.0.identification.with_token(token, now()).is_some()
            || self.stored_reader(parts, now()).is_some();
        (!is_known).then(|| token.to_owned())
    }

    /// The reader of a token of the store that was read a moment ago.
    pub(super) fn stored_reader(&self, parts: &Parts, now: i64) -> Option<Reader> {
        let token = bearer(parts).filter(|token| is_candidate(token))?;
        let hash = ReaderTokenSecret::hash_of(token);
        let token = self.0.state.0.tokens.fresh(&hash)?;
        let is_valid = token.project.as_str() == self.0.project && token.is_live(timestamp(now));
        is_valid.then_some(Reader {
            name: token.name,
            email: None,
            groups: token.groups,
            session: None,
            token: None,
        })
    }

    /// Reads a token from the store. While it is unavailable, what is known stays valid.
    pub(super) async fn read_token(&self, token: &str) {
        let state = &self.0.state.0;
        let Some(database) = &state.database else {
            return;
        };
        let hash = ReaderTokenSecret::hash_of(token);
        match database.reader_token(&hash).await {
            Ok(Some(token)) => {
                touch(database, &token);
                state.tokens.insert(token);
            }
            Ok(None) => state.tokens.remove(&hash),
            Err(error) => {
                warn!("tokens of readers: {error}");
                state.tokens.extend(&hash);
            }
        }
    }
}

/// Whether a bearer token can be one of the store.
fn is_candidate(token: &str) -> bool {
    token.starts_with(ReaderTokenSecret::PREFIX)
}

/// Records the use of a token, in the background.
fn touch(database: &Database, token: &ReaderToken) {
    let now = timestamp(now());
    let is_due = |used: Timestamp| used.plus(TOUCH_INTERVAL) <= now;
    if !token.is_live(now) || !token.last_used_at.is_none_or(is_due) {
        return;
    }
    let (database, id) = (database.clone(), token.id.clone());
    tokio::spawn(async move {
        if let Err(error) = database.touch_reader_token(&id, now).await {
            warn!("tokens of readers: the time of use is not stored: {error}");
        }
    });
}
