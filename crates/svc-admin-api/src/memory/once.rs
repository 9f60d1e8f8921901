//! Remembered answers in memory.

use super::{MemoryStore, State};
use crate::audit::Entry;
use crate::id::KeyId;
use crate::idempotency::{Answer, Once, OnceStore, RESERVED};
use crate::store::{Outcome, StoreError};
use crate::time::Timestamp;

/// What is known of one `Idempotency-Key`.
#[derive(Debug)]
pub(super) struct Remembered {
    fingerprint: [u8; 32],
    /// From when on it counts no longer.
    until: Timestamp,
    /// Nothing while the request is being answered.
    answer: Option<Answer>,
}

impl State {
    /// What is remembered of a request; nothing when it is new.
    pub(super) fn recall<T>(&mut self, once: &Once, now: Timestamp) -> Option<Outcome<T>> {
        self.forget(now);
        let name = (once.owner.clone(), once.name.clone());
        let known = self.remembered.get(&name)?;
        Some(if known.fingerprint != once.fingerprint {
            Outcome::OtherRequest
        } else if let Some(answer) = &known.answer {
            Outcome::Again(answer.clone())
        } else {
            Outcome::NotYetAnswered
        })
    }

    pub(super) fn remember(&mut self, once: &Once, until: Timestamp, answer: Option<Answer>) {
        self.drop_name(&once.owner, &once.name);
        let (owner, name) = (once.owner.clone(), once.name.clone());
        self.ends.insert((until, owner.clone(), name.clone()));
        let fingerprint = once.fingerprint;
        let known = Remembered {
            fingerprint,
            until,
            answer,
        };
        self.remembered.insert((owner, name), known);
    }

    fn drop_name(&mut self, owner: &KeyId, name: &str) {
        let name = (owner.clone(), name.to_owned());
        if let Some(known) = self.remembered.remove(&name) {
            self.ends.remove(&(known.until, name.0, name.1));
        }
    }

    fn forget(&mut self, now: Timestamp) -> u64 {
        let mut count = 0;
        while self.ends.first().is_some_and(|(end, ..)| *end <= now) {
            if let Some((_, owner, name)) = self.ends.pop_first() {
                self.remembered.remove(&(owner, name));
                count += 1;
            }
        }
        count
    }
}

impl OnceStore for MemoryStore {
    async fn reserve(&self, once: &Once, now: Timestamp) -> Result<Outcome<()>, StoreError> {
        let mut state = self.open().await?;
        if let Some(known) = state.recall(once, now) {
            return Ok(known);
        }
        state.remember(once, now.plus(RESERVED), None);
        Ok(Outcome::Done(()))
    }

    async fn settle(&self, once: &Once, done: Option<(&Answer, &Entry)>) -> Result<(), StoreError> {
        let mut state = self.open().await?;
        match done {
            Some((answer, entry)) => {
                state.remember(once, once.until, Some(answer.clone()));
                state.log(entry);
            }
            None => state.drop_name(&once.owner, &once.name),
        }
        Ok(())
    }

    async fn forget(&self, now: Timestamp) -> Result<u64, StoreError> {
        Ok(self.open().await?.forget(now))
    }
}
