//! Components in child processes.
#![cfg(unix)]

use std::time::Duration;

use svc_render::{ComponentEngine, ComponentSession, SessionError};

use super::error::CallError;
use super::message::RequestKind;
use super::pool::{Lease, Pool};

/// Wall-clock timeout of a component. The CPU limit of the child is lower; this applies when the
/// child gets no CPU time.
const COMPONENT_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the components of each page in a child process.
#[derive(Debug)]
pub(super) struct ChildEngine {
    pool: &'static Pool,
}

impl ChildEngine {
    /// The children live as long as the program.
    pub(super) fn new(pool: Pool) -> Self {
        let pool = Box::leak(Box::new(pool));
        Self { pool }
    }
}

impl ComponentEngine for ChildEngine {
    fn session(&self) -> Option<Box<dyn ComponentSession>> {
        let mut lease = self.pool.acquire().ok()?;
        let response = lease.send(RequestKind::Session, &[], COMPONENT_TIMEOUT);
        response.ok()?;
        Some(Box::new(ChildSession { lease }))
    }
}

#[derive(Debug)]
struct ChildSession {
    lease: Lease<'static>,
}

impl ComponentSession for ChildSession {
    fn call(&mut self, request: &[u8]) -> Result<Vec<u8>, SessionError> {
        let called = self
            .lease
            .call(RequestKind::Component, request, COMPONENT_TIMEOUT);
        called.map_err(|error| match error {
            CallError::Timeout => SessionError::Timeout,
            CallError::Memory => SessionError::Memory,
            CallError::Busy | CallError::Lost => SessionError::Lost,
        })
    }
}
