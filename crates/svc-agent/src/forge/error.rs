//! Errors of forges.

use std::time::Duration;

use http::StatusCode;
use svc_fetch::FetchError;

use crate::messages::sanitize_line;

/// Why a request to a forge had no success.
#[derive(Debug, thiserror::Error)]
pub enum ForgeError {
    /// The status of the response is an error.
    #[error("{forge} responded with {status}{}{message}", if .message.is_empty() { "" } else { ": " })]
    Status {
        /// Name of the forge.
        forge: &'static str,
        /// The status.
        status: StatusCode,
        /// The message of the response in one line; empty if it has none.
        message: String,
        /// How long the forge asks to wait.
        retry_after: Option<Duration>,
    },
    /// The response is not what the forge documents.
    #[error("invalid response of {forge}: {what}")]
    InvalidResponse {
        /// Name of the forge.
        forge: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// There is no response.
    #[error("request to {forge} failed: {error}")]
    Fetch {
        /// Name of the forge.
        forge: &'static str,
        /// Why.
        error: FetchError,
    },
    /// The command of the operator failed.
    #[error("the hook {0}")]
    Hook(String),
}

impl ForgeError {
    /// Whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Status {
                status,
                retry_after,
                ..
            } => {
                // GitHub responds with 403 if there are too many requests.
                status.is_server_error()
                    || *status == StatusCode::TOO_MANY_REQUESTS
                    || (*status == StatusCode::FORBIDDEN && retry_after.is_some())
            }
            Self::Fetch { error, .. } => !error.is_refusal(),
            Self::InvalidResponse { .. } | Self::Hook(_) => false,
        }
    }

    /// How long the forge asks to wait; `None` if it does not.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    pub(super) fn with_retry_after(mut self, delay: Option<Duration>) -> Self {
        if let Self::Status { retry_after, .. } = &mut self {
            *retry_after = delay;
        }
        self
    }

    /// Whether the response has this status.
    pub(super) fn has_status(&self, expected: StatusCode) -> bool {
        matches!(self, Self::Status { status, .. } if *status == expected)
    }

    pub(super) fn from_response(forge: &'static str, status: StatusCode, message: &str) -> Self {
        let message = sanitize_line(message);
        Self::Status {
            forge,
            status,
            message,
            retry_after: None,
        }
    }
}
