//! Signals that stop or reload the server.

use std::future::Future;
#[cfg(unix)]
use std::io;

/// Completes on SIGTERM or Ctrl-C. Signals count from this call on, even before the future is
/// polled. Must be called within a Tokio runtime.
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

/// Completes on the second SIGTERM or Ctrl-C from this call on. The first one stops the server
/// gracefully. Must be called within a Tokio runtime.
pub fn second_stop_signal() -> impl Future<Output = ()> + Send {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
        async {
            let [Ok(mut terminate), Ok(mut interrupt)] = signals else {
                return std::future::pending().await;
            };
            for _ in 0..2 {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            }
        }
    }
    #[cfg(not(unix))]
    async {
        let _ = tokio::signal::ctrl_c().await;
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Stream of SIGHUP signals, which reload the settings. Signals count from [`SighupStream::new`]
/// on.
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

    /// Waits for the next signal; `false` if there will be none.
    #[cfg_attr(
        not(unix),
        expect(clippy::unused_async, reason = "same signature as on Unix")
    )]
    pub(crate) async fn next(&mut self) -> bool {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal {
            return signal.recv().await.is_some();
        }
        false
    }
}
