//! Deployments: triggering them and reading their status. Programs implement them behind
//! [`Deployments`].

pub(crate) mod handler;
mod model;
mod service;
mod store;

use std::future::Future;

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

/// Target of a deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeployTarget {
    /// The site, from its configured branch.
    Site,
    /// A preview of a branch.
    Preview(Branch),
}

impl DeployTarget {
    /// Rate limit of the target.
    pub(crate) const fn limit_class(&self) -> LimitClass {
        match self {
            Self::Site => LimitClass::Updates,
            Self::Preview(_) => LimitClass::Previews,
        }
    }
}

/// A triggered deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeploymentHandle {
    /// Id of the deployment.
    pub id: StatusId,
    /// URL of the preview, when it is ready.
    pub preview_url: Option<String>,
}

/// Why a deployment could not be triggered or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeployError {
    /// The project does not exist.
    #[error("the project does not exist")]
    UnknownProject,
    /// The deployment is not possible. Contains the reason for clients.
    #[error("{0}")]
    Rejected(String),
    /// Temporarily unavailable. Contains the reason for operators.
    #[error("deployments are unavailable: {0}")]
    Unavailable(String),
}

/// A deployment in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeploymentSummary {
    /// The deployment. `server` is set if people need to know it.
    pub record: DeploymentRecord,
    /// Whether the project can be rolled back to the deployment.
    pub can_roll_back: bool,
}

/// Deployment service.
pub trait Deployments: Sync {
    /// Triggers a deployment and returns when it is stored durably. Two calls may return the same
    /// deployment.
    fn trigger(
        &self,
        project: &ProjectId,
        target: &DeployTarget,
        actor: &Actor,
    ) -> impl Future<Output = Result<DeploymentHandle, DeployError>> + Send;

    /// URL of the site of a project; `None` if it is unknown.
    fn site(&self, _project: &ProjectId) -> Option<String> {
        None
    }

    /// Whether readers sign in at the site of a project.
    fn has_readers(&self, _project: &ProjectId) -> bool {
        false
    }

    /// A deployment of any project. The access of the caller is not checked.
    fn status(
        &self,
        id: &StatusId,
    ) -> impl Future<Output = Result<Option<DeploymentStatus>, DeployError>> + Send;

    /// The latest deployments of a project, newest first; empty for an unknown project. The API has
    /// no operation for it.
    fn list(
        &self,
        project: &ProjectId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<DeploymentSummary>, DeployError>> + Send;

    /// Rolls back to an earlier deployment. Returns the deployment that publishes it.
    fn roll_back(
        &self,
        project: &ProjectId,
        id: &StatusId,
    ) -> impl Future<Output = Result<DeploymentHandle, DeployError>> + Send;
}
