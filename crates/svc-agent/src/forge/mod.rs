//! Forges: finding and opening the pull request of a branch, and what is shown about it.

mod api;
mod error;
mod gitea;
mod github;
mod gitlab;
mod hook;
mod rest;
mod review;

use svc_admin_api::agent_job::{Link, Repository};
use svc_fetch::{Client, FetchError, Url};
use svc_git::Secret;

pub use hook::Hook;
pub use rest::RestForge;

use api::ForgeApi;
pub(crate) use api::PullRequestSpec;
pub use error::ForgeError;
pub use review::{CommitState, CommitStatus};

/// Where pull requests are opened.
#[derive(Debug, Clone)]
pub enum Forge {
    /// A forge with a JSON API.
    Rest(RestForge),
    /// A command of the operator.
    Hook(Hook),
}

/// A forge with a JSON API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeKind {
    /// `github`: GitHub, and GitHub Enterprise Server.
    GitHub,
    /// `gitlab`: GitLab.
    GitLab,
    /// `gitea` and `forgejo`, which have the same API.
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

/// Why the configuration of a forge is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForgeConfigError {
    /// The URL of the repository has no host, so the forge is unknown.
    #[error("the repository URL has no host; set the URL of the forge")]
    MissingHost,
    /// The URL of the forge is invalid.
    #[error("the URL of the forge cannot be used: {0}")]
    InvalidUrl(#[from] FetchError),
    /// The URL of the repository has no owner and repository name.
    #[error("the repository URL does not end in `owner/repository`")]
    MissingName,
}

impl RestForge {
    /// Creates a forge with a JSON API. `home_url` is the URL of its home page; if `None`, it is
    /// derived from that of the repository.
    ///
    /// # Errors
    /// When the URLs do not identify the API and the repository.
    pub fn new(
        kind: ForgeKind,
        repository: &Repository,
        home_url: Option<&str>,
        token: Secret,
    ) -> Result<Self, ForgeConfigError> {
        let repository_url =
            Url::parse(repository.as_str()).map_err(|_| ForgeConfigError::MissingName)?;
        let host = repository_url.host_str().filter(|host| !host.is_empty());
        let home = match (home_url, host) {
            (Some(home_url), _) => svc_fetch::parse_url(home_url)?,
            (None, None) => return Err(ForgeConfigError::MissingHost),
            (None, Some(_)) if matches!(repository_url.scheme(), "http" | "https") => {
                let mut home = repository_url.clone();
                home.set_path("");
                home
            }
            // The port belongs to another protocol.
            (None, Some(host)) => svc_fetch::parse_url(&format!("https://{host}"))?,
        };
        let forge = kind.api();
        let api = match forge.api_host {
            Some((host, api)) if home.host_str() == Some(host) => api.to_owned(),
            _ => rest::join_url(&home, forge.api),
        };
        let name =
            rest::repository_name(&repository_url, &home).ok_or(ForgeConfigError::MissingName)?;
        if !forge.groups && name.split('/').count() != 2 {
            return Err(ForgeConfigError::MissingName);
        }
        Ok(Self {
            forge_api: forge,
            home: rest::join_url(&home, ""),
            api,
            name,
            token,
        })
    }
}

impl Forge {
    /// Creates a forge with a JSON API, as [`RestForge::new`].
    ///
    /// # Errors
    /// As [`RestForge::new`].
    pub fn new(
        kind: ForgeKind,
        repository: &Repository,
        home_url: Option<&str>,
        token: Secret,
    ) -> Result<Self, ForgeConfigError> {
        RestForge::new(kind, repository, home_url, token).map(Self::Rest)
    }

    /// The secret to redact in logs.
    pub(crate) fn secret(&self) -> Option<&str> {
        match self {
            Self::Rest(rest) => Some(rest.token.reveal()),
            Self::Hook(_) => None,
        }
    }

    /// Finds the open pull request of a branch, or opens one.
    pub(crate) async fn pull_request(
        &self,
        client: &Client,
        spec: &PullRequestSpec<'_>,
    ) -> Result<Link, ForgeError> {
        let rest = match self {
            Self::Rest(rest) => rest,
            Self::Hook(hook) => return hook.run(spec).await,
        };
        match rest.find(client, spec).await? {
            Some(link) => Ok(link),
            None => rest.open(client, spec).await,
        }
    }
}

#[cfg(test)]
mod tests;
