//! Standard error, with a buffer for the access log.
//!
//! A system call for each request would cost as much as a tenth of a page from memory. Lines of the
//! access log are therefore written together, at the latest after [`FLUSH_INTERVAL`]. All other
//! events are written at once, after the lines before them.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

use super::ACCESS_TARGET;

/// Maximum time for which a line of the access log is not written.
const FLUSH_INTERVAL: Duration = Duration::from_millis(100);
/// Size of the buffer in bytes at which it is written.
const MAX_BUFFER_BYTES: usize = 64 << 10;

/// A log with a buffer. A handle; clones share the buffer.
#[derive(Debug, Clone)]
pub(super) struct LogWriter<W>(Arc<BufferedLog<W>>);

#[derive(Debug)]
struct BufferedLog<W> {
    output: W,
    buffer: Mutex<Vec<u8>>,
    /// Notified when the buffer is no longer empty.
    filled: Condvar,
    /// Whether there is a thread that writes the buffer.
    has_thread: bool,
}

impl<W: Fn() -> O + Send + Sync + 'static, O: Write> LogWriter<W> {
    /// A log that writes to what `output` returns.
    pub(super) fn new(output: W) -> Self {
        let (sender, receiver) = std::sync::mpsc::channel::<Arc<BufferedLog<W>>>();
        let thread = thread::Builder::new().name("svc-log".to_owned());
        let thread = thread.spawn(move || {
            if let Ok(log) = receiver.recv() {
                log.flush_repeatedly();
            }
        });
        let log = Arc::new(BufferedLog {
            output,
            buffer: Mutex::default(),
            filled: Condvar::new(),
            has_thread: thread.is_ok(),
        });
        // Without a thread nobody receives it, and nothing is buffered.
        let _ = sender.send(Arc::clone(&log));
        Self(log)
    }

    /// Writes the buffer.
    pub(super) fn flush(&self) {
        self.0.write(&mut self.0.lock());
    }
}

impl<W: Fn() -> O, O: Write> BufferedLog<W> {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the buffer and empties it. There is no way to report an error of the log.
    fn write(&self, buffer: &mut Vec<u8>) {
        if !buffer.is_empty() {
            let _ = (self.output)().write_all(buffer);
            buffer.clear();
        }
    }

    fn flush_repeatedly(&self) {
        loop {
            let mut buffer = self.lock();
            while buffer.is_empty() {
                let filled = self.filled.wait(buffer);
                buffer = filled.unwrap_or_else(PoisonError::into_inner);
            }
            drop(buffer);
            thread::sleep(FLUSH_INTERVAL);
            // The lock is not held while the log is written, which may block.
            let mut lines = mem::take(&mut *self.lock());
            self.write(&mut lines);
        }
    }
}

impl<'a, W: Fn() -> O, O: Write> MakeWriter<'a> for LogWriter<W>
where
    W: 'a,
{
    type Writer = EventWriter<'a, W>;

    fn make_writer(&'a self) -> Self::Writer {
        EventWriter {
            log: &self.0,
            is_buffered: false,
        }
    }

    fn make_writer_for(&'a self, event: &Metadata<'_>) -> Self::Writer {
        EventWriter {
            log: &self.0,
            is_buffered: self.0.has_thread && event.target() == ACCESS_TARGET,
        }
    }
}

/// Writes one event.
#[derive(Debug)]
pub(super) struct EventWriter<'a, W> {
    log: &'a BufferedLog<W>,
    is_buffered: bool,
}

impl<W: Fn() -> O, O: Write> Write for EventWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut buffer = self.log.lock();
        if buffer.is_empty() && self.is_buffered {
            self.log.filled.notify_one();
        }
        buffer.extend_from_slice(bytes);
        if !self.is_buffered || buffer.len() >= MAX_BUFFER_BYTES {
            self.log.write(&mut buffer);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tracing::info;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<String>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            self.0.lock().unwrap().push(text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_of_the_access_log_are_written_together_and_in_order() {
        let output = Output::default();
        let log = LogWriter::new({
            let output = output.clone();
            move || output.clone()
        });
        let layer = tracing_subscriber::fmt::layer().with_writer(log.clone());
        let subscriber = tracing_subscriber::Registry::default().with(layer);
        let writes = || output.0.lock().unwrap().clone();
        tracing::subscriber::with_default(subscriber, || {
            info!("event 0");
            for number in 1..=3 {
                info!(target: ACCESS_TARGET, "line {number}");
            }
            info!("event 4");
            let text = writes().concat();
            let places: Vec<Option<usize>> = (1..=3)
                .map(|number| text.find(&format!("line {number}")))
                .chain([text.find("event 4")])
                .collect();
            assert!(places.is_sorted() && places[0].is_some(), "{text}");
            info!(target: ACCESS_TARGET, "line 5");
            log.flush();
            assert!(writes().concat().contains("line 5"));
            for number in 0..2_000 {
                info!(target: ACCESS_TARGET, "many {number} {}", "x".repeat(100));
            }
            assert!(writes().len() < 200, "{}", writes().len());
        });
        let begin = Instant::now();
        while !writes().concat().contains("many 1999") {
            assert!(begin.elapsed() < Duration::from_secs(60), "the last lines");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
