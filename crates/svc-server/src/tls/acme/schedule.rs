//! When a certificate is ordered.

use std::time::{Duration, SystemTime};

use super::super::expiry::Validity;

/// Delay after the first failure. Let's Encrypt allows five in an hour.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(5 * 60);
/// Maximum delay after a failure.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(12 * 60 * 60);
/// Minimum delay after a success, for certificates of minutes.
const MIN_RENEWAL_DELAY: Duration = Duration::from_secs(60);

/// When the next certificate of a host is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    /// Time of the next order.
    pub(super) due: SystemTime,
    /// Failures since the last success.
    failures: u32,
}

impl Schedule {
    /// For a host without a certificate.
    pub(super) const fn now() -> Self {
        Self {
            due: SystemTime::UNIX_EPOCH,
            failures: 0,
        }
    }

    /// For a stored certificate: renews it when two thirds of its lifetime have passed, or up to
    /// a thirtieth of it earlier, so that not all are renewed at the same time. `random` is any
    /// number.
    pub(super) fn of(validity: Validity, random: u8) -> Self {
        let lifetime = validity.lifetime();
        let earlier = lifetime / 30 / 255 * u32::from(random);
        Self {
            due: validity.start + lifetime / 3 * 2 - earlier,
            failures: 0,
        }
    }

    /// After a success.
    pub(super) fn renewed(validity: Validity, now: SystemTime, random: u8) -> Self {
        let next = Self::of(validity, random);
        Self {
            due: next.due.max(now + MIN_RENEWAL_DELAY),
            ..next
        }
    }

    /// After a failure: doubles the delay, and adds up to a tenth of it.
    pub(super) fn failed(self, now: SystemTime, random: u8) -> Self {
        let delay = MIN_RETRY_DELAY * (1 << self.failures.min(8));
        let delay = delay.min(MAX_RETRY_DELAY);
        Self {
            due: now + delay + delay / 10 / 255 * u32::from(random),
            failures: self.failures.saturating_add(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn a_certificate_is_renewed_after_two_thirds_of_its_lifetime() {
        let validity = Validity {
            start: at(0),
            end: at(90 * DAY),
        };
        assert_eq!(Schedule::of(validity, 0).due, at(60 * DAY));
        let early = Schedule::of(validity, 255).due;
        assert!(
            early >= at(57 * DAY) && early < at(57 * DAY + 60),
            "{early:?}"
        );
        let next = Schedule::renewed(validity, at(DAY), 0);
        assert_eq!(next, Schedule::of(validity, 0));
        let short = Validity {
            start: at(0),
            end: at(30),
        };
        assert_eq!(Schedule::renewed(short, at(0), 0).due, at(60));
    }

    #[test]
    fn the_delay_grows_with_each_failure_until_a_success() {
        let (mut schedule, mut delays) = (Schedule::now(), Vec::new());
        for _ in 0..12 {
            schedule = schedule.failed(at(0), 0);
            let delay = schedule.due.duration_since(at(0)).unwrap();
            delays.push(delay.as_secs() / 60);
        }
        assert_eq!(
            delays,
            [5, 10, 20, 40, 80, 160, 320, 640, 720, 720, 720, 720]
        );
        let late = Schedule::now().failed(at(0), 255).due;
        assert!(late > at(329) && late <= at(330), "{late:?}");
        let validity = Validity {
            start: at(0),
            end: at(90 * DAY),
        };
        let renewed = Schedule::renewed(validity, at(0), 0);
        assert_eq!(renewed.failed(at(0), 0).due, at(300));
    }
}
