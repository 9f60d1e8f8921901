//! Agent jobs: wire format, state machine and operations.
//!
//! [`Job::apply`] is the complete state machine. Stores implement each transition as one
//! conditional write, with the same result as `apply` on the job at that moment.

mod cursor;
mod handler;
mod machine;
mod model;
mod service;
mod store;
mod text;

pub use cursor::{cursor_after, parse_cursor};
pub(crate) use handler::{archive, cancel, create, get, list, message};
pub use machine::{
    JOB_CANCELED, Job, Lease, MAX_ATTEMPTS, NewJob, Phase, Transition, TransitionError, WORKER_LOST,
};
pub use model::{AgentJob, AgentJobSource, AgentJobs, Status};
pub use service::{create_job, send_message};
pub use store::{JobQuery, JobStore, LogChunk, MAX_LOG_BYTES};
pub use text::{Branch, Link, Prompt, Repository, ValidationError};
