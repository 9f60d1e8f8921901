//! System clock and random number generator.

use std::time::{Duration, Instant};

use svc_admin_api::{Clock, Random, RandomError, Timestamp};

/// The system clocks.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let millis = i64::try_from(crate::deploy::now()).unwrap_or(i64::MAX);
        Timestamp::from_millis(millis)
    }

    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The random number generator of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError> {
        getrandom::fill(buffer).map_err(|_| RandomError)
    }
}
