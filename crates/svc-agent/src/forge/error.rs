//! Errors of forges.

use http::StatusCode;
use svc_fetch::FetchError;

use crate::messages::sanitize_line;

/// Why a pull request could not be found or opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ForgeError {
    #[error("{forge} responded with {status}{}{message}", if .message.is_empty() { "" } else { ": " })]
    Status {
        forge: &'static str,
        status: StatusCode,
        message: String,
    },
    #[error("invalid response of {forge}: {what}")]
    InvalidResponse {
        forge: &'static str,
        what: &'static str,
    },
    #[error("request to {forge} failed: {error}")]
    Fetch {
        forge: &'static str,
        error: FetchError,
    },
    #[error("the hook {0}")]
    Hook(String),
}

impl ForgeError {
    /// Whether a retry may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Status { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Self::Fetch { error, .. } => !error.is_refusal(),
            Self::InvalidResponse { .. } | Self::Hook(_) => false,
        }
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
        }
    }
}
