//! Context of a request.

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

/// Dependencies of the API and the client of a request.
#[derive(Clone, Copy)]
pub struct Context<'a, S, D> {
    /// The store.
    pub store: &'a S,
    /// The deployment service.
    pub deployments: &'a D,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The random number generator.
    pub random: &'a dyn Random,
    /// The rate limiter, shared by all requests of a program.
    pub limits: &'a RateLimiter,
    /// IP address of the client, taken from trusted proxies if there are any.
    pub peer: IpAddr,
    /// Origin of the API for clients, which its documents contain.
    pub base_url: &'a str,
}

impl<S, D> std::fmt::Debug for Context<'_, S, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("peer", &self.peer)
            .finish_non_exhaustive()
    }
}

/// A request with its key.
pub(crate) struct AuthenticatedRequest<'a, S, D> {
    pub(crate) context: &'a Context<'a, S, D>,
    pub(crate) request: &'a Request<Bytes>,
    pub(crate) operation: &'static Operation,
    /// Values of the path parameters.
    pub(crate) path_values: &'a [String],
    pub(crate) key: &'a Key,
    pub(crate) now: Timestamp,
}

impl<S: Store, D: Deployments> AuthenticatedRequest<'_, S, D> {
    /// Value of a path parameter.
    pub(crate) fn value(&self, index: usize) -> &str {
        self.path_values.get(index).map_or("", String::as_str)
    }

    /// The project in the path, which must be that of the key.
    pub(crate) fn project(&self) -> Result<&ProjectId, ApiError> {
        let own = &self.key.project;
        if self.value(0) == own.as_str() {
            Ok(own)
        } else {
            Err(ApiError::NotFound)
        }
    }

    /// Audit entry for the result of the request.
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

    /// The change that the request makes.
    pub(crate) fn change(&self, subject: &str) -> Result<Change, ApiError> {
        Ok(Change {
            at: self.now,
            entry: self.audit_entry(Some(subject), self.operation.success()),
            idempotency_key: self.idempotency_key()?,
        })
    }

    /// Counts the request against a limit of the project.
    pub(crate) fn acquire(&self, rule: LimitClass) -> Result<(), ApiError> {
        let passed = self.context.clock.monotonic();
        let project = self.key.project.as_str();
        self.context.limits.acquire(rule, project, passed)
    }

    /// Returns the quota of a request without effect.
    pub(crate) fn refund(&self, rule: LimitClass) {
        let project = self.key.project.as_str();
        self.context.limits.refund(rule, project);
    }
}

/// Response to a change of a job. `not_allowed` is the error for an invalid status.
pub(crate) fn job_response(
    outcome: ChangeResult<Job>,
    change: &Change,
    not_allowed: fn(Status) -> ApiError,
) -> Result<Response<Bytes>, ApiError> {
    match outcome {
        ChangeResult::Done(job) => Ok(into_response(change.recorded_response(&job))),
        ChangeResult::Replayed(response) => Ok(into_response(response)),
        other => Err(to_api_error(&other, not_allowed)),
    }
}

/// The error of an unsuccessful change.
pub(crate) fn to_api_error<T>(
    outcome: &ChangeResult<T>,
    not_allowed: fn(Status) -> ApiError,
) -> ApiError {
    match outcome {
        ChangeResult::NotFound => ApiError::NotFound,
        ChangeResult::InvalidState(status) => not_allowed(*status),
        ChangeResult::KeyReused => ApiError::KeyReused,
        ChangeResult::InProgress => ApiError::InProgress,
        // Ids of new jobs are random, so they are never in use.
        ChangeResult::AlreadyExists | ChangeResult::Done(_) | ChangeResult::Replayed(_) => {
            ApiError::Internal
        }
    }
}

/// Converts a recorded response.
pub(crate) fn into_response(response: RecordedResponse) -> Response<Bytes> {
    let status = StatusCode::from_u16(response.status).unwrap_or(StatusCode::OK);
    reply::raw(status, response.body)
}
