//! Pool of child processes.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::error::CallError;
use super::message::{self, ARGUMENT, RequestKind};

/// Maximum number of idle children.
const MAX_IDLE: usize = 4;
/// How long a call waits for a busy child.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Numbers of the signals that indicate why a child ended.
const SIGABRT: i32 = 6;
const SIGXCPU: i32 = 24;

/// Children for one kind of work.
#[derive(Debug)]
pub(super) struct Pool {
    program: PathBuf,
    /// Maximum number of children in use.
    max: usize,
    state: Mutex<State>,
    /// Signaled when a child is returned.
    returned: Condvar,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Process>,
    in_use: usize,
}

impl Pool {
    pub(super) const fn new(program: PathBuf, max: usize) -> Self {
        let state = State {
            idle: Vec::new(),
            in_use: 0,
        };
        Self {
            program,
            max,
            state: Mutex::new(state),
            returned: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A child for exclusive use. Waits while all are in use.
    pub(super) fn acquire(&self) -> Result<Lease<'_>, CallError> {
        let end = Instant::now() + BUSY_TIMEOUT;
        let mut state = self.state();
        while state.in_use >= self.max {
            let left = end.checked_duration_since(Instant::now());
            let left = left.ok_or(CallError::Busy)?;
            let result = self.returned.wait_timeout(state, left);
            state = result.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.in_use += 1;
        let mut lease = Lease {
            pool: self,
            process: None,
        };
        while let Some(mut process) = state.idle.pop() {
            if process.is_alive() {
                lease.process = Some(process);
                break;
            }
        }
        drop(state);
        if lease.process.is_none() {
            let process = Process::start(&self.program).map_err(|_| CallError::Lost)?;
            lease.process = Some(process);
        }
        Ok(lease)
    }
}

/// A child in use. It returns to the pool on drop, unless it was killed.
#[derive(Debug)]
pub(super) struct Lease<'p> {
    pool: &'p Pool,
    process: Option<Process>,
}

impl Lease<'_> {
    /// Sends a request that has no response.
    pub(super) fn send(
        &mut self,
        kind: RequestKind,
        contents: &[u8],
        limit: Duration,
    ) -> Result<(), CallError> {
        self.with(limit, |stream| message::write(stream, kind, contents))
    }

    /// Sends a request and returns the response. On timeout the child is killed, and later calls
    /// fail.
    pub(super) fn call(
        &mut self,
        kind: RequestKind,
        contents: &[u8],
        limit: Duration,
    ) -> Result<Vec<u8>, CallError> {
        self.with(limit, |stream| {
            message::write(stream, kind, contents)?;
            message::read_response(stream)
        })
    }

    fn with<T>(
        &mut self,
        limit: Duration,
        exchange: impl FnOnce(&mut DeadlineStream<'_>) -> io::Result<T>,
    ) -> Result<T, CallError> {
        let process = self.process.as_mut().ok_or(CallError::Lost)?;
        let end = Instant::now() + limit;
        let stream = &process.stream;
        let result = exchange(&mut DeadlineStream { stream, end });
        result.map_err(|error| match self.process.take() {
            Some(process) => process.end(&error),
            None => CallError::Lost,
        })
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.state();
        state.in_use -= 1;
        let process = self.process.take();
        let surplus = match process {
            Some(process) if state.idle.len() < MAX_IDLE => {
                state.idle.push(process);
                None
            }
            process => process,
        };
        drop(state);
        drop(surplus);
        self.pool.returned.notify_one();
    }
}

/// A child and the stream to it. It is killed on drop.
#[derive(Debug)]
struct Process {
    child: Child,
    stream: UnixStream,
}

impl Process {
    fn start(program: &PathBuf) -> io::Result<Self> {
        let (stream, other) = UnixStream::pair()?;
        let input = OwnedFd::from(other.try_clone()?);
        let child = Command::new(program)
            .arg(ARGUMENT)
            .env_clear()
            // Otherwise the allocator of the programs reserves as much address space as a child may
            // have.
            .env("MIMALLOC_ARENA_RESERVE", "0")
            .current_dir("/")
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(OwnedFd::from(other)))
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { child, stream })
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the child after a failed call, and returns the reason of the failure.
    fn end(mut self, error: &io::Error) -> CallError {
        let timed_out = matches!(
            error.kind(),
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
        );
        // The stream may have ended before the process; without it the process exits.
        let _ = self.stream.shutdown(Shutdown::Both);
        if timed_out {
            let _ = self.child.kill();
        }
        let status = self.wait();
        match status.and_then(|status| status.signal()) {
            Some(SIGXCPU) => CallError::Timeout,
            _ if timed_out => CallError::Timeout,
            // An allocation failure aborts the process.
            Some(SIGABRT) => CallError::Memory,
            _ => CallError::Lost,
        }
    }

