//! Configuration by the operator.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use svc_admin_api::ProjectId;
use svc_fetch::{Client, Policy};
use svc_git::{Credentials, Secret};
use tokio::sync::Notify;

use crate::{Forge, JobCounters};

/// Options of workers and agents.
#[derive(Clone)]
pub struct Options {
    /// Command of the agent: program and arguments.
    pub command: Vec<String>,
    /// Environment variables of the server that the agent receives, in addition to `PATH`, `LANG`
    /// and `TZ`.
    pub environment: Vec<String>,
    /// Whether the agent is isolated from the server.
    pub sandbox: Sandbox,
    /// Data directory of the server. Agents see only the files of their run in it.
    pub data_dir: PathBuf,
    /// Secrets that must not be pushed, in addition to those of the environment and the project.
    pub secrets: Vec<Secret>,
    /// Timeout for a run of the agent.
    pub timeout: Duration,
    /// Time between termination (SIGTERM) and kill (SIGKILL).
    pub grace_period: Duration,
    /// Maximum number of concurrent jobs.
    pub concurrency: usize,
    /// Maximum number of bytes of the agent's output in the log.
    pub max_output_bytes: usize,
    /// Directory for clones.
    pub workspace_dir: PathBuf,
    /// The program `git`.
    pub git_program: PathBuf,
    /// Timeout for a call of Git.
    pub git_timeout: Duration,
    /// Lifetime of a lease; after that, the job of a lost worker can be claimed.
    pub lease_ttl: Duration,
    /// Interval for polling for jobs.
    pub poll_interval: Duration,
    /// Delay before a failed request to a forge is retried; it grows with each attempt.
    pub retry_delay: Duration,
    /// Author of commits.
    pub author: Author,
    /// Limits of a commit.
    pub limits: WorkTreeLimits,
    /// Options of the projects.
    pub projects: BTreeMap<ProjectId, ProjectOptions>,
    /// HTTP client for forges.
    pub client: Client,
    /// Count the jobs of the workers.
    pub counters: Arc<JobCounters>,
    /// Wakes a waiting worker.
    pub wake: Arc<Notify>,
}

/// Author of commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Name.
    pub name: String,
    /// E-mail address.
    pub email: String,
}

/// Whether agents are isolated from the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// In a sandbox; if it is not available, no agent runs.
    #[default]
    Auto,
    /// Not isolated: the agent has all permissions of the server's account.
    None,
}

/// Limits of the work tree of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkTreeLimits {
    /// Maximum number of files and folders.
    pub max_files: u64,
    /// Maximum size of all files in bytes.
    pub max_bytes: u64,
    /// Maximum nesting depth of folders.
    pub max_depth: usize,
}

/// Options of a project.
#[derive(Debug, Clone)]
pub struct ProjectOptions {
    /// Credentials for fetch and push: a token for HTTP, a key for SSH.
    pub credentials: Credentials,
    /// The program `ssh`; if `None`, `ssh` in `PATH`.
    pub ssh_program: Option<PathBuf>,
    /// Where pull requests are opened.
    pub forge: Forge,
}

impl Options {
    /// Options for a command, with defaults and no projects.
    pub fn new(command: Vec<String>, workspace_dir: impl Into<PathBuf>) -> Self {
        let limits = svc_fetch::FetchLimits {
            total_timeout: Duration::from_secs(30),
            max_body_bytes: 4 << 20,
            ..svc_fetch::FetchLimits::default()
        };
        let workspace_dir = workspace_dir.into();
        Self {
            command,
            environment: Vec::new(),
            sandbox: Sandbox::default(),
            data_dir: workspace_dir.parent().unwrap_or(&workspace_dir).to_owned(),
            secrets: Vec::new(),
            timeout: Duration::from_secs(30 * 60),
            grace_period: Duration::from_secs(10),
            concurrency: 1,
            max_output_bytes: 512 << 10,
            workspace_dir,
            git_program: PathBuf::from("git"),
            git_timeout: Duration::from_secs(600),
            lease_ttl: Duration::from_secs(60),
            poll_interval: Duration::from_secs(1),
            retry_delay: Duration::from_secs(2),
            author: Author::default(),
            limits: WorkTreeLimits::default(),
            projects: BTreeMap::new(),
            client: Client::new(Policy::default(), limits),
            counters: Arc::default(),
            wake: Arc::default(),
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
