//! What a deployment is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a deployment replaces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishTarget {
    /// The site itself.
    Live,
    /// A preview beside it.
    Preview {
        /// Its name, of which its host is made.
        name: String,
    },
}

impl fmt::Display for PublishTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Live => f.write_str("live"),
            Self::Preview { name } => write!(f, "preview {name}"),
        }
    }
}

/// Why there is a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// The server started.
    Start,
    /// A forge told of new commits.
    Push,
    /// It was looked whether there is something new, and there was.
    Poll,
    /// The files of the folder changed.
    Change,
    /// The server was told to read its settings again.
    Signal,
    /// Somebody ran `svc deploy`.
    Command,
    /// A program asked for it.
    Api,
    /// Somebody asked for it in the dashboard.
    Dashboard {
        /// The account.
        by: String,
    },
    /// A deployment of before was taken back.
    Rollback {
        /// Which one.
        of: String,
    },
}

impl Trigger {
    /// Whether it only looks: nothing is told or kept of it when nothing is new.
    pub(crate) const fn is_poll(&self) -> bool {
        matches!(self, Self::Poll | Self::Change | Self::Start)
    }

    /// Whether a person wants what is there now, also after a roll-back away from it.
    pub(crate) const fn is_manual(&self) -> bool {
        matches!(self, Self::Command | Self::Api | Self::Dashboard { .. })
    }

    /// Whether all servers that share a database are meant, and not the one that was told alone.
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

/// How far a deployment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeploymentState {
    /// It waits for its turn.
    Queued,
    /// Its files are fetched and the site is built.
    Building,
    /// It is what readers see.
    Live,
    /// It was given up; what was served before stays.
    Failed,
    /// A newer one took its place, before or after readers saw it.
    Superseded,
}

impl DeploymentState {
    /// Whether nothing more will be done for it.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Building)
    }

    /// The name of it.
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

/// A commit of a Git repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Commit {
    /// Its id in hexadecimal digits.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// The first line of its message.
    pub message: String,
    /// When, in seconds since 1970.
    pub time: i64,
}

/// Which state of the source is wanted; nothing said means the branch of the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// A branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A full reference, `refs/pull/12/head`; wins over the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What is asked of the deployer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeployRequest {
    /// The id of the project.
    pub project: String,
    /// What to replace.
    pub target: PublishTarget,
    /// Why.
    pub trigger: Trigger,
    /// Which state of the source.
    pub reference: Reference,
    /// The commit as whoever asks knows it; shown until the source has told its own.
    pub commit: Option<Commit>,
    /// Whether the files come from somebody who may not change the project: their scripts and
    /// components never run.
    pub foreign: bool,
    /// The host of a preview, for whoever looks at the deployment.
    pub host: Option<String>,
}

impl DeployRequest {
    /// The live site of a project, from its branch.
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

/// What one server was asked to do and all servers that share a database do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Deploys something.
    Deploy(DeployRequest),
    /// Takes a preview away.
    Remove {
        /// The id of the project.
        project: String,
        /// What.
        target: PublishTarget,
    },
    /// Goes back to files of before.
    RollBack {
        /// The id of the project.
        project: String,
        /// The name of their snapshot.
        snapshot: String,
    },
}

impl Action {
    /// What it is about. Of two actions about the same the later one counts.
    pub(crate) fn subject(&self) -> (&str, &PublishTarget) {
        match self {
            Self::Deploy(request) => (&request.project, &request.target),
            Self::Remove { project, target } => (project, target),
            Self::RollBack { project, .. } => (project, &PublishTarget::Live),
        }
    }
}

/// A deployment. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deployment {
    /// Its name; later ones sort after it.
    pub id: String,
    /// The id of the project.
    pub project: String,
    /// What it replaces.
    pub target: PublishTarget,
    /// Why it is there.
    pub trigger: Trigger,
    /// How far it is.
    pub state: DeploymentState,
    /// Which state of the source was wanted.
    #[serde(default)]
    pub reference: Reference,
    /// The commit it was made of, when the source has commits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// Whether its scripts and components are left out because of who wrote them.
    #[serde(default)]
    pub foreign: bool,
    /// When it was asked for.
    pub queued: u64,
    /// When the work began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// When it became live or was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<u64>,
    /// `12 pages, 1 error`, or why it failed.
    #[serde(default)]
    pub summary: String,
    /// The name of the snapshot it was made of; nothing for one that readers never saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// The host of a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// When the preview that it made was taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<u64>,
    /// Of a roll-back: the snapshot it led away from. Looking for news does not bring that back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// A line of the log of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// When, in milliseconds since 1970.
    pub time: u64,
    /// What happened.
    pub text: String,
}

/// Log and problems of a deployment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// What happened, in order.
    pub log: Vec<LogLine>,
    /// The problems as data, as `svc validate --format json` prints them.
    pub diagnostics: serde_json::Value,
    /// The problems for a terminal, with the lines they are in.
    pub problems: String,
    /// Whether the problems of pages are among them; they are found after the site is live.
    pub pages: bool,
}

/// Why nothing was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriggerError {
    /// There is no such project or deployment.
    Unknown(String),
    /// It cannot be done now.
    Impossible(String),
    /// The server could not write it down.
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
