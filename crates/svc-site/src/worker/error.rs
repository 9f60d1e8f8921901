//! Errors of calls to a child.

/// Why a call to a child failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallError {
    /// All children are busy.
    Busy,
    /// The call exceeded its time limit.
    Timeout,
    /// The call exceeded its memory limit.
    Memory,
    /// The child could not be started, or it exited.
    Lost,
}
