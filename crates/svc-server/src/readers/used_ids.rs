//! What is valid once.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use svc_admin_api::reader::digest;

/// Maximum number of IDs in memory. The one that expires first makes room for another.
const MAX_IDS: usize = 100_000;

/// IDs that have been used and have not expired.
#[derive(Debug, Default)]
pub(super) struct UsedIds(Mutex<IdTable>);

#[derive(Debug, Default)]
struct IdTable {
    ids: HashSet<[u8; 32]>,
    /// The same with the second at which each expires.
    expiries: BTreeSet<(i64, [u8; 32])>,
}

impl UsedIds {
    /// Uses an ID that expires at `until`. Returns `false` if it has been used before. `parts` are
    /// what the ID is made of, such as the project and its purpose.
    pub(super) fn claim(&self, parts: &[&str], until: i64, now: i64) -> bool {
        let id = digest(parts);
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(first) = table.expiries.first().copied()
            && (first.0 <= now || table.ids.len() >= MAX_IDS)
        {
            table.expiries.remove(&first);
            table.ids.remove(&first.1);
        }
        let is_new = table.ids.insert(id);
        if is_new {
            table.expiries.insert((until, id));
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_IDS, UsedIds};

    #[test]
    fn an_id_is_valid_once_until_it_expires() {
        let used = UsedIds::default();
        assert!(used.claim(&["a", "b"], 100, 0));
        assert!(!used.claim(&["a", "b"], 100, 99));
        assert!(used.claim(&["ab"], 100, 99), "other parts");
        assert!(used.claim(&["a", "b"], 200, 100), "it has expired");
    }

    #[test]
    fn memory_is_bounded() {
        let used = UsedIds::default();
        for number in 0..=MAX_IDS {
            let until = 1_000 + i64::try_from(number).unwrap();
            assert!(used.claim(&[&number.to_string()], until, 0));
        }
        assert!(!used.claim(&[&MAX_IDS.to_string()], 9_999_999, 0));
        assert!(used.claim(&["0"], 9_999_999, 0), "it made room");
    }
}
