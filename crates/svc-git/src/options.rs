//! Options for fetching a repository.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A password, token or key. It is redacted in debug output, and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret. Trailing line breaks, as in files, are removed.
    pub fn new(text: impl Into<String>) -> Self {
        let text: String = text.into();
        Self(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// The secret in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Credentials for a remote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// No credentials. With SSH the agent of the user that runs the server is used.
    #[default]
    None,
    /// HTTP: user name and token, sent as `Authorization: Basic`.
    Token {
        /// User name. Forges have different requirements; most accept any name.
        user: String,
        /// Access token.
        token: Secret,
    },
    /// SSH: a private key without passphrase.
    Key {
        /// File of the private key.
        file: PathBuf,
        /// `known_hosts` file; if `None`, the one of the user that runs the server.
        known_hosts: Option<PathBuf>,
    },
}

/// Limits of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryLimits {
    /// Time for a fetch.
    pub fetch_timeout: Duration,
    /// Maximum number of bytes of a fetch.
    pub max_fetch_bytes: u64,
    /// Maximum size of an object in memory, in bytes.
    pub max_object_bytes: usize,
    /// Maximum size of an exported file in bytes.
    pub max_file_bytes: u64,
    /// Maximum size of all exported files in bytes.
    pub max_total_bytes: u64,
    /// Maximum number of exported files.
    pub max_files: usize,
    /// Maximum nesting depth of folders.
    pub max_depth: usize,
    /// Maximum number of commits that are visited for dates.
    pub max_commits: usize,
    /// Time for dates. Files that are not reached in time have none.
    pub dates_timeout: Duration,
}

impl Default for RepositoryLimits {
    fn default() -> Self {
        Self {
            fetch_timeout: Duration::from_secs(600),
            max_fetch_bytes: 4 << 30,
            max_object_bytes: 256 << 20,
            max_file_bytes: 100 << 20,
            max_total_bytes: 4 << 30,
            max_files: 200_000,
            max_depth: 64,
            max_commits: 1_000_000,
            dates_timeout: Duration::from_secs(60),
        }
    }
}

/// Options for fetching and exporting a repository.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Credentials for the remote.
    pub credentials: Credentials,
    /// The program `git`, which then fetches instead of this crate.
    pub git_program: Option<PathBuf>,
    /// The program `ssh`; if `None`, `ssh` in `PATH`.
    pub ssh_program: Option<PathBuf>,
    /// Whether `http://` is allowed, which can be read and modified on the network.
    pub allow_http: bool,
    /// Whether to fetch the history, which [`crate::Repository::dates`] needs.
    pub history: bool,
    /// Folder of the repository to export; empty for the whole repository.
    pub subfolder: String,
    /// Additional trusted certificates (DER).
    pub roots: Vec<Vec<u8>>,
    /// Limits of the repository.
    pub limits: RepositoryLimits,
}
