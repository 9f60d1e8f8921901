//! One project.

use std::path::PathBuf;
use std::time::Duration;

use super::{Host, HostPattern, Secret};

/// A site and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its name in addresses of programs and in the data folder: `[a-z0-9-]{1,63}`, unique.
    pub id: String,
    /// Hosts that readers find it by; at least one, the first one is its own.
    pub hosts: Vec<Host>,
    /// Whether the other hosts send readers to the first one.
    pub redirect_hosts: bool,
    /// Where its files come from.
    pub source: SourceSettings,
    /// Empty, or the path before all addresses: `/docs`.
    pub base_path: String,
    /// Empty, or where readers find it: `https://docs.example.com`.
    pub origin: String,
    /// Whether errors stop a deployment like fatal problems do.
    pub stop_on_errors: bool,
    /// Whether the repository's own scripts, style sheets and components are used.
    pub scripts: bool,
    /// Whether fonts of the public catalogue are loaded.
    pub web_fonts: bool,
    /// Deployments that are kept for roll-back, with the live one.
    pub keep: usize,
    /// How often the source is looked at for changes.
    pub poll: Option<Duration>,
    /// What the forge calls after a push.
    pub webhook: Option<WebhookSettings>,
    /// Previews of branches and requests.
    pub previews: Option<PreviewSettings>,
}

/// Where the files of a project come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSettings {
    /// A folder of this machine.
    Folder {
        /// The folder that holds `docs.json`.
        path: PathBuf,
        /// Whether a change is deployed at once.
        watch: bool,
    },
    /// A Git repository.
    Git(GitSource),
}

/// A Git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSource {
    /// Its address, as `git clone` takes it.
    pub address: String,
    /// The branch of the live site.
    pub branch: String,
    /// The folder that holds `docs.json`, with `/` and without one at its ends; empty for the root.
    pub subfolder: String,
    /// How the server shows who it is.
    pub credentials: Option<Credentials>,
    /// Whether all commits are fetched, so that pages know when they were changed.
    pub history: bool,
}

/// How a server shows a Git repository who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Over HTTPS.
    Token {
        /// The name that goes with the token.
        user: String,
        /// The token.
        token: Secret,
    },
    /// Over SSH.
    Key {
        /// File of the private key.
        file: PathBuf,
        /// File of the keys of known hosts; the user's own without it.
        known_hosts: Option<PathBuf>,
    },
}

/// What the forge calls after a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSettings {
    /// What signs the calls.
    pub secret: Secret,
}

/// Previews of branches and requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSettings {
    /// The host of each.
    pub host: HostPattern,
    /// Patterns of the branches that get one: `*` stands for any text, `!` in front takes branches
    /// out again. Empty for none.
    pub branches: Vec<String>,
    /// Whether pull and merge requests get one.
    pub requests: bool,
    /// Whether requests from other repositories get one, without scripts and components.
    pub foreign: bool,
    /// How long one stands after the last push.
    pub expire: Duration,
    /// How many stand at once.
    pub most: usize,
}
