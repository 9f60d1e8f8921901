//! A store on SQLite with 100,000 jobs of one project, for benchmarks.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use svc_admin_api::agent_job::{Job, JobStore as _, NewJob, Phase, Prompt, Repository};
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::deployment::DeploymentSummary;
use svc_admin_api::key::{KeySecret, NewKey, create_key};
use svc_admin_api::project::{ProjectRecord, ProjectStore as _};
use svc_admin_api::{
    Change, Clock, DeployError, DeployTarget, DeploymentHandle, DeploymentStatus, Deployments,
    JobId, ProjectId, Random, RandomError, RateLimiter, RateLimits, StatusId, Timestamp,
};
use svc_store::Database;
use tokio::task::JoinSet;

/// Jobs in the store.
pub(crate) const JOBS: usize = 100_000;
/// Number of concurrent writes.
pub(crate) const WRITERS: usize = 64;
/// The project of all jobs.
pub(crate) const PROJECT: &str = "docs";

/// Contents of a filled store.
pub(crate) struct StoreFixture {
    /// Secret of a key with the right to read.
    pub(crate) secret: KeySecret,
    /// Average duration of creating a job.
    pub(crate) each: Duration,
}

/// Creates a project, a key and all jobs in an empty store.
pub(crate) async fn fill(store: &Database) -> Result<StoreFixture, Box<dyn Error>> {
    let docs = name(ProjectId::parse(PROJECT))?;
    let change = Change::new(&CLI, START, &docs, "fill", None);
    let project = ProjectRecord {
        id: docs.clone(),
        name: PROJECT.to_owned(),
        agent: None,
        created_at: START,
    };
    store.put_project(&project, &change).await?;
    let new = NewKey {
        project: docs.clone(),
        name: "bench".to_owned(),
        scopes: vec!["read".to_owned()],
        networks: Vec::new(),
        expires_at: None,
    };
    let limits = RateLimiter::new(RateLimits::UNLIMITED);
    let (_, secret) = create_key(store, &World, &World, &limits, &CLI, &new).await?;
    let start = Instant::now();
    let mut writers = JoinSet::new();
    for number in 0..JOBS {
        let new = job(&docs, number)?;
        let (store, change) = (store.clone(), change.clone());
        writers.spawn(async move { store.create_job(&new, &change).await.map(drop) });
        if writers.len() == WRITERS
            && let Some(result) = writers.join_next().await
        {
            result??;
        }
    }
    while let Some(result) = writers.join_next().await {
        result??;
    }
    let each = start.elapsed() / u32::try_from(JOBS)?;
    Ok(StoreFixture { secret, each })
}

/// Returns ids of the first jobs in a scattered order.
pub(crate) fn jumping(count: usize, among: usize) -> io::Result<Vec<JobId>> {
    (0..count)
        .map(|turn| job_id(turn * 7_919 % among))
        .collect()
}

/// All ids have the same length, and so have the responses.
fn job_id(number: usize) -> io::Result<JobId> {
    name(JobId::parse(&format!("job_{number:06}")))
}

pub(crate) fn name<T>(name: Option<T>) -> io::Result<T> {
    name.ok_or_else(|| io::Error::other("not a name"))
}

fn job(project: &ProjectId, number: usize) -> io::Result<NewJob> {
    let repository = Repository::try_from("https://git.example/docs.git".to_owned());
    let prompt = Prompt::try_from("Explain the new setting.".to_owned());
    Ok(NewJob {
        job: Job {
            id: job_id(number)?,
            project: project.clone(),
            repository: repository.map_err(io::Error::other)?,
            branch: None,
            model: "model".to_owned(),
            created_at: START,
            turn: 1,
            pull_request: None,
            phase: Phase::Active {
                attempts: 0,
                lease: None,
            },
        },
        prompt: prompt.map_err(io::Error::other)?,
    })
}

const START: Timestamp = Timestamp::from_millis(1_795_219_200_000);

static CLI: Initiator = Initiator {
    actor: Actor::Cli,
    from: None,
};

/// A clock that stands still, constant random bytes and no sites.
pub(crate) struct World;

impl Clock for World {
    fn now(&self) -> Timestamp {
        START
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

impl Random for World {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError> {
        buffer.fill(7);
        Ok(())
    }
}

impl Deployments for World {
    async fn trigger(
        &self,
        _: &ProjectId,
        _: &DeployTarget,
        _: &Actor,
    ) -> Result<DeploymentHandle, DeployError> {
        Err(DeployError::UnknownProject)
    }

    async fn status(&self, _: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        Ok(None)
    }

    async fn list(&self, _: &ProjectId, _: usize) -> Result<Vec<DeploymentSummary>, DeployError> {
        Ok(Vec::new())
    }

    async fn roll_back(
        &self,
        _: &ProjectId,
        _: &StatusId,
    ) -> Result<DeploymentHandle, DeployError> {
        Err(DeployError::UnknownProject)
    }
}
