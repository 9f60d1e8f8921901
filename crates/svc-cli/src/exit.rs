//! Exit statuses.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: all is well.
    Success,
    /// 1: the site has problems.
    Problems,
    /// 2: the command could not do its work.
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
