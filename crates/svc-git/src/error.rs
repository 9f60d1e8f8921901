//! Why a repository could not be used, in words for the operator. They hold names of hosts and
//! branches, never a secret.

use std::path::PathBuf;

use svc_fetch::FetchError;

/// Why a repository could not be used.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The address cannot be used.
    #[error("the address of the repository cannot be used: {0}")]
    InvalidUrl(&'static str),
    /// The name of a branch, tag or reference is none.
    #[error("`{0}` is not the name of a branch")]
    InvalidReference(String),
    /// The subfolder is none.
    #[error("`{0}` is not a folder inside of a repository")]
    InvalidSubfolder(String),
    /// There is no such branch.
    #[error("the repository has no branch `{name}`{}", format_suggestions(.suggestions))]
    ReferenceNotFound {
        /// What was asked for.
        name: String,
        /// Names like it.
        suggestions: Vec<String>,
    },
    /// There is no commit at all.
    #[error("the repository is empty; push a first commit")]
    Empty,
    /// The subfolder is not in the commit.
    #[error("the commit has no folder `{0}`")]
    SubfolderNotFound(String),
    /// There is no repository, or not for us.
    #[error("there is no repository at the address, or it needs other credentials: {0}")]
    NotFound(String),
    /// The credentials were refused.
    #[error("`{host}` refused the credentials ({response}); {hint}")]
    Unauthorized {
        /// The host.
        host: String,
        /// What it said.
        response: String,
        /// What to do.
        hint: &'static str,
    },
    /// The host could not be reached or broke off.
    #[error(transparent)]
    Network(#[from] FetchError),
    /// The server answers something else than Git.
    #[error("`{host}` does not answer as a Git server: {why}")]
    Protocol {
        /// The host.
        host: String,
        /// What is wrong.
        why: String,
    },
    /// The server leads elsewhere.
    #[error("`{from}` leads to `{to}`; write that address if it is the right one")]
    Redirect {
        /// The host of the address.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// The server said so.
    #[error("`{host}` says: {message}")]
    Remote {
        /// The host.
        host: String,
        /// Its words.
        message: String,
    },
    /// A limit was reached.
    #[error("the repository is too large: more than {max} {what}")]
    TooLarge {
        /// The limit.
        max: u64,
        /// Of what.
        what: &'static str,
    },
    /// It took too long.
    #[error("fetching took longer than {0} seconds")]
    Timeout(u64),
    /// A program could not be started or failed.
    #[error("{program}: {why}")]
    Program {
        /// Which.
        program: String,
        /// What it said.
        why: String,
    },
    /// The store of the repository is broken. Fetching makes it anew.
    #[error("the stored copy of the repository is broken: {0}")]
    Corrupt(String),
    /// Another fetch is under way.
    #[error("another process uses the stored copy of the repository")]
    Busy,
    /// A file of this machine.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

impl GitError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }

    pub(crate) fn corrupt(error: impl std::fmt::Display) -> Self {
        Self::Corrupt(error.to_string())
    }

    /// Whether trying again soon may help.
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
        [one] => format!("; there is {one}"),
        more => format!("; there are {}", more.join(", ")),
    }
}

/// What others say, on one line of reasonable length and without control characters.
pub(crate) fn sanitize_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let joined = lines.collect::<Vec<_>>().join("; ");
    joined
        .chars()
        .filter(|c| !c.is_control())
        .take(400)
        .collect()
}
