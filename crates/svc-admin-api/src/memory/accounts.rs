//! Accounts and sessions in memory.

use super::MemoryStore;
use crate::account::{Account, AccountStore, PasswordChange, Session};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

impl AccountStore for MemoryStore {
    async fn account(&self, name: &str) -> Result<Option<Account>, StoreError> {
        Ok(self.lock().await?.accounts.get(name).cloned())
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        Ok(self.lock().await?.accounts.values().cloned().collect())
    }

    async fn put_account(
        &self,
        account: &Account,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        let mut new = account.clone();
        if let Some(known) = state.accounts.get(&account.name) {
            new.created_at = known.created_at;
        }
        state.accounts.insert(new.name.clone(), new);
        state.log(&change.entry);
        Ok(ChangeResult::Done(()))
    }

    async fn replace_password(
        &self,
        new: &PasswordChange,
        change: Option<&Change>,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        let account = state.accounts.get_mut(&new.account);
        let same = account.filter(|known| known.password.as_ref() == Some(&new.old_hash));
        let Some(account) = same else {
            return Ok(ChangeResult::NotFound);
        };
        account.password = Some(new.new_hash.clone());
        if let Some(change) = change {
            let others = |session: &Session| session.account != new.account;
            state.sessions.retain(|_, session| others(session));
            state.log(&change.entry);
        }
        Ok(ChangeResult::Done(()))
    }

    async fn create_session(&self, session: &Session) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        if !state.accounts.contains_key(&session.account) {
            return Ok(ChangeResult::NotFound);
        }
        if state.sessions.contains_key(&session.hash) {
            return Ok(ChangeResult::AlreadyExists);
        }
        state.sessions.insert(session.hash, session.clone());
        Ok(ChangeResult::Done(()))
    }

    async fn session(&self, hash: &[u8; 32]) -> Result<Option<Session>, StoreError> {
        Ok(self.lock().await?.sessions.get(hash).cloned())
    }

    async fn touch_session(&self, hash: &[u8; 32], at: Timestamp) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        if let Some(session) = state.sessions.get_mut(hash) {
            session.last_seen_at = session.last_seen_at.max(at);
        }
        Ok(())
    }

    async fn end_session(&self, hash: &[u8; 32]) -> Result<(), StoreError> {
        self.lock().await?.sessions.remove(hash);
        Ok(())
    }

    async fn end_sessions(&self, account: &str) -> Result<u64, StoreError> {
        let mut state = self.lock().await?;
        let before = state.sessions.len();
        state
            .sessions
            .retain(|_, session| session.account != account);
        Ok((before - state.sessions.len()) as u64)
    }

    async fn delete_expired_sessions(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.lock().await?;
        let before = state.sessions.len();
        state.sessions.retain(|_, session| session.until > now);
        Ok((before - state.sessions.len()) as u64)
    }
}
