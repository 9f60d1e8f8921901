//! Pull requests at forges: a status of the commit of a preview, and one comment.
//!
//! [`Announcer`] turns events of deployments and webhooks into a document for each pull request in
//! the database: what the forge should show. [`Sender`] sends documents with new versions, one server
//! at a time by a lease, and retries until the forge has them. Neither delays or fails a deployment.
//! `update` is one attempt, `comment` renders the text, and `markdown` encodes what authors wrote.

mod announcer;
mod comment;
mod counters;

mod journal;
mod markdown;
mod sender;
mod state;
mod update;

use tokio::sync::mpsc::UnboundedSender;

use crate::deploy::Deployment;

pub(crate) use announcer::Announcer;
pub(crate) use counters::PullRequestCounters;
pub(crate) use journal::PullRequestJournal;
pub(crate) use sender::Sender;

/// Sends events to the [`Announcer`].
pub(crate) type EventSender = UnboundedSender<PullRequestEvent>;

/// What may change the document of a pull request.
#[derive(Debug, Clone)]
pub(crate) enum PullRequestEvent {
    /// The state of a deployment changed.
    Deployment(Box<Deployment>),
    /// A pull request was opened or updated whose branch has a preview of its own.
    Branch {
        /// ID of the project.
        project: String,
        /// Number of the pull request.
        number: u64,
        /// Name of the branch.
        branch: String,
        /// Last commit, if the forge reports it.
        commit: Option<String>,
    },
    /// A pull request was closed or merged.
    Closed {
        /// ID of the project.
        project: String,
        /// Number of the pull request.
        number: u64,
    },
}
