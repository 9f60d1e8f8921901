//! Lifetimes of keys and tokens that forms offer.

use std::time::Duration;

use svc_admin_api::Timestamp;

use super::form::Form;

/// Days and labels.
const LIFETIMES: [(u64, &str); 5] = [
    (0, "Never"),
    (7, "In 7 days"),
    (30, "In 30 days"),
    (90, "In 90 days"),
    (365, "In one year"),
];

/// Maximum number of days.
const MAX_DAYS: u64 = 3_650;

/// Number of days until a key expires; zero for never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lifetime(u64);

impl Lifetime {
    /// The lifetime that a form asks for.
    pub(super) fn of(form: &Form) -> Self {
        let days: u64 = form.text("days").parse().unwrap_or_default();
        Self(days.min(MAX_DAYS))
    }

    /// The end of a lifetime that begins now; `None` for never.
    pub(super) fn end(self, now: Timestamp) -> Option<Timestamp> {
        (self.0 > 0).then(|| now.plus(Duration::from_secs(self.0 * 24 * 3600)))
    }

    /// Days and labels of the form, and whether each is selected.
    pub(super) fn options(self) -> [(u64, &'static str, bool); 5] {
        LIFETIMES.map(|(days, label)| (days, label, days == self.0))
    }
}
