//! The pack in a response, within the limits of a fetch.

use std::io::{self, Read};
use std::time::Instant;

use crate::GitError;
use crate::packet::{self, Packet};

/// Reads the pack from side-band packets.
pub(crate) struct PackReader<R> {
    from: R,
    chunk: Vec<u8>,
    at: usize,
    remaining: u64,
    max: u64,
    deadline: Instant,
    done: bool,
    host: String,
    error: Option<GitError>,
}

impl<R: Read> PackReader<R> {
    /// A reader of at most `max` bytes until `deadline`.
    pub(crate) const fn new(from: R, host: String, max: u64, deadline: Instant) -> Self {
        Self {
            from,
            chunk: Vec::new(),
            at: 0,
            remaining: max,
            max,
            deadline,
            done: false,
            host,
            error: None,
        }
    }

    /// The error that ended the pack; `None` if the reader did not fail.
    pub(crate) fn into_error(self) -> Option<GitError> {
        self.error
    }

    fn fail(&mut self, error: GitError) -> io::Error {
        let message = error.to_string();
        self.error.get_or_insert(error);
        self.done = true;
        io::Error::other(message)
    }

    fn advance(&mut self) -> Result<(), GitError> {
        if Instant::now() > self.deadline {
            return Err(GitError::Timeout(0));
        }
        match packet::read_from_host(&mut self.from, &self.host)? {
            Some(Packet::Flush | Packet::End) => self.done = true,
            Some(Packet::Data(data)) => match data.first() {
                Some(1) => {
                    self.remaining = match self.remaining.checked_sub(data.len() as u64) {
                        Some(remaining) => remaining,
                        None => {
                            return Err(GitError::TooLarge {
                                max: self.max,
                                what: "bytes to fetch",
                            });
                        }
                    };
                    self.chunk = data;
                    self.at = 1;
                }
                Some(2) => {}
                Some(3) => {
                    let message = String::from_utf8_lossy(data.get(1..).unwrap_or_default());
                    return Err(GitError::remote(&self.host, &message));
                }
                // Version 0 may repeat its acknowledgments.
                Some(b'A' | b'N') if self.remaining == self.max => {}
                _ => return Err(GitError::protocol(&self.host, "a packet has no side band")),
            },
            Some(Packet::Delimiter) => {
                return Err(GitError::protocol(&self.host, "the pack is incomplete"));
            }
            None => return Err(GitError::protocol(&self.host, "the pack is incomplete")),
        }
        Ok(())
    }
}

impl<R: Read> Read for PackReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.chunk.len() && !self.done {
            if let Err(error) = self.advance() {
                return Err(self.fail(error));
            }
        }
        let rest = self.chunk.get(self.at..).unwrap_or_default();
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
