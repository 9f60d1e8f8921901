//! Errors of repositories, for operators. They contain names of hosts and branches, never secrets.

use std::path::PathBuf;

use svc_fetch::FetchError;

use crate::RepositoryLimits;

/// Why a repository could not be used.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The remote is invalid.
    #[error("invalid repository URL: {0}")]
    InvalidUrl(&'static str),
    /// The name of a branch, tag or reference is invalid.
    #[error("`{0}` is not a valid branch name")]
    InvalidReference(String),
    /// The subfolder is not a relative path inside of the repository.
    #[error("`{0}` is not a folder inside the repository")]
    InvalidSubfolder(String),
    /// The branch does not exist.
    #[error("the repository has no branch `{name}`{}", format_suggestions(.suggestions))]
    ReferenceNotFound {
        /// The requested name.
        name: String,
        /// Similar names, or the most common ones.
        suggestions: Vec<String>,
    },
    /// The repository has no commits.
    #[error("the repository is empty; push a first commit")]
    Empty,
    /// The subfolder does not exist in the commit.
    #[error("the commit has no folder `{0}`")]
    SubfolderNotFound(String),
    /// The repository does not exist, or the credentials do not give access to it.
    #[error("the repository does not exist, or other credentials are required: {0}")]
    NotFound(String),
    /// The credentials were rejected.
    #[error("`{host}` rejected the credentials ({response}); {hint}")]
    Unauthorized {
        /// The host.
        host: String,
        /// Response of the host.
        response: String,
        /// Next step for the operator.
        hint: &'static str,
    },
    /// The request failed.
    #[error(transparent)]
    Network(#[from] FetchError),
    /// The server violates Git's protocol.
    #[error("`{host}` did not respond as a Git server: {reason}")]
    Protocol {
        /// The host.
        host: String,
        /// The reason.
        reason: String,
    },
    /// The server redirects to another host.
    #[error("`{from}` redirects to `{to}`; use that URL if it is correct")]
    Redirect {
        /// Host of the remote.
        from: String,
        /// Target of the redirect.
        to: String,
    },
    /// The server reported an error.
    #[error("`{host}` says: {message}")]
    Remote {
        /// The host.
        host: String,
        /// Message of the server.
        message: String,
    },
    /// A limit is exceeded.
    #[error("the repository is too large: more than {max} {what}")]
    TooLarge {
        /// The limit.
        max: u64,
        /// Unit of the limit.
        what: &'static str,
    },
    /// The fetch exceeded its timeout, in seconds.
    #[error("fetching took longer than {0} seconds")]
    Timeout(u64),
    /// A program could not be started or failed.
    #[error("{program}: {reason}")]
    Program {
        /// Name of the program.
        program: String,
        /// The reason, for example its error output.
        reason: String,
    },
    /// The store is corrupt. The next fetch recreates it.
    #[error("the stored copy of the repository is corrupt: {0}")]
    Corrupt(String),
    /// Another process uses the store.
    #[error("another process uses the stored copy of the repository")]
    Busy,
    /// A local file operation failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        error: std::io::Error,
    },
}

impl GitError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }

    pub(crate) fn protocol(host: &str, reason: impl Into<String>) -> Self {
        Self::Protocol {
            host: host.to_owned(),
            reason: reason.into(),
        }
    }

    /// A message of the server.
    pub(crate) fn remote(host: &str, message: &str) -> Self {
        Self::Remote {
            host: host.to_owned(),
            message: sanitize_line(message),
        }
    }

    pub(crate) const fn too_deep(limits: &RepositoryLimits) -> Self {
        Self::TooLarge {
            max: limits.max_depth as u64,
            what: "folders within each other",
        }
    }

    pub(crate) const fn too_many_files(limits: &RepositoryLimits) -> Self {
        Self::TooLarge {
            max: limits.max_files as u64,
            what: "files",
        }
    }

    pub(crate) const fn too_many_bytes(limits: &RepositoryLimits) -> Self {
        Self::TooLarge {
            max: limits.max_total_bytes,
            what: "bytes in its files",
        }
    }

    pub(crate) fn corrupt(error: impl std::fmt::Display) -> Self {
        Self::Corrupt(error.to_string())
    }

    /// Whether a retry may succeed.
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Network(_) | Self::Timeout(_) | Self::Busy | Self::Corrupt(_)
        )
    }
}

fn format_suggestions(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [single] => format!("; did you mean {single}?"),
        more => format!("; there are {}", more.join(", ")),
    }
}

/// Shortens remote text to one line without control characters.
pub(crate) fn sanitize_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let joined = lines.collect::<Vec<_>>().join("; ");
    joined
        .chars()
        .filter(|c| !c.is_control())
        .take(400)
        .collect()
}
