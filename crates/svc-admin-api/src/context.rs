//! One request on its way through the handlers.

use std::net::IpAddr;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::agent_job::{Job, Status};
use crate::audit::{Actor, AuditEntry};
use crate::deployment::Deployments;
use crate::error::ApiError;
use crate::id::ProjectId;
use crate::idempotency::{self, IdempotencyKey, RecordedResponse};
use crate::key::Key;
use crate::random::Random;
use crate::rate_limit::{LimitClass, RateLimiter};
use crate::reply;
use crate::router::Operation;
use crate::store::{Change, ChangeResult, Store};
use crate::time::{Clock, Timestamp};

/// What a request meets: the world of the program, and who sends it.
#[derive(Clone, Copy)]
pub struct Context<'a, S, D> {
    /// Keeps everything.
    pub store: &'a S,
    /// Makes deployments.
    pub deployments: &'a D,
    /// Tells the time.
    pub clock: &'a dyn Clock,
    /// Gives unpredictable bytes.
    pub random: &'a dyn Random,
    /// Counts requests; the same for all requests of a program.
    pub limits: &'a RateLimiter,
    /// The address of the caller, behind proxies the one that they vouch for.
    pub peer: IpAddr,
    /// Scheme, host and port of the API for callers, which its documents name.
    pub base_url: &'a str,
}

impl<S, D> std::fmt::Debug for Context<'_, S, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("peer", &self.peer)
            .finish_non_exhaustive()
    }
}

/// A request whose key is known.
pub(crate) struct AuthenticatedRequest<'a, S, D> {
    pub(crate) context: &'a Context<'a, S, D>,
    pub(crate) request: &'a Request<Bytes>,
    pub(crate) operation: &'static Operation,
    /// The values of the parameters of the address.
    pub(crate) path_values: &'a [String],
    pub(crate) key: &'a Key,
    pub(crate) now: Timestamp,
}

impl<S: Store, D: Deployments> AuthenticatedRequest<'_, S, D> {
    /// The value of a parameter of the address.
    pub(crate) fn value(&self, place: usize) -> &str {
        self.path_values.get(place).map_or("", String::as_str)
    }

    /// The project of the address, which has to be the one of the key.
    pub(crate) fn project(&self) -> Result<&ProjectId, ApiError> {
        let own = &self.key.project;
        if self.value(0) == own.as_str() {
            Ok(own)
        } else {
            Err(ApiError::NotFound)
        }
    }

    /// The entry of the audit log for an outcome.
    pub(crate) fn audit_entry(&self, subject: Option<&str>, status: u16) -> AuditEntry {
        AuditEntry {
            at: self.now,
            actor: Actor::Key(self.key.id.clone()),
            from: Some(self.context.peer),
            project: Some(self.key.project.clone()),
            action: self.operation.id.to_owned(),
            subject: subject.map(str::to_owned),
            status,
        }
    }

    /// The `Idempotency-Key` of the request.
    pub(crate) fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, ApiError> {
        let path = self.request.uri().path().as_bytes();
        let parts = [self.operation.id.as_bytes(), path, self.request.body()];
        idempotency::parse_header(self.request.headers(), &self.key.id, parts, self.now)
    }

    /// The change that the request asks for.
    pub(crate) fn change(&self, subject: &str) -> Result<Change, ApiError> {
        Ok(Change {
            at: self.now,
            entry: self.audit_entry(Some(subject), self.operation.success()),
            idempotency_key: self.idempotency_key()?,
        })
    }

    /// Counts a request of a project.
    pub(crate) fn acquire(&self, rule: LimitClass) -> Result<(), ApiError> {
        let passed = self.context.clock.monotonic();
        let project = self.key.project.as_str();
        self.context.limits.acquire(rule, project, passed)
    }

    /// Gives the count back for what had no effect.
    pub(crate) fn refund(&self, rule: LimitClass) {
        let project = self.key.project.as_str();
        self.context.limits.refund(rule, project);
    }
}

/// The response to a change of a job. `not_allowed` is the refusal of the operation.
pub(crate) fn job_response(
    outcome: ChangeResult<Job>,
    change: &Change,
    not_allowed: fn(Status) -> ApiError,
) -> Result<Response<Bytes>, ApiError> {
    match outcome {
        ChangeResult::Done(job) => Ok(into_response(change.recorded_response(&job))),
        ChangeResult::Replayed(answer) => Ok(into_response(answer)),
        other => Err(to_api_error(&other, not_allowed)),
    }
}

/// The refusal of an outcome that is no success.
pub(crate) fn to_api_error<T>(
    outcome: &ChangeResult<T>,
    not_allowed: fn(Status) -> ApiError,
) -> ApiError {
    match outcome {
        ChangeResult::NotFound => ApiError::NotFound,
        ChangeResult::InvalidState(status) => not_allowed(*status),
        ChangeResult::KeyReused => ApiError::KeyReused,
        ChangeResult::InProgress => ApiError::InProgress,
        // A new job has a name that nobody can have taken.
        ChangeResult::AlreadyExists | ChangeResult::Done(_) | ChangeResult::Replayed(_) => {
            ApiError::Internal
        }
    }
}

/// The response of an answer.
pub(crate) fn into_response(answer: RecordedResponse) -> Response<Bytes> {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    reply::raw(status, answer.body)
}
