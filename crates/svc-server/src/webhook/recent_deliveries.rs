//! Detects duplicate and outdated deliveries: deliveries can be repeated and can arrive out of
//! order.

use std::collections::{BTreeMap, VecDeque};

/// Maximum number of deliveries and of requests that are remembered.
const MAX_REMEMBERED: usize = 1024;

/// Hash of a body.
pub(super) type Digest = [u8; 32];

/// The most recent deliveries.
#[derive(Debug, Default)]
pub(super) struct RecentDeliveries {
    seen: VecDeque<Digest>,
    /// Time of the last update of each request, as far as it is known.
    updated: BTreeMap<(String, u64), i64>,
}

impl RecentDeliveries {
    /// Whether a delivery was processed.
    pub(super) fn contains(&self, digest: &Digest) -> bool {
        self.seen.contains(digest)
    }

    /// Whether a newer delivery about the same request was processed.
    pub(super) fn is_stale(&self, project: &str, number: u64, updated: Option<i64>) -> bool {
        let known = self.updated.get(&(project.to_owned(), number));
        known
            .zip(updated)
            .is_some_and(|(known, updated)| updated < *known)
    }

    /// Records a processed delivery.
    pub(super) fn record(&mut self, digest: Digest) {
        if self.contains(&digest) {
            return;
        }
        self.seen.push_back(digest);
        if self.seen.len() > MAX_REMEMBERED {
            self.seen.pop_front();
        }
    }

    /// Records the time of the last update of a request.
    pub(super) fn record_request(&mut self, project: &str, number: u64, updated: Option<i64>) {
        let Some(updated) = updated else { return };
        self.updated.insert((project.to_owned(), number), updated);
        if self.updated.len() > MAX_REMEMBERED {
            let oldest = self.updated.iter().min_by_key(|(_, time)| **time);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.updated.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_deliveries_are_limited_and_the_oldest_are_evicted() {
        let digest = |number: usize| {
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&number.to_be_bytes());
            digest
        };
        let mut recent = RecentDeliveries::default();
        for number in 0..MAX_REMEMBERED + 1 {
            recent.record(digest(number));
            recent.record(digest(number));
            let time = i64::try_from(number).unwrap();
            recent.record_request("docs", number as u64, Some(time));
        }
        assert!(!recent.contains(&digest(0)) && recent.contains(&digest(1)));
        assert!(!recent.is_stale("docs", 0, Some(-1)));
        assert!(recent.is_stale("docs", 1, Some(0)));
        assert!(!recent.is_stale("docs", 1, Some(1)));
        assert!(!recent.is_stale("docs", 1, None));
        assert!(!recent.is_stale("other", 1, Some(0)));
        assert_eq!(
            (recent.seen.len(), recent.updated.len()),
            (MAX_REMEMBERED, MAX_REMEMBERED)
        );
    }
}
