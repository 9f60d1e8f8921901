//! The settings of a server with many projects.

mod host;
mod project;
mod secret;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use svc_fetch::Policy;

pub(crate) use host::LONGEST;
pub use host::{Host, HostPattern, NotAHost};
pub use project::{
    Credentials, GitSource, PreviewSettings, Project, SourceSettings, WebhookSettings,
};
pub use secret::Secret;

/// Everything that `server.toml` says, defaults filled in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The folder for what the server keeps.
    pub data: PathBuf,
    /// What `{docs_domain}` stands for in hosts.
    pub docs_domain: Option<String>,
    /// Deployments that a project keeps for roll-back unless it says otherwise.
    pub keep: usize,
    /// Deployments that are built at once.
    pub at_once: usize,
    /// How Git repositories are fetched.
    pub git: GitSettings,
    /// What may be asked of other machines.
    pub outside: OutsideSettings,
    /// The projects, in the order of the file.
    pub projects: Vec<Project>,
}

/// How Git repositories are fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSettings {
    /// The `git` program; without it the server fetches by itself.
    pub program: Option<PathBuf>,
    /// Largest file.
    pub file_bytes: u64,
    /// Largest sum of all files of a deployment.
    pub total_bytes: u64,
    /// Time for one fetch.
    pub timeout: Duration,
}

impl Default for GitSettings {
    fn default() -> Self {
        Self {
            program: None,
            file_bytes: 100 << 20,
            total_bytes: 2 << 30,
            timeout: Duration::from_secs(300),
        }
    }
}

/// What may be asked of other machines, besides the repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideSettings {
    /// What the relay of the playground may reach besides the public internet; nothing when there
    /// is no relay.
    pub relay: Option<Policy>,
    /// Whether nothing is asked of other machines.
    pub offline: bool,
}

impl Default for OutsideSettings {
    fn default() -> Self {
        Self {
            relay: Some(Policy::default()),
            offline: false,
        }
    }
}
