//! The runtime of the program.

use std::time::Duration;

/// How long the program waits for blocking threads on exit.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Starts a runtime.
pub(super) fn start() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Pages are rendered on these threads, and rendering is recursive.
        .thread_stack_size(8 << 20)
        .build()
}

/// Shuts down a runtime without waiting for work whose result is not needed.
pub(super) fn stop(runtime: tokio::runtime::Runtime) {
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
}
