//! Every refusal that a caller can meet.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde::{Deserialize, Serialize};

use crate::agent_job::Status;
use crate::key::Scope;
use crate::random::RandomError;
use crate::reply;
use crate::store::StoreError;

/// The body of every refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// What is wrong, for a person.
    pub error: String,
}

/// Why a request is refused: one variant for each refusal of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// The body does not fit; says what about it.
    InvalidBody(String),
    /// A parameter of the query does not fit; says which and why.
    InvalidQuery(String),
    /// `Idempotency-Key` is no text of 1 to 255 visible characters.
    InvalidIdempotencyKey,
    /// No key, or one that is malformed, unknown, revoked or expired. The specification is silent
    /// here; which of them it was is nobody's business.
    Unauthorized,
    /// The key may not do this.
    InsufficientScope(Scope),
    /// The key may not be used from this address.
    IpNotAllowed,
    /// Nothing of that name, or nothing that this key may know of.
    NotFound,
    /// The address does not have this method; carries those it has.
    MethodNotAllowed(&'static str),
    /// A message to a job that is not completed.
    NotCompleted(Status),
    /// The wish to cancel a job that is not at work.
    NotActive(Status),
    /// The wish to archive a job that is still at work, or archived.
    NotFinished(Status),
    /// The project has no repository that agents may work on.
    NoAgent,
    /// The project cannot be deployed so; says why.
    NotDeployable(String),
    /// The same `Idempotency-Key` came with another request.
    KeyReused,
    /// The request with the same `Idempotency-Key` is not answered yet.
    InProgress,
    /// The body has too many bytes.
    TooLarge,
    /// The body is no JSON by its own word.
    UnsupportedMediaType,
    /// Too many requests; carries the seconds to wait.
    TooManyRequests(u64),
    /// What the service needs is not there at the moment.
    Unavailable,
    /// A fault of the service.
    Internal,
}

impl ApiError {
    /// The status of the response.
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

    /// The body of the response. It never carries anything of the store or of another project.
    pub fn body(&self) -> ErrorBody {
        let error = match self {
            Self::InvalidBody(why) => format!("the body does not fit: {why}"),
            Self::InvalidQuery(why) => format!("the query does not fit: {why}"),
            Self::InvalidIdempotencyKey => {
                "`Idempotency-Key` stands once and has 1 to 255 visible ASCII characters".into()
            }
            Self::Unauthorized => {
                "a valid key is needed: send the header `Authorization: Bearer svc_…`".into()
            }
            Self::InsufficientScope(scope) => {
                format!("the key lacks the scope `{}`", scope.as_str())
            }
            Self::IpNotAllowed => "the key may not be used from this address".into(),
            Self::NotFound => "not found".into(),
            Self::MethodNotAllowed(allowed) => format!("this address has only {allowed}"),
            Self::NotCompleted(status) => format!(
                "only a completed job takes a message, and this one is {}",
                status.as_str()
            ),
            Self::NotActive(status) => format!(
                "only an active job can be canceled, and this one is {}",
                status.as_str()
            ),
            Self::NotFinished(status) => format!(
                "only a completed or failed job can be archived, and this one is {}",
                status.as_str()
            ),
            Self::NoAgent => "the project has no repository that agents may work on".into(),
            Self::NotDeployable(why) => format!("this cannot be deployed: {why}"),
            Self::KeyReused => "the same `Idempotency-Key` came with another request before".into(),
            Self::InProgress => {
                "the request with the same `Idempotency-Key` is not answered yet".into()
            }
            Self::TooLarge => format!("the body has more than {} bytes", crate::MAX_BODY),
            Self::UnsupportedMediaType => {
                "the body has to be `Content-Type: application/json`".into()
            }
            Self::TooManyRequests(seconds) => {
                format!("too many requests; try again in {seconds} seconds")
            }
            Self::Unavailable => "not available at the moment; try again soon".into(),
            Self::Internal => "the service has a fault".into(),
        };
        ErrorBody { error }
    }

    /// The whole response. Servers that refuse before a request is complete send the same.
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
