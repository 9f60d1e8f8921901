//! When to stop.

use std::future::Future;
#[cfg(unix)]
use std::io;

/// Ready on SIGTERM and on Ctrl-C, from this call on: one that comes before anybody waits counts too.
/// Only inside of a Tokio runtime.
pub fn stop_signal() -> impl Future<Output = ()> + Send {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{Signal, SignalKind, signal};
        async fn next(signal: io::Result<Signal>) {
            match signal {
                Ok(mut signal) => {
                    signal.recv().await;
                }
                Err(_) => std::future::pending().await,
            }
        }
        let terminate = signal(SignalKind::terminate());
        let interrupt = signal(SignalKind::interrupt());
        async {
            tokio::select! {
                () = next(terminate) => {}
                () = next(interrupt) => {}
            }
        }
    }
    #[cfg(not(unix))]
    async {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// The signals that tell a server to read its settings again, from [`SighupStream::new`] on.
#[derive(Debug)]
pub(crate) struct SighupStream {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl SighupStream {
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(unix)]
            signal: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok(),
        }
    }

    /// Waits for the next one; `false` when there will be none.
    #[cfg_attr(not(unix), expect(clippy::unused_async, reason = "as on Unix"))]
    pub(crate) async fn next(&mut self) -> bool {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal {
            return signal.recv().await.is_some();
        }
        false
    }
}
