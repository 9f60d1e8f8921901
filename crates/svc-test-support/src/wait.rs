//! Waiting for what happens in the background.

use std::thread;
use std::time::{Duration, Instant};

/// Interval of the checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until something is done.
///
/// # Panics
/// If it is not done in time. The message is `what`.
pub fn wait_until(what: &str, timeout: Duration, mut is_done: impl FnMut() -> bool) {
    let end = Instant::now() + timeout;
    while !is_done() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(CHECK_INTERVAL);
    }
}
