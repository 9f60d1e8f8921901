//! Command-line options for outgoing requests, shared by all programs that serve a site.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use svc_fetch::Policy;

use crate::remote_documents::host_or_network;
use crate::{GitHubOptions, REMOTE_REFRESH_INTERVAL, RemoteDocumentArgs, RemoteDocumentOptions};

/// Options for outgoing requests.
#[derive(Debug, Clone, Default, Args)]
pub struct NetworkArgs {
    /// Disable the relay of the API playground; browsers send requests directly
    #[arg(long)]
    no_relay: bool,
    /// Allow the relay to reach a host or network outside of the public internet: `api.internal`,
    /// `localhost:3000`, `10.1.0.0/16`. Can be repeated
    #[arg(long, value_name = "HOST_OR_NETWORK", value_parser = host_or_network)]
    relay_allow: Vec<String>,
    /// Send no outgoing requests: disables the relay and statistics of GitHub repositories, and
    /// uses only cached copies of remote OpenAPI documents
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote: RemoteDocumentArgs,
    /// Interval in seconds at which remote OpenAPI documents are fetched again; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = REMOTE_REFRESH_INTERVAL.as_secs())]
    remote_refresh: u64,
}

impl NetworkArgs {
    /// Hosts that the relay can reach in addition to the public internet; `None` if the relay is
    /// disabled.
    pub fn relay(&self) -> Option<Policy> {
        // clap has already validated each rule.
        let policy = || Policy::from_rules(&self.relay_allow).unwrap_or_default();
        (!self.no_relay && !self.offline).then(policy)
    }

    /// Options for remote OpenAPI documents with a cache in `dir`.
    pub fn remote_documents(&self, dir: Option<&Path>) -> RemoteDocumentOptions {
        let every = Duration::from_secs(self.remote_refresh);
        RemoteDocumentOptions {
            refresh_interval: Some(every).filter(|every| !every.is_zero()),
            ..self
                .remote
                .options(dir.map(Path::to_path_buf), self.offline)
        }
    }

    /// Options of the GitHub client with a cache in `dir`; `None` if outgoing requests are
    /// disabled.
    pub fn github(&self, dir: Option<&Path>) -> Option<GitHubOptions> {
        (!self.offline).then(|| GitHubOptions::cached_in(dir))
    }
}
