//! Command line options about what is beyond this machine, for every program that serves a site.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use svc_fetch::{ParsePolicyError, Policy};

use crate::{GitHubOptions, REMOTE_REFRESH_INTERVAL, RemoteDocumentArgs, RemoteDocumentOptions};

/// What the server may fetch from elsewhere.
#[derive(Debug, Clone, Default, Args)]
pub struct NetworkArgs {
    /// Passes no requests of the playground on; browsers send them themselves
    #[arg(long)]
    no_relay: bool,
    /// Lets the relay reach a host or network that is not public: `api.internal`,
    /// `localhost:3000`, `10.1.0.0/16`. May be given several times
    #[arg(long, value_name = "HOST_OR_NETWORK", value_parser = host_or_network)]
    relay_allow: Vec<String>,
    /// Asks no other server for anything: no relay, no numbers of repositories on GitHub, and of
    /// hosted OpenAPI documents only the copies
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote: RemoteDocumentArgs,
    /// Asks for hosted OpenAPI documents again after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = REMOTE_REFRESH_INTERVAL.as_secs())]
    hosted_every: u64,
}

fn host_or_network(text: &str) -> Result<String, ParsePolicyError> {
    Policy::from_rules([text])?;
    Ok(text.to_owned())
}

impl NetworkArgs {
    /// What the relay may reach besides the public internet; nothing without relay.
    pub fn relay(&self) -> Option<Policy> {
        // Each text was read once before.
        let policy = || Policy::from_rules(&self.relay_allow).unwrap_or_default();
        (!self.no_relay && !self.offline).then(policy)
    }

    /// How hosted OpenAPI documents are fetched; `folder` keeps copies.
    pub fn remote_documents(&self, folder: Option<&Path>) -> RemoteDocumentOptions {
        let every = Duration::from_secs(self.hosted_every);
        RemoteDocumentOptions {
            refresh_interval: Some(every).filter(|every| !every.is_zero()),
            ..self
                .remote
                .options(folder.map(Path::to_path_buf), self.offline)
        }
    }

    /// Whom to ask about repositories; `folder` keeps the answers.
    pub fn github(&self, folder: Option<&Path>) -> Option<GitHubOptions> {
        (!self.offline).then(|| GitHubOptions::cached_in(folder))
    }
}
