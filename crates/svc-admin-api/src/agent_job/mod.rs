//! Agent jobs: what they look like on the wire, the states they go through, and the operations.
//!
//! [`Job::step`] is the whole state machine. Stores do each of its transitions as one conditional
//! write; whatever they answer, it is what `step` says of the job as it was at that moment.

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
