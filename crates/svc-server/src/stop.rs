//! Signals that stop or reload the server.

use std::future::Future;
#[cfg(unix)]
use std::io;

/// Completes on SIGTERM or Ctrl-C. Signals count from this call on, even before the future is
/// polled. Must be called within a Tokio runtime.
pub fn stop_signal() -> impl Future<Output = ()> + Send {
    stop_signals(1)
}

/// As [`stop_signal`], on the second signal. The first one stops the server gracefully.
pub fn second_stop_signal() -> impl Future<Output = ()> + Send {
    stop_signals(2)
}

/// Completes on the last of some signals.
fn stop_signals(count: usize) -> impl Future<Output = ()> + Send {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{Signal, SignalKind, signal};
        async fn next(signal: &mut io::Result<Signal>) {
            match signal {
                Ok(signal) => {
                    signal.recv().await;
                }
                Err(_) => std::future::pending().await,
            }
        }
        let mut terminate = signal(SignalKind::terminate());
        let mut interrupt = signal(SignalKind::interrupt());
        async move {
            for _ in 0..count {
                tokio::select! {
                    () = next(&mut terminate) => {}
                    () = next(&mut interrupt) => {}
                }
            }
        }
    }
    #[cfg(not(unix))]
    async move {
        for _ in 0..count {
            let _ = tokio::signal::ctrl_c().await;
        }
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
