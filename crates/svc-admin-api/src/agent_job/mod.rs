//! Agent jobs: wire format, state machine and operations.
//!
//! [`Job::apply`] is the complete state machine. Stores implement each transition as one
//! conditional write, with the same result as `apply` on the job at that moment.

mod service;
mod cursor;
mod handler;
mod machine;
mod model;
mod text;
mod store;

pub use service::{create_job, send_message};
pub use cursor::{cursor_after, parse_cursor};
pub(crate) use handler::{archive, cancel, create, get, list, message};
pub use machine::{JOB_CANCELED, Job, WORKER_LOST, Lease, MAX_ATTEMPTS, NewJob, Phase, TransitionError, Transition};
pub use model::{AgentJob, AgentJobSource, AgentJobs, Status};
pub use text::{Branch, Link, ValidationError, Prompt, Repository};
pub use store::{JobQuery, JobStore, MAX_LOG_BYTES, LogChunk};
