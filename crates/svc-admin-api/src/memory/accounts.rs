//! Accounts and sessions in memory.

use super::MemoryStore;
use crate::account::{Account, AccountStore, NewPassword, Session};
use crate::store::{Change, Outcome, StoreError};
use crate::time::Timestamp;

impl AccountStore for MemoryStore {
    async fn account(&self, name: &str) -> Result<Option<Account>, StoreError> {
        Ok(self.open().await?.accounts.get(name).cloned())
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        Ok(self.open().await?.accounts.values().cloned().collect())
    }

    async fn put_account(
        &self,
        account: &Account,
        change: &Change,
    ) -> Result<Outcome<()>, StoreError> {
        let mut state = self.open().await?;
        let mut new = account.clone();
        if let Some(known) = state.accounts.get(&account.name) {
            new.created_at = known.created_at;
        }
        state.accounts.insert(new.name.clone(), new);
        state.log(&change.entry);
        Ok(Outcome::Done(()))
    }

    async fn replace_password(
        &self,
        new: &NewPassword,
        change: Option<&Change>,
    ) -> Result<Outcome<()>, StoreError> {
        let mut state = self.open().await?;
        let account = state.accounts.get_mut(&new.account);
        let same = account.filter(|known| known.password.as_ref() == Some(&new.before));
        let Some(account) = same else {
            return Ok(Outcome::Unknown);
        };
        account.password = Some(new.after.clone());
        if let Some(change) = change {
            let others = |session: &Session| session.account != new.account;
            state.sessions.retain(|_, session| others(session));
            state.log(&change.entry);
        }
        Ok(Outcome::Done(()))
    }

    async fn create_session(&self, session: &Session) -> Result<Outcome<()>, StoreError> {
        let mut state = self.open().await?;
        if !state.accounts.contains_key(&session.account) {
            return Ok(Outcome::Unknown);
        }
        if state.sessions.contains_key(&session.hash) {
            return Ok(Outcome::Taken);
        }
        state.sessions.insert(session.hash, session.clone());
        Ok(Outcome::Done(()))
    }

    async fn session(&self, hash: &[u8; 32]) -> Result<Option<Session>, StoreError> {
        Ok(self.open().await?.sessions.get(hash).cloned())
    }

    async fn touch_session(&self, hash: &[u8; 32], at: Timestamp) -> Result<(), StoreError> {
        let mut state = self.open().await?;
        if let Some(session) = state.sessions.get_mut(hash) {
            session.last_seen_at = session.last_seen_at.max(at);
        }
        Ok(())
    }

    async fn end_session(&self, hash: &[u8; 32]) -> Result<(), StoreError> {
        self.open().await?.sessions.remove(hash);
        Ok(())
    }

    async fn end_sessions(&self, account: &str) -> Result<u64, StoreError> {
        let mut state = self.open().await?;
        let before = state.sessions.len();
        state
            .sessions
            .retain(|_, session| session.account != account);
        Ok((before - state.sessions.len()) as u64)
    }

    async fn forget_sessions(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.open().await?;
        let before = state.sessions.len();
        state.sessions.retain(|_, session| session.until > now);
        Ok((before - state.sessions.len()) as u64)
    }
}
