//! Data model of deployments.

use std::fmt;

use serde::{Deserialize, Serialize};
use tracing::{Span, error_span};

/// Target of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishTarget {
    /// The production site.
    Live,
    /// A preview.
    Preview {
        /// Name of the preview, which is part of its host.
        name: String,
    },
}

impl PublishTarget {
    /// Parses what [`Display`](fmt::Display) writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "live" => Some(Self::Live),
            other => Some(Self::Preview {
                name: other.strip_prefix("preview ")?.to_owned(),
            }),
        }
    }
}

impl fmt::Display for PublishTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Live => f.write_str("live"),
            Self::Preview { name } => write!(f, "preview {name}"),
        }
    }
}

/// Reason of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// The server started.
    Start,
    /// A forge reported new commits.
    Push,
    /// A poll found a change.
    Poll,
    /// The files of the folder changed.
    Change,
    /// SIGHUP reloaded the settings.
    Signal,
    /// A user ran `svc deploy`.
    Command,
    /// An API client requested it.
    Api,
    /// A user requested it in the dashboard.
    Dashboard {
        /// Name of the account.
        by: String,
    },
    /// A rollback to an earlier deployment.
    Rollback {
        /// ID of the earlier deployment.
        of: String,
    },
}

impl Trigger {
    /// Whether this is a poll. A poll that finds no change leaves no deployment and no log line.
    pub(crate) const fn is_poll(&self) -> bool {
        matches!(self, Self::Poll | Self::Change | Self::Start)
    }

    /// Whether a user or API client explicitly wants the current state of the source, even after a
    /// rollback.
    pub(crate) const fn is_manual(&self) -> bool {
        matches!(self, Self::Command | Self::Api | Self::Dashboard { .. })
    }

    /// Whether the deployment is requested from all servers that share what they build.
    pub(super) const fn is_request(&self) -> bool {
        !self.is_poll() && !matches!(self, Self::Signal)
    }

    /// Whether all servers that share a database perform the deployment.
    pub(crate) const fn is_shared(&self) -> bool {
        self.is_manual() || matches!(self, Self::Push)
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Push => "push",
            Self::Poll => "poll",
            Self::Change => "change",
            Self::Signal => "signal",
            Self::Command => "command",
            Self::Api => "api",
            Self::Dashboard { .. } => "dashboard",
            Self::Rollback { of } => return write!(f, "roll-back to {of}"),
        })
    }
}

/// Status of a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeploymentState {
    /// Waiting to be built.
    Queued,
    /// The files are being fetched or the site is being built.
    Building,
    /// Published.
    Live,
    /// Failed; the previous deployment stays live.
    Failed,
    /// Superseded by a newer deployment, before or after it was live.
    Superseded,
}

impl DeploymentState {
    /// Whether the status is final.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Building)
    }

    /// Name of the status.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Building => "building",
            Self::Live => "live",
            Self::Failed => "failed",
            Self::Superseded => "superseded",
        }
    }
}

/// A Git commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Commit {
    /// ID in hexadecimal digits.
    pub id: String,
    /// Author.
    pub author: String,
    /// First line of the message.
    pub message: String,
    /// Time in seconds since the Unix epoch.
    pub time: i64,
}

/// Wanted revision of the source; the branch of the settings if all fields are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// A branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A full ref name, such as `refs/pull/12/head`; takes precedence over the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A request for a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeployRequest {
    /// ID of the project.
    pub project: String,
    /// Target to deploy.
    pub target: PublishTarget,
    /// Reason of the request.
    pub trigger: Trigger,
    /// Wanted revision of the source.
    pub reference: Reference,
    /// The commit as reported by the requester, which is shown until the source was fetched.
    pub commit: Option<Commit>,
    /// Whether the files come from a fork: their scripts and components are never run.
    pub foreign: bool,
    /// Host of a preview, for display.
    pub host: Option<String>,
}

impl DeployRequest {
    /// Requests a deployment of the branch of a production site.
    pub fn live(project: impl Into<String>, trigger: Trigger) -> Self {
        Self {
            project: project.into(),
            target: PublishTarget::Live,
            trigger,
            reference: Reference::default(),
            commit: None,
            foreign: false,
            host: None,
        }
    }
}

