//! Exit statuses.

use std::process::ExitCode;

/// Exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: success.
    Success,
    /// 1: problems were found.
    Problems,
    /// 2: the command failed.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Problems => 1,
            Exit::Failed => 2,
        })
    }
}
