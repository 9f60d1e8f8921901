//! Captures the events that a test logs.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::dispatcher::{self, DefaultGuard, Dispatch};

/// The events of some threads, at the level `INFO` and above, as lines `LEVEL SPANS: MESSAGE
/// FIELDS`. Clones share the lines.
#[derive(Debug, Clone)]
pub struct LogCapture {
    lines: SharedBuffer,
    dispatch: Dispatch,
}

#[derive(Debug, Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Default for LogCapture {
    fn default() -> Self {
        let lines = SharedBuffer::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt()
            .without_time()
            .with_target(false)
            .with_ansi(false)
            .with_writer(move || writer.clone());
        Self {
            lines,
            dispatch: Dispatch::new(subscriber.finish()),
        }
    }
}

impl LogCapture {
    /// Captures the events of the current thread until the guard is dropped.
    #[must_use]
    pub fn enter(&self) -> DefaultGuard {
        dispatcher::set_default(&self.dispatch)
    }

    /// Captures the events of the current thread until it ends; for `on_thread_start` of a runtime.
    pub fn enter_thread(&self) {
        std::mem::forget(self.enter());
    }

    /// The lines so far.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.lines.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&lines);
        text.lines()
            .map(|line| line.trim_start().to_owned())
            .collect()
    }

    /// The lines so far as one text.
    pub fn text(&self) -> String {
        self.lines().join("\n")
    }
}

impl io::Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
