//! Errors of the API.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde::{Deserialize, Serialize};

use crate::agent_job::Status;
use crate::key::Scope;
use crate::random::RandomError;
use crate::reply;
use crate::store::StoreError;

/// Body of an error response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// Description of the error, for people.
    pub error: String,
}

/// Error of a request: one variant per error of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// The body is invalid. Contains the reason.
    InvalidBody(String),
    /// A query parameter is invalid. Contains its name and the reason.
    InvalidQuery(String),
    /// `Idempotency-Key` is not a text of 1 to 255 visible characters.
    InvalidIdempotencyKey,
    /// The key is missing, malformed, unknown, revoked or expired. Responses do not disclose which.
    Unauthorized,
    /// The key lacks a scope.
    InsufficientScope(Scope),
    /// The key may not be used from this IP address.
    IpNotAllowed,
    /// The resource does not exist, or the key has no access to it.
    NotFound,
    /// The path does not support the method. Contains the supported methods.
    MethodNotAllowed(&'static str),
    /// A message to a job that is not completed.
    NotCompleted(Status),
    /// Canceling a job that is not active.
    NotActive(Status),
    /// Archiving a job that is active or archived.
    NotFinished(Status),
    /// The project has no repository for agents.
    NoAgent,
    /// The deployment was rejected. Contains the reason.
    NotDeployable(String),
    /// The `Idempotency-Key` was used with another request.
    KeyReused,
    /// A request with the same `Idempotency-Key` is in progress.
    InProgress,
    /// The body exceeds the limit.
    TooLarge,
    /// `Content-Type` is not JSON.
    UnsupportedMediaType,
    /// A rate limit is exceeded. Contains the number of seconds to wait.
    TooManyRequests(u64),
    /// A dependency is temporarily unavailable.
    Unavailable,
    /// Internal error.
    Internal,
}

impl ApiError {
    /// Status of the response.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::InvalidBody(_) | Self::InvalidQuery(_) | Self::InvalidIdempotencyKey => {
                StatusCode::BAD_REQUEST
            }
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::InsufficientScope(_) | Self::IpNotAllowed => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotCompleted(_)
            | Self::NotActive(_)
            | Self::NotFinished(_)
            | Self::NoAgent
            | Self::NotDeployable(_)
            | Self::KeyReused
            | Self::InProgress => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooManyRequests(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Body of the response. It discloses nothing of the store or other projects.
    pub fn body(&self) -> ErrorBody {
        let error = match self {
            Self::InvalidBody(reason) => format!("invalid request body: {reason}"),
            Self::InvalidQuery(reason) => format!("invalid query: {reason}"),
            Self::InvalidIdempotencyKey => {
                "`Idempotency-Key` must appear once and contain 1 to 255 visible ASCII characters"
                    .into()
            }
            Self::Unauthorized => {
                "a valid API key is required: send the header `Authorization: Bearer svc_…`".into()
            }
            Self::InsufficientScope(scope) => {
                format!("the key lacks the scope `{}`", scope.as_str())
            }
            Self::IpNotAllowed => "the key may not be used from this IP address".into(),
            Self::NotFound => "not found".into(),
            Self::MethodNotAllowed(allowed) => format!("method not allowed; use {allowed}"),
            Self::NotCompleted(status) => format!(
                "the job is {}; only a completed job accepts a message",
                status.as_str()
            ),
            Self::NotActive(status) => format!(
                "the job is {}; only an active job can be canceled",
                status.as_str()
            ),
            Self::NotFinished(status) => format!(
                "the job is {}; only a completed or failed job can be archived",
                status.as_str()
            ),
            Self::NoAgent => "the project has no repository for agents".into(),
            Self::NotDeployable(reason) => format!("the deployment is not possible: {reason}"),
            Self::KeyReused => "the `Idempotency-Key` was used with another request".into(),
            Self::InProgress => "a request with the same `Idempotency-Key` is in progress".into(),
            Self::TooLarge => format!(
                "the request body exceeds the limit of {} bytes",
                crate::MAX_BODY
            ),
            Self::UnsupportedMediaType => {
                "the request body must be `Content-Type: application/json`".into()
            }
            Self::TooManyRequests(seconds) => {
                format!("too many requests; try again in {seconds} seconds")
            }
            Self::Unavailable => "temporarily unavailable; try again soon".into(),
            Self::Internal => "internal server error".into(),
        };
        ErrorBody { error }
    }

    /// The complete response. Servers that reject incomplete requests send the same one.
    pub fn response(&self) -> Response<Bytes> {
        let mut response = reply::json(self.status(), &self.body());
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized => {
                let scheme = HeaderValue::from_static("Bearer realm=\"svc\"");
                headers.insert(header::WWW_AUTHENTICATE, scheme);
            }
            Self::MethodNotAllowed(allowed) => {
                headers.insert(header::ALLOW, HeaderValue::from_static(allowed));
            }
            Self::TooManyRequests(seconds) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from((*seconds).max(1)));
            }
            Self::Unavailable => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
            }
            _ => {}
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::Unavailable,
            StoreError::Corrupt(_) => Self::Internal,
        }
    }
}

impl From<RandomError> for ApiError {
    fn from(_: RandomError) -> Self {
        Self::Unavailable
    }
}
