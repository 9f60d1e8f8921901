//! Backends of the job commands: the store, or the Admin API of a server.

use std::io;

use clap::Args;
use svc_admin_api::agent_job::{AgentJob, Branch, Prompt, Status};
use svc_admin_api::{JobId, ProjectId};
use svc_server::StoreArgs;
use svc_store::Database;

use super::super::store_cli;
use super::error::JobError;
use super::server::ApiClient;
use super::store;

/// Arguments that select the backend.
#[derive(Debug, Args)]
pub(super) struct JobBackendArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// URL of the Admin API of a server, for example `https://admin.example.com`, instead of the store
    #[arg(long, value_name = "URL", global = true, conflicts_with_all = ["store", "config"])]
    server: Option<String>,
}

/// A backend.
pub(super) enum JobBackend {
    Store(Database),
    Server(ApiClient),
}

impl JobBackendArgs {
    pub(super) async fn open(&self) -> io::Result<JobBackend> {
        Ok(match &self.server {
            Some(url) => JobBackend::Server(ApiClient::new(url)?),
            None => JobBackend::Store(store_cli::open_store(&self.store).await?),
        })
    }
}

impl JobBackend {
    /// The newest jobs of a project, up to a limit.
    pub(super) async fn list(
        &self,
        project: &ProjectId,
        status: Option<Status>,
        limit: usize,
    ) -> Result<Vec<AgentJob>, JobError> {
        match self {
            Self::Store(database) => store::list(database, project, status, limit).await,
            Self::Server(server) => server.list(project, status, limit).await,
        }
    }

    pub(super) async fn show(&self, project: &ProjectId, id: &JobId) -> Result<AgentJob, JobError> {
        match self {
            Self::Store(database) => store::show(database, project, id).await,
            Self::Server(server) => server.show(project, id).await,
        }
    }

    pub(super) async fn create(
        &self,
        project: &ProjectId,
        prompt: &Prompt,
        branch: Option<&Branch>,
    ) -> Result<AgentJob, JobError> {
        match self {
            Self::Store(database) => store::create(database, project, prompt, branch).await,
            Self::Server(server) => server.create(project, prompt, branch).await,
        }
    }

    pub(super) async fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
    ) -> Result<AgentJob, JobError> {
        match self {
            Self::Store(database) => store::message(database, project, id, prompt).await,
            Self::Server(server) => server.message(project, id, prompt).await,
        }
    }

    pub(super) async fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
    ) -> Result<AgentJob, JobError> {
        match self {
            Self::Store(database) => store::cancel(database, project, id).await,
            Self::Server(server) => server.cancel(project, id).await,
        }
    }

    pub(super) async fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
    ) -> Result<AgentJob, JobError> {
        match self {
            Self::Store(database) => store::archive(database, project, id).await,
            Self::Server(server) => server.archive(project, id).await,
        }
    }

    /// Log of a job, which is not available over the API.
    pub(super) async fn log(&self, project: &ProjectId, id: &JobId) -> Result<String, JobError> {
        match self {
            Self::Store(database) => store::log(database, project, id).await,
            Self::Server(_) => Err(JobError::Rejected(
                "logs are not available over the API; use `--config` or the dashboard".to_owned(),
            )),
        }
    }

    pub(super) async fn close(self) {
        if let Self::Store(database) = self {
            database.close().await;
        }
    }
}
