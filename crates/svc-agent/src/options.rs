//! What the operator decides.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use svc_admin_api::ProjectId;
use svc_fetch::{Client, Policy};
use svc_git::{Credentials, Secret};
use tokio::sync::Notify;

use crate::{Forge, Sandbox};

/// How jobs are worked on.
#[derive(Clone)]
pub struct Options {
    /// The agent: a program and its arguments.
    pub command: Vec<String>,
    /// Names of the server's variables that the agent gets. Nothing else of the server's
    /// environment reaches it but `PATH`, `LANG` and `TZ`.
    pub environment: Vec<String>,
    /// Whether the agent is kept apart from the server.
    pub sandbox: Sandbox,
    /// The folder whose files no agent sees, but those of its run.
    pub data_dir: PathBuf,
    /// Secrets that must not be pushed, beside those of the environment and of the project.
    pub secrets: Vec<Secret>,
    /// Time for one run of the agent.
    pub timeout: Duration,
    /// Time from the request to end (SIGTERM) to the end (SIGKILL).
    pub grace_period: Duration,
    /// Jobs that are worked on at the same time.
    pub concurrency: usize,
    /// Bytes of one run's output that go to the log.
    pub max_output_bytes: usize,
    /// Where clones are made.
    pub workspace_dir: PathBuf,
    /// The program `git`.
    pub git_program: PathBuf,
    /// Time for one call of Git.
    pub git_timeout: Duration,
    /// How long a worker that is lost keeps others from its job.
    pub lease_ttl: Duration,
    /// Time between two looks for a job.
    pub poll_interval: Duration,
    /// Time before a forge that failed is asked again, growing with every time.
    pub retry_delay: Duration,
    /// Whom commits name.
    pub author: Author,
    /// What may be committed.
    pub limits: WorkTreeLimits,
    /// The projects by name.
    pub projects: BTreeMap<ProjectId, ProjectOptions>,
    /// What asks forges.
    pub client: Client,
    /// Wakes a worker that waits for a job.
    pub wake: Arc<Notify>,
    /// Gets lines for the log of the server: which job begins and how it ends, and a store that
    /// cannot be reached.
    pub report: fn(&str),
}

/// Whom commits name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

/// What may be committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkTreeLimits {
    /// Files and folders of the work tree.
    pub max_files: u64,
    /// Bytes of all files of the work tree.
    pub max_bytes: u64,
    /// Folders within each other.
    pub max_depth: usize,
}

/// What belongs to one project.
#[derive(Debug, Clone)]
pub struct ProjectOptions {
    /// Who fetches and pushes. A token is sent over HTTP, a key is used with SSH.
    pub credentials: Credentials,
    /// The program `ssh`; that of the search path where there is none.
    pub ssh_program: Option<PathBuf>,
    /// Where pull requests are opened.
    pub forge: Forge,
}

impl Options {
    /// The options of a command, with what is usual for the rest and no project.
    pub fn new(command: Vec<String>, folder: impl Into<PathBuf>) -> Self {
        let limits = svc_fetch::FetchLimits {
            total_timeout: Duration::from_secs(30),
            max_body_bytes: 4 << 20,
            ..svc_fetch::FetchLimits::default()
        };
        let folder = folder.into();
        Self {
            command,
            environment: Vec::new(),
            sandbox: Sandbox::default(),
            data_dir: folder.parent().unwrap_or(&folder).to_owned(),
            secrets: Vec::new(),
            timeout: Duration::from_secs(30 * 60),
            grace_period: Duration::from_secs(10),
            concurrency: 1,
            max_output_bytes: 512 << 10,
            workspace_dir: folder,
            git_program: PathBuf::from("git"),
            git_timeout: Duration::from_secs(600),
            lease_ttl: Duration::from_secs(60),
            poll_interval: Duration::from_secs(1),
            retry_delay: Duration::from_secs(2),
            author: Author::default(),
            limits: WorkTreeLimits::default(),
            projects: BTreeMap::new(),
            client: Client::new(Policy::default(), limits),
            wake: Arc::default(),
            report: |_| {},
        }
    }
}

impl Default for Author {
    fn default() -> Self {
        Self {
            name: "svc agent".to_owned(),
            email: "svc-agent@localhost".to_owned(),
        }
    }
}

impl Default for WorkTreeLimits {
    fn default() -> Self {
        Self {
            max_files: 200_000,
            max_bytes: 4 << 30,
            max_depth: 64,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("command", &self.command)
            .field("environment", &self.environment)
            .field("timeout", &self.timeout)
            .field("concurrency", &self.concurrency)
            .field("folder", &self.workspace_dir)
            .field("projects", &self.projects)
            .finish_non_exhaustive()
    }
}
