//! Deployments: asking for one, and how far it is. Making them is the matter of a program, behind
//! [`Deployments`].

mod handler;
mod model;
mod service;
mod store;

use std::future::Future;

pub(crate) use handler::{preview, status, update};
pub use model::{
    Author, CommitInfo, DeploymentRecord, DeploymentStatus, PreviewResponse, Progress,
    UpdateResponse,
};
pub use service::trigger_deployment;
pub use store::{DeploymentStore, MAX_DEPLOYMENTS};

use crate::agent_job::Branch;
use crate::audit::Actor;
use crate::id::{ProjectId, StatusId};
use crate::rate_limit::LimitClass;

/// What is to be deployed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeployTarget {
    /// The site, from the branch of its settings.
    Site,
    /// A branch as a preview beside it.
    Preview(Branch),
}

impl DeployTarget {
    /// What is counted when it is asked for.
    pub(crate) const fn limit_class(&self) -> LimitClass {
        match self {
            Self::Site => LimitClass::Updates,
            Self::Preview(_) => LimitClass::Previews,
        }
    }
}

/// A deployment that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeploymentHandle {
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
    Rejected(String),
    /// Not at the moment. The text is for the operator.
    #[error("deployments are not available: {0}")]
    Unavailable(String),
}

/// A deployment in a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeploymentSummary {
    /// The deployment. Its server stands in it where people have to know which one it is.
    pub record: DeploymentRecord,
    /// Whether it can be brought back.
    pub can_roll_back: bool,
}

/// Makes deployments.
pub trait Deployments: Sync {
    /// Asks for a deployment and answers as soon as that is certain to be remembered. Asking twice
    /// may give the same deployment.
    fn trigger(
        &self,
        project: &ProjectId,
        target: &DeployTarget,
        actor: &Actor,
    ) -> impl Future<Output = Result<DeploymentHandle, DeployError>> + Send;

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
    ) -> impl Future<Output = Result<Vec<DeploymentSummary>, DeployError>> + Send;

    /// Shows a deployment of before again. What comes back is the deployment that shows it.
    fn roll_back(
        &self,
        project: &ProjectId,
        id: &StatusId,
    ) -> impl Future<Output = Result<DeploymentHandle, DeployError>> + Send;
}
