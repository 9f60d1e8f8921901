//! Agent jobs: what they look like on the wire, the states they go through, and the operations.
//!
//! [`Job::step`] is the whole state machine. Stores do each of its transitions as one conditional
//! write; whatever they answer, it is what `step` says of the job as it was at that moment.

mod ask;
mod cursor;
mod handler;
mod machine;
mod model;
mod names;
mod store;

pub use ask::{ask_for_job, send_message};
pub use cursor::{after as cursor_after, parse as parse_cursor};
pub(crate) use handler::{archive, cancel, create, get, list, message};
pub use machine::{CANCELED, Job, LOST, Lease, MOST_ATTEMPTS, NewJob, Phase, Refused, Transition};
pub use model::{AgentJob, AgentJobSource, AgentJobs, Status};
pub use names::{Branch, Link, Misfit, Prompt, Repository};
pub use store::{JobQuery, JobStore, LOG_BYTES, LogPart};
