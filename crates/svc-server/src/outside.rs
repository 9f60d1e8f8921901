//! Command line options about what is beyond this machine, for every program that serves a site.

use std::path::Path;

use clap::Args;
use svc_fetch::{NotAPolicy, Policy};

use crate::GitHubOptions;

/// What the server may fetch from elsewhere.
#[derive(Debug, Clone, Default, Args)]
pub struct Outside {
    /// Passes no requests of the playground on; browsers send them themselves
    #[arg(long)]
    no_relay: bool,
    /// Lets the relay reach a host or network that is not public: `api.internal`,
    /// `localhost:3000`, `10.1.0.0/16`. May be given several times
    #[arg(long, value_name = "HOST_OR_NETWORK", value_parser = host_or_network)]
    relay_allow: Vec<String>,
    /// Asks no other server for anything: no relay, and no numbers of repositories on GitHub
    #[arg(long)]
    offline: bool,
}

fn host_or_network(text: &str) -> Result<String, NotAPolicy> {
    Policy::allowing([text])?;
    Ok(text.to_owned())
}

impl Outside {
    /// What the relay may reach besides the public internet; nothing without relay.
    pub fn relay(&self) -> Option<Policy> {
        // Each text was read once before.
        let policy = || Policy::allowing(&self.relay_allow).unwrap_or_default();
        (!self.no_relay && !self.offline).then(policy)
    }

    /// Whom to ask about repositories; `folder` keeps the answers.
    pub fn github(&self, folder: Option<&Path>) -> Option<GitHubOptions> {
        (!self.offline).then(|| GitHubOptions::kept_in(folder))
    }
}