/// An action that is requested from one server and performed by all servers that share a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Deploys a target.
    Deploy(DeployRequest),
    /// Removes a preview.
    Remove {
        /// ID of the project.
        project: String,
        /// Target to remove.
        target: PublishTarget,
    },
    /// Rolls back to an earlier snapshot.
    RollBack {
        /// ID of the project.
        project: String,
        /// Name of the snapshot.
        snapshot: String,
    },
}

impl Action {
    /// Project and target of the action. A later action supersedes an earlier one with the same
    /// subject.
    pub(crate) fn subject(&self) -> (&str, &PublishTarget) {
        match self {
            Self::Deploy(request) => (&request.project, &request.target),
            Self::Remove { project, target } => (project, target),
            Self::RollBack { project, .. } => (project, &PublishTarget::Live),
        }
    }
}

/// A deployment. All times are in milliseconds since the Unix epoch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deployment {
    /// Unique ID; IDs of later deployments sort after it.
    pub id: String,
    /// ID of the project.
    pub project: String,
    /// Target of the deployment.
    pub target: PublishTarget,
    /// Reason of the deployment.
    pub trigger: Trigger,
    /// Status.
    pub state: DeploymentState,
    /// Wanted revision of the source.
    #[serde(default)]
    pub reference: Reference,
    /// Commit that was deployed; `None` if the source has no commits or was not fetched yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// Whether the files come from a fork, so that scripts and components are not used.
    #[serde(default)]
    pub foreign: bool,
    /// Time of the request.
    pub queued: u64,
    /// Time at which the build started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// Time at which it became live or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<u64>,
    /// Result such as `12 pages, 1 error`, or the reason of a failure.
    #[serde(default)]
    pub summary: String,
    /// Name of the snapshot; `None` if the deployment was never live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// Host of a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Time at which the preview was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<u64>,
    /// Snapshot that a rollback replaced. Polls do not deploy it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
    /// What the deployment follows of other servers. Unknown after a restart, when they are asked
    /// anyway.
    #[serde(skip)]
    pub origin: DeploymentOrigin,
}

/// Where a deployment of this server comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeploymentOrigin {
    /// A request to this server, which has no number yet.
    #[default]
    Local,
    /// A request to this server, with its number among those of all servers.
    Accepted(u64),
    /// The request with this number, of a server that has not begun it.
    Request(u64),
    /// What another server has built, or a rollback.
    Release,
}

impl Deployment {
    /// Whether the deployment leaves no trace if it changes nothing: a poll, or what another server
    /// has recorded.
    pub(super) fn is_silent(&self) -> bool {
        let is_followed = matches!(
            self.origin,
            DeploymentOrigin::Request(_) | DeploymentOrigin::Release
        );
        is_followed || self.trigger.is_poll()
    }

    /// The request of the deployment.
    pub(super) fn request(&self) -> DeployRequest {
        DeployRequest {
            project: self.project.clone(),
            target: self.target.clone(),
            trigger: self.trigger.clone(),
            reference: self.reference.clone(),
            commit: self.commit.clone(),
            foreign: self.foreign,
            host: self.host.clone(),
        }
    }

    /// The span of the deployment. It has the level of errors, so that all events in it name the
    /// project.
    pub(super) fn span(&self) -> Span {
        error_span!(
            "deployment",
            project = &*self.project,
            id = &*self.id,
            target = %self.target,
            revision = self.snapshot.as_deref(),
            state = tracing::field::Empty,
        )
    }
}

/// A line of the log of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Time in milliseconds since the Unix epoch.
    pub time: u64,
    /// Text of the line.
    pub text: String,
}

/// Log and diagnostics of a deployment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Log lines in order.
    pub log: Vec<LogLine>,
    /// Diagnostics as JSON, in the format of `svc validate --format json`.
    pub diagnostics: serde_json::Value,
    /// Diagnostics formatted for a terminal, with source lines.
    pub problems: String,
    /// Whether the diagnostics of pages are included, which are known only after prerendering.
    pub pages: bool,
}

/// Error of a request to the deployer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriggerError {
    /// The project or deployment does not exist.
    Unknown(String),
    /// The request is not possible at the moment.
    Impossible(String),
    /// The request could not be recorded.
    Storage(String),
}

impl fmt::Display for TriggerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) | Self::Impossible(text) | Self::Storage(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for TriggerError {}

/// Destination of a rollback.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RollbackTarget<'a> {
    /// The previous deployment.
    Previous,
    /// A deployment of this server.
    Deployment(&'a str),
    /// A snapshot, whichever deployment it belongs to.
    Snapshot(&'a str),
}
