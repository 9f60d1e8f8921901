//! How a repository is fetched.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text to itself. Line breaks at the end, as files have them, are left out.
    pub fn new(text: impl Into<String>) -> Self {
        let text: String = text.into();
        Self(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// The text, for the one place where it has to be told.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Everybody; with SSH the agent of the account that the server runs as.
    #[default]
    None,
    /// HTTP: a user and a token, sent as `Authorization: Basic`.
    Token {
        /// The user; forges differ in what they want, most take anything.
        user: String,
        /// The token.
        token: Secret,
    },
    /// SSH: a key without passphrase.
    Key {
        /// The file of the private key.
        file: PathBuf,
        /// The file of known hosts; that of the account where there is none.
        known_hosts: Option<PathBuf>,
    },
}

/// What a repository may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryLimits {
    /// Time for one fetch.
    pub fetch_timeout: Duration,
    /// Bytes that one fetch may bring.
    pub max_fetch_bytes: u64,
    /// Bytes of one object in memory.
    pub max_object_bytes: usize,
    /// Bytes of one exported file.
    pub max_file_bytes: u64,
    /// Bytes of all exported files.
    pub max_total_bytes: u64,
    /// Exported files.
    pub max_files: usize,
    /// Folders within each other.
    pub max_depth: usize,
    /// Commits that are looked at for dates.
    pub max_commits: usize,
    /// Time for dates; files not met by then have none.
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

/// How a repository is fetched.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Who asks.
    pub credentials: Credentials,
    /// The program `git` that fetches instead of this crate.
    pub git_program: Option<PathBuf>,
    /// The program `ssh`; `ssh` of the search path where there is none.
    pub ssh_program: Option<PathBuf>,
    /// Whether `http://` may be used, which everybody on the way can read and change.
    pub allow_http: bool,
    /// Whether the history is fetched too, for [`crate::Repository::dates`].
    pub history: bool,
    /// The folder of the repository that is wanted; empty for all of it.
    pub subfolder: String,
    /// Further certificates (DER) that are trusted.
    pub roots: Vec<Vec<u8>>,
    /// Limits.
    pub limits: RepositoryLimits,
}
