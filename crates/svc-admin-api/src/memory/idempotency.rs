//! Recorded responses in memory.

use super::{IdempotencyRecord, MemoryStore, State};
use crate::audit::AuditEntry;
use crate::id::KeyId;
use crate::idempotency::{IdempotencyKey, IdempotencyStore, RESERVATION_TTL, RecordedResponse};
use crate::store::{ChangeResult, StoreError};
use crate::time::Timestamp;

impl State {
    /// Result of a repeated request; `None` for a new one.
    pub(super) fn recall<T>(
        &mut self,
        once: &IdempotencyKey,
        now: Timestamp,
    ) -> Option<ChangeResult<T>> {
        self.delete_expired(now);
        let name = (once.owner.clone(), once.name.clone());
        let known = self.idempotency_records.get(&name)?;
        Some(if known.fingerprint != once.fingerprint {
            ChangeResult::KeyReused
        } else if let Some(response) = &known.response {
            ChangeResult::Replayed(response.clone())
        } else {
            ChangeResult::InProgress
        })
    }

    pub(super) fn remember(
        &mut self,
        once: &IdempotencyKey,
        until: Timestamp,
        response: Option<RecordedResponse>,
    ) {
        self.remove_record(&once.owner, &once.name);
        let (owner, name) = (once.owner.clone(), once.name.clone());
        self.expirations
            .insert((until, owner.clone(), name.clone()));
        let fingerprint = once.fingerprint;
        let known = IdempotencyRecord {
            fingerprint,
            until,
            response,
        };
        self.idempotency_records.insert((owner, name), known);
    }

    fn remove_record(&mut self, owner: &KeyId, name: &str) {
        let name = (owner.clone(), name.to_owned());
        if let Some(known) = self.idempotency_records.remove(&name) {
            self.expirations.remove(&(known.until, name.0, name.1));
        }
    }

    fn delete_expired(&mut self, now: Timestamp) -> u64 {
        let mut count = 0;
        while self
            .expirations
            .first()
            .is_some_and(|(end, ..)| *end <= now)
        {
            if let Some((_, owner, name)) = self.expirations.pop_first() {
                self.idempotency_records.remove(&(owner, name));
                count += 1;
            }
        }
        count
    }
}

impl IdempotencyStore for MemoryStore {
    async fn reserve(
        &self,
        once: &IdempotencyKey,
        now: Timestamp,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        if let Some(known) = state.recall(once, now) {
            return Ok(known);
        }
        state.remember(once, now.plus(RESERVATION_TTL), None);
        Ok(ChangeResult::Done(()))
    }

    async fn complete(
        &self,
        once: &IdempotencyKey,
        result: Option<(&RecordedResponse, &AuditEntry)>,
    ) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        match result {
            Some((response, entry)) => {
                state.remember(once, once.until, Some(response.clone()));
                state.log(entry);
            }
            None => state.remove_record(&once.owner, &once.name),
        }
        Ok(())
    }

    async fn delete_expired(&self, now: Timestamp) -> Result<u64, StoreError> {
        Ok(self.lock().await?.delete_expired(now))
    }
}
