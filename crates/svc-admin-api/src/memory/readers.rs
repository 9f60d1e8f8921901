//! Tokens and sessions of readers in memory.

use super::MemoryStore;
use crate::id::{ProjectId, ReaderTokenId};
use crate::reader::{ReaderSession, ReaderStore, ReaderToken, all_sessions_digest};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

impl ReaderStore for MemoryStore {
    async fn create_reader_token(
        &self,
        token: &ReaderToken,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        if !state.projects.contains_key(&token.project) {
            return Ok(ChangeResult::NotFound);
        }
        state.reader_tokens.insert(token.id.clone(), token.clone());
        state.log(&change.entry);
        Ok(ChangeResult::Done(()))
    }

    async fn reader_token(&self, hash: &[u8; 32]) -> Result<Option<ReaderToken>, StoreError> {
        let state = self.lock().await?;
        let mut tokens = state.reader_tokens.values();
        Ok(tokens.find(|token| token.hash == *hash).cloned())
    }

    async fn reader_tokens(&self, project: &ProjectId) -> Result<Vec<ReaderToken>, StoreError> {
        let state = self.lock().await?;
        let own = state.reader_tokens.values();
        let own = own.filter(|token| token.project == *project);
        let mut tokens: Vec<ReaderToken> = own.cloned().collect();
        tokens.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(tokens)
    }

    async fn revoke_reader_token(
        &self,
        project: &ProjectId,
        id: &ReaderTokenId,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        let token = state.reader_tokens.get_mut(id);
        let Some(token) = token.filter(|token| token.project == *project) else {
            return Ok(ChangeResult::NotFound);
        };
        if token.revoked_at.is_none() {
            token.revoked_at = Some(change.at);
            state.log(&change.entry);
        }
        Ok(ChangeResult::Done(()))
    }

    async fn touch_reader_token(
        &self,
        id: &ReaderTokenId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        if let Some(token) = state.reader_tokens.get_mut(id) {
            token.last_used_at = token.last_used_at.max(Some(at));
        }
        Ok(())
    }

    async fn record_reader_session(
        &self,
        session: &ReaderSession,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        state
            .reader_sessions
            .retain(|_, known| now < known.expires_at);
        if state.projects.contains_key(&session.project) {
            let id = session.id.clone();
            state.reader_sessions.insert(id, session.clone());
        }
        Ok(())
    }

    async fn reader_sessions(
        &self,
        project: &ProjectId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<ReaderSession>, StoreError> {
        let state = self.lock().await?;
        let all = all_sessions_digest(project);
        let is_revoked = |session: &ReaderSession| {
            let shared = [session.subject, session.provider_session, Some(all)];
            let mut shared = shared.iter().flatten();
            let revocations = &state.reader_revocations;
            revocations.contains_key(&session.digest())
                || shared.any(|digest| {
                    let at = revocations.get(digest);
                    at.is_some_and(|at| session.confirmed_at <= *at)
                })
        };
        let own = state.reader_sessions.values().filter(|session| {
            session.project == *project && now < session.expires_at && !is_revoked(session)
        });
        let mut sessions: Vec<ReaderSession> = own.cloned().collect();
        sessions.sort_by(|a, b| (b.seen_at, &b.id).cmp(&(a.seen_at, &a.id)));
        sessions.truncate(limit);
        Ok(sessions)
    }

    async fn revoke_reader_sessions(
        &self,
        digest: [u8; 32],
        at: Timestamp,
        before: Timestamp,
        change: Option<&Change>,
    ) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        state.reader_revocations.retain(|_, at| *at >= before);
        let known = state.reader_revocations.entry(digest).or_insert(at);
        *known = at.max(*known);
        if let Some(change) = change {
            state.log(&change.entry);
        }
        Ok(())
    }
}
