//! Forges: finding and opening the pull request of a branch.

mod api;
mod gitea;
mod github;
mod gitlab;
mod hook;
mod rest;

use http::StatusCode;
use svc_admin_api::agent_job::{Link, Repository};
use svc_fetch::{Client, FetchError, Url};
use svc_git::Secret;

pub use hook::Hook;
pub use rest::RestForge;

use crate::messages::sanitize_line;

use api::ForgeApi;

/// Where pull requests are opened.
#[derive(Debug, Clone)]
pub enum Forge {
    /// One that is asked over HTTP.
    Rest(RestForge),
    /// A command of the operator.
    Hook(Hook),
}

/// The forges that are asked over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeKind {
    /// `github`: GitHub, and GitHub Enterprise Server.
    GitHub,
    /// `gitlab`.
    GitLab,
    /// `gitea` and `forgejo`, which speak the same.
    Gitea,
}

impl ForgeKind {
    const fn api(self) -> &'static ForgeApi {
        match self {
            Self::GitHub => &github::GITHUB,
            Self::GitLab => &gitlab::GITLAB,
            Self::Gitea => &gitea::GITEA,
        }
    }
}

/// Why a forge cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForgeConfigError {
    /// The repository is in no place that tells where the forge is.
    #[error("the address of the repository names no host; name the address of the forge")]
    MissingHost,
    /// The address of the forge is none.
    #[error("the address of the forge cannot be used: {0}")]
    InvalidUrl(#[from] FetchError),
    /// The address of the repository does not name an owner and a repository.
    #[error("the address of the repository does not end in `owner/repository`")]
    MissingName,
}

/// The pull request that is wanted.
#[derive(Debug)]
pub(crate) struct PullRequestSpec<'a> {
    /// The branch with the changes.
    pub(crate) branch: &'a str,
    /// The branch that they are for.
    pub(crate) base: &'a str,
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
    pub(crate) commit: &'a str,
    pub(crate) job: &'a str,
    pub(crate) project: &'a str,
    pub(crate) repository: &'a str,
}

/// Why there is no pull request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ForgeError {
    #[error("{forge} answered {status}{}{message}", if .message.is_empty() { "" } else { ": " })]
    Status {
        forge: &'static str,
        status: StatusCode,
        message: String,
    },
    #[error("{forge} gave an answer that cannot be read: {what}")]
    InvalidResponse {
        forge: &'static str,
        what: &'static str,
    },
    #[error("{forge} cannot be asked: {error}")]
    Fetch {
        forge: &'static str,
        error: FetchError,
    },
    #[error("the hook {0}")]
    Hook(String),
}

impl ForgeError {
    /// Whether trying again soon may help.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Status { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Self::Fetch { error, .. } => !error.is_refusal(),
            Self::InvalidResponse { .. } | Self::Hook(_) => false,
        }
    }

    /// Whether the answer has this status.
    fn has_status(&self, wanted: StatusCode) -> bool {
        matches!(self, Self::Status { status, .. } if *status == wanted)
    }

    fn from_response(forge: &'static str, status: StatusCode, message: &str) -> Self {
        let message = sanitize_line(message);
        Self::Status {
            forge,
            status,
            message,
        }
    }
}

impl Forge {
    /// A forge that is asked over HTTP. Its address is that of its home page; without one it
    /// stands where the repository is.
    ///
    /// # Errors
    /// When the addresses do not say where to ask for what.
    pub fn new(
        kind: ForgeKind,
        repository: &Repository,
        address: Option<&str>,
        token: Secret,
    ) -> Result<Self, ForgeConfigError> {
        let place = Url::parse(repository.as_str()).map_err(|_| ForgeConfigError::MissingName)?;
        let host = place.host_str().filter(|host| !host.is_empty());
        let home = match (address, host) {
            (Some(address), _) => svc_fetch::parse_url(address)?,
            (None, None) => return Err(ForgeConfigError::MissingHost),
            (None, Some(_)) if matches!(place.scheme(), "http" | "https") => {
                let mut home = place.clone();
                home.set_path("");
                home
            }
            // The port is that of another protocol.
            (None, Some(host)) => svc_fetch::parse_url(&format!("https://{host}"))?,
        };
        let forge = kind.api();
        let api = match forge.api_host {
            Some((host, api)) if home.host_str() == Some(host) => api.to_owned(),
            _ => rest::join_url(&home, forge.api),
        };
        let name = rest::repository_name(&place, &home).ok_or(ForgeConfigError::MissingName)?;
        if !forge.groups && name.split('/').count() != 2 {
            return Err(ForgeConfigError::MissingName);
        }
        Ok(Self::Rest(RestForge {
            forge_api: forge,
            api,
            name,
            token,
        }))
    }

    /// What no log may show.
    pub(crate) fn secret(&self) -> Option<&str> {
        match self {
            Self::Rest(rest) => Some(rest.token.reveal()),
            Self::Hook(_) => None,
        }
    }

    /// The open pull request of a branch: the one that is there, or a new one.
    pub(crate) async fn pull_request(
        &self,
        client: &Client,
        wanted: &PullRequestSpec<'_>,
    ) -> Result<Link, ForgeError> {
        let rest = match self {
            Self::Rest(rest) => rest,
            Self::Hook(hook) => return hook.run(wanted).await,
        };
        match rest.forge_api.find(rest, client, wanted).await? {
            Some(link) => Ok(link),
            None => rest.forge_api.open(rest, client, wanted).await,
        }
    }
}

#[cfg(test)]
mod tests;
