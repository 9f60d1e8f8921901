//! Deployments: asking for one, and how far it is. Making them is the matter of a program, behind
//! [`Deployments`].

mod ask;
mod handler;
mod model;
mod store;

use std::future::Future;

pub use ask::ask_for_deployment;
pub(crate) use handler::{preview, status, update};
pub use model::{
    Author, CommitInfo, DeploymentRecord, DeploymentStatus, Previewing, Progress, Updating,
};
pub use store::{DeploymentStore, KEPT_DEPLOYMENTS};

use crate::agent_job::Branch;
use crate::audit::Actor;
use crate::id::{ProjectId, StatusId};
use crate::limits::Rule;

/// What is to be deployed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The site, from the branch of its settings.
    Site,
    /// A branch as a preview beside it.
    Preview(Branch),
}

impl Target {
    /// What is counted when it is asked for.
    pub(crate) const fn rule(&self) -> Rule {
        match self {
            Self::Site => Rule::Updates,
            Self::Preview(_) => Rule::Previews,
        }
    }
}

/// A deployment that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triggered {
    /// Its name.
    pub id: StatusId,
    /// Where readers will see a preview.
    pub preview_url: Option<String>,
}

/// Why none was begun, or none could be looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeployError {
    /// There is no such project.
    #[error("there is no such project")]
    UnknownProject,
    /// The project cannot be deployed so; callers get the text.
    #[error("{0}")]
    NotPossible(String),
    /// Not at the moment. The text is for the operator.
    #[error("deployments are not available: {0}")]
    Unavailable(String),
}

/// A deployment in a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The deployment. Its server stands in it where people have to know which one it is.
    pub record: DeploymentRecord,
    /// Whether it can be brought back.
    pub kept: bool,
}

/// Makes deployments.
pub trait Deployments: Sync {
    /// Asks for a deployment and answers as soon as that is certain to be remembered. Asking twice
    /// may give the same deployment.
    fn trigger(
        &self,
        project: &ProjectId,
        target: &Target,
        actor: &Actor,
    ) -> impl Future<Output = Result<Triggered, DeployError>> + Send;

    /// Where readers find the site of a project, if that is known.
    fn site(&self, _project: &ProjectId) -> Option<String> {
        None
    }

    /// A deployment of any project; the caller's right to see it is not checked here.
    fn status(
        &self,
        id: &StatusId,
    ) -> impl Future<Output = Result<Option<DeploymentStatus>, DeployError>> + Send;

    /// The latest deployments of a project, the newest first; nothing of an unknown one. The
    /// operations of the API do not have it; it is for people.
    fn list(
        &self,
        project: &ProjectId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Listed>, DeployError>> + Send;

    /// Shows a deployment of before again. What comes back is the deployment that shows it.
    fn roll_back(
        &self,
        project: &ProjectId,
        id: &StatusId,
    ) -> impl Future<Output = Result<Triggered, DeployError>> + Send;
}
