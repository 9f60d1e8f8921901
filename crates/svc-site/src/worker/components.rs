//! Components in children.
#![cfg(unix)]

use std::time::Duration;

use svc_render::{ComponentEngine, ComponentSession, SessionError};

use super::CallError;
use super::message::RequestKind;
use super::pool::{Lease, Pool};

/// Time for one component. The child has less processor time; this is for when it does not get any.
const COMPONENT_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the programs of each page in a child of their own.
#[derive(Debug)]
pub(super) struct ChildEngine {
    pool: &'static Pool,
}

impl ChildEngine {
    /// Children live as long as the program.
    pub(super) fn new(pool: Pool) -> Self {
        let pool = Box::leak(Box::new(pool));
        Self { pool }
    }
}

impl ComponentEngine for ChildEngine {
    fn session(&self) -> Option<Box<dyn ComponentSession>> {
        let mut lease = self.pool.acquire().ok()?;
        let begun = lease.send(RequestKind::Session, &[], COMPONENT_TIMEOUT);
        begun.ok()?;
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
