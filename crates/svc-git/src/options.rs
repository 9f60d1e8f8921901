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
pub struct Limits {
    /// Time for one fetch.
    pub time: Duration,
    /// Bytes that one fetch may bring.
    pub fetch_bytes: u64,
    /// Bytes of one object in memory.
    pub object_bytes: usize,
    /// Bytes of one exported file.
    pub file_bytes: u64,
    /// Bytes of all exported files.
    pub total_bytes: u64,
    /// Exported files.
    pub files: usize,
    /// Folders within each other.
    pub depth: usize,
    /// Commits that are looked at for dates.
    pub commits: usize,
    /// Time for dates; files not met by then have none.
    pub dates_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(600),
            fetch_bytes: 4 << 30,
            object_bytes: 256 << 20,
            file_bytes: 100 << 20,
            total_bytes: 4 << 30,
            files: 200_000,
            depth: 64,
            commits: 1_000_000,
            dates_time: Duration::from_secs(60),
        }
    }
}

/// How a repository is fetched.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Who asks.
    pub credentials: Credentials,
    /// The program `git` that fetches instead of this crate.
    pub program: Option<PathBuf>,
    /// The program `ssh`; `ssh` of the search path where there is none.
    pub ssh: Option<PathBuf>,
    /// Whether `http://` may be used, which everybody on the way can read and change.
    pub allow_http: bool,
    /// Whether the history is fetched too, for [`crate::Repository::dates`].
    pub history: bool,
    /// The folder of the repository that is wanted; empty for all of it.
    pub subfolder: String,
    /// Further certificates (DER) that are trusted.
    pub roots: Vec<Vec<u8>>,
    /// Limits.
    pub limits: Limits,
}
