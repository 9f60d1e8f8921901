//! Errors of job commands.

use std::io;

/// Why a job command failed.
#[derive(Debug)]
pub(super) enum JobError {
    /// The request was rejected. Contains the reason.
    Rejected(String),
    /// The backend cannot be reached.
    Unreachable(io::Error),
}