    /// Waits for a child whose stream is closed; kills it if it does not exit.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let end = Instant::now() + Duration::from_millis(500);
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                response => return response.ok().flatten(),
            }
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        // A killed process must be reaped, or it stays as a zombie.
        let _ = self.child.wait();
    }
}

/// A stream with a deadline for reads and writes.
struct DeadlineStream<'s> {
    stream: &'s UnixStream,
    end: Instant,
}

impl DeadlineStream<'_> {
    fn remaining(&self) -> io::Result<Option<Duration>> {
        let left = self.end.checked_duration_since(Instant::now());
        match left {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.remaining()?)?;
        let mut stream = self.stream;
        stream.read(into)
    }
}

impl Write for DeadlineStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.remaining()?)?;
        let mut stream = self.stream;
        stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const LONG: Duration = Duration::from_secs(120);

    /// A pool of one child, which is a shell script.
    fn pool(dir: &tempfile::TempDir, script: &str) -> Pool {
        let path = dir.path().join("child");
        // Written by another process: a file that is open for writing cannot be executed.
        let written = Command::new("sh")
            .args(["-c", "printf '%s' \"$1\" > \"$0\""])
            .arg(&path)
            .arg(format!("#!/bin/sh\n{script}\n"))
            .status();
        assert!(written.expect("a shell").success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("it is ours");
        Pool::new(path, 1)
    }

    fn number(lease: &Lease<'_>) -> Option<u32> {
        lease.process.as_ref().map(|process| process.child.id())
    }

    #[test]
    fn a_responding_child_is_reused() {
        let dir = tempfile::tempdir().expect("a dir");
        let pool = pool(&dir, "exec cat");
        let mut lease = pool.acquire().expect("a child");
        let first = number(&lease);
        assert_eq!(
            lease.call(RequestKind::Ico, b"hello", LONG),
            Ok(b"hello".to_vec())
        );
        drop(lease);
        let lease = pool.acquire().expect("a child");
        assert_eq!(number(&lease), first);
    }

    #[test]
    fn a_child_that_times_out_is_killed_and_replaced() {
        let dir = tempfile::tempdir().expect("a dir");
        let pool = pool(&dir, "exec sleep 3600");
        let mut lease = pool.acquire().expect("a child");
        let first = number(&lease).expect("it runs");
        let called = lease.call(RequestKind::Ico, b"", Duration::from_millis(50));
        assert_eq!(called, Err(CallError::Timeout));
        assert!(!std::path::Path::new(&format!("/proc/{first}")).exists());
        // The lease is unusable, and the next one gets another child.
        assert_eq!(
            lease.call(RequestKind::Ico, b"", LONG),
            Err(CallError::Lost)
        );
        drop(lease);
        let lease = pool.acquire().expect("a child");
        assert_ne!(number(&lease), Some(first));
    }

    #[test]
    fn the_exit_of_a_child_determines_the_error() {
        for (script, error) in [
            ("kill -XCPU $$", CallError::Timeout),
            ("kill -ABRT $$", CallError::Memory),
            ("exit 3", CallError::Lost),
        ] {
            let dir = tempfile::tempdir().expect("a dir");
            let pool = pool(&dir, script);
            let mut lease = pool.acquire().expect("a child");
            assert_eq!(
                lease.call(RequestKind::Ico, b"", LONG),
                Err(error),
                "{script}"
            );
        }
    }

    #[test]
    fn a_missing_program_is_an_error_and_releases_the_lease() {
        let pool = Pool::new("/no/such/program".into(), 1);
        for _ in 0..3 {
            assert_eq!(pool.acquire().err(), Some(CallError::Lost));
        }
    }
}
