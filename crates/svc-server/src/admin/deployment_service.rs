//! Implements the deployments of both APIs and of the dashboard with the deployer.

use svc_admin_api::audit::Actor;
use svc_admin_api::deployment::{Author, CommitInfo, DeploymentRecord, DeploymentStore, Progress};
use svc_admin_api::{
    DeployError, DeployTarget, DeploymentHandle, DeploymentStatus, DeploymentSummary, Deployments,
    ProjectId, StatusId, StoreError, Timestamp,
};
use tokio::task::spawn_blocking;

use super::peers::Peers;
use crate::Webhooks;
use crate::deploy::{
    DeployRequest, Deployer, Deployment, DeploymentState, PublishTarget, Report, RollbackTarget,
    Trigger, TriggerError,
};

/// Maximum number of diagnostic lines in a response.
const MAX_PROBLEM_LINES: usize = 200;

/// Deployments of this server, and those of other servers from the store.
#[derive(Clone)]
pub struct DeploymentService<S> {
    pub(super) store: S,
    pub(super) deployer: Deployer,
    pub(super) webhooks: Webhooks,
    /// This server among those that share the database; `None` if the database is not shared.
    pub(super) peers: Option<Peers>,
}

impl<S> std::fmt::Debug for DeploymentService<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeploymentService")
            .field("peers", &self.peers)
            .finish_non_exhaustive()
    }
}

impl<S: DeploymentStore + Clone + Send + 'static> Deployments for DeploymentService<S> {
    async fn trigger(
        &self,
        project: &ProjectId,
        target: &DeployTarget,
        actor: &Actor,
    ) -> Result<DeploymentHandle, DeployError> {
        let trigger = match actor {
            Actor::Person(name) => Trigger::Dashboard { by: name.clone() },
            Actor::Key(_) | Actor::Cli | Actor::Anonymous => Trigger::Api,
        };
        let (this, project, target) = (self.clone(), project.clone(), target.clone());
        let task = spawn_blocking(move || {
            let id = match &target {
                DeployTarget::Site => this
                    .deployer
                    .trigger(DeployRequest::live(project.as_str(), trigger)),
                DeployTarget::Preview(branch) => {
                    this.webhooks
                        .preview(project.as_str(), branch.as_str(), &trigger)
                }
            };
            this.triggered(&id.map_err(trigger_error)?)
        });
        task.await.map_err(join_error)?
    }

    fn site(&self, project: &ProjectId) -> Option<String> {
        self.webhooks.site(project.as_str())
    }

    fn has_readers(&self, project: &ProjectId) -> bool {
        self.webhooks.has_readers(project.as_str())
    }

    async fn status(&self, id: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        let (this, name) = (self.clone(), id.clone());
        let status = spawn_blocking(move || {
            let deployment = this.deployer.get(this.local_id(&name)?)?;
            this.status_of(&deployment)
        });
        match status.await.map_err(join_error)? {
            Some(status) => Ok(Some(status)),
            None => {
                let record = self.store.deployment(id).await.map_err(store_error)?;
                Ok(record.map(|record| record.status))
            }
        }
    }

    async fn list(
        &self,
        project: &ProjectId,
        limit: usize,
    ) -> Result<Vec<DeploymentSummary>, DeployError> {
        let (this, name) = (self.clone(), project.clone());
        let summaries = spawn_blocking(move || {
            let all = this.deployer.list(Some(name.as_str()));
            let all = all.iter().take(limit).filter_map(|one| this.summarize(one));
            all.collect::<Vec<DeploymentSummary>>()
        });
        let mut summaries = summaries.await.map_err(join_error)?;
        let stored = self.store.deployments(project, None, limit).await;
        for record in stored.map_err(store_error)? {
            let is_same = |known: &DeploymentSummary| known.record.status.id == record.status.id;
            if !summaries.iter().any(is_same) {
                summaries.push(self.remote_summary(record));
            }
        }
        if !self.peers.as_ref().is_some_and(Peers::are_several) {
            for one in &mut summaries {
                one.record.server = None;
            }
        }
        summaries.sort_by(|one, other| {
            let sort_key = |summary: &DeploymentSummary| {
                let status = &summary.record.status;
                (status.created_at, status.id.clone())
            };
            sort_key(other).cmp(&sort_key(one))
        });
        summaries.truncate(limit);
        Ok(summaries)
    }

    async fn roll_back(
        &self,
        project: &ProjectId,
        id: &StatusId,
    ) -> Result<DeploymentHandle, DeployError> {
        let (of, snapshot) = match self.local_id(id) {
            Some(of) => (of.to_owned(), None),
            None => {
                let record = self.store.deployment(id).await.map_err(store_error)?;
                let record = record.filter(|record| record.status.project_id == *project);
                let reason =
                    "it was made by another server, and its files are not available on this one";
                let files = record.and_then(|record| record.snapshot);
                let files = files.ok_or_else(|| DeployError::Rejected(reason.to_owned()))?;
                (String::new(), Some(files))
            }
        };
        let (this, project) = (self.clone(), project.clone());
        let task = spawn_blocking(move || {
            let earlier = match &snapshot {
                Some(snapshot) => RollbackTarget::Snapshot(snapshot),
                None => RollbackTarget::Deployment(&of),
            };
            let result = this.deployer.roll_back(project.as_str(), earlier);
            this.triggered(&result.map_err(trigger_error)?.id)
        });
        task.await.map_err(join_error)?
    }
}

impl<S: DeploymentStore + Clone + Send + 'static> DeploymentService<S> {
    fn triggered(&self, id: &str) -> Result<DeploymentHandle, DeployError> {
        let name = self.name(id);
        let id_fits = name.ok_or_else(|| DeployError::Unavailable("no name".to_owned()))?;
        Ok(DeploymentHandle {
            preview_url: self.deployer.get(id).and_then(|one| self.preview_url(&one)),
            id: id_fits,
        })
    }

    /// Public ID of a deployment of this server.
    fn name(&self, id: &str) -> Option<StatusId> {
        match &self.peers {
            Some(peers) => StatusId::parse(&format!("{id}-{}", peers.id)),
            None => StatusId::parse(id),
        }
    }

    /// Local ID of a deployment of this server; `None` for one of another server.
    fn local_id<'a>(&self, id: &'a StatusId) -> Option<&'a str> {
        match &self.peers {
            Some(peers) => id.as_str().strip_suffix(&*peers.id)?.strip_suffix('-'),
            None => Some(id.as_str()),
        }
    }

    fn preview_url(&self, deployment: &Deployment) -> Option<String> {
        let host = deployment.host.as_ref()?;
        Some(self.webhooks.host_url(&deployment.project, host))
    }

    fn summarize(&self, item: &Deployment) -> Option<DeploymentSummary> {
        Some(DeploymentSummary {
            record: self.record_of(item)?,
            can_roll_back: item.target == PublishTarget::Live && self.deployer.is_restorable(item),
        })
    }

    /// A deployment of another server, from the store.
    fn remote_summary(&self, mut record: DeploymentRecord) -> DeploymentSummary {
        let peers = self.peers.as_ref().zip(record.server.as_ref());
        record.live &= peers.is_some_and(|(peers, server)| peers.is_present(server));
        let project = record.status.project_id.as_str();
        let files = record.snapshot.as_ref();
        let is_site = record.status.preview_url.is_none();
        let can_roll_back =
            is_site && files.is_some_and(|key| self.deployer.has_files(project, key));
        DeploymentSummary {
            record,
            can_roll_back,
        }
    }

    /// Record of a deployment for the store. Reads its report from the disk.
    pub(super) fn record_of(&self, deployment: &Deployment) -> Option<DeploymentRecord> {
        Some(DeploymentRecord {
            status: self.status_of(deployment)?,
            server: self.peers.as_ref().map(|peers| peers.name.clone()),
            live: deployment.state == DeploymentState::Live,
            triggered_by: match &deployment.trigger {
                Trigger::Dashboard { by } => Some(by.clone()),
                _ => None,
            },
            snapshot: deployment.snapshot.clone(),
        })
    }

    /// Status of a deployment for API clients. Reads its report from the disk.
    fn status_of(&self, deployment: &Deployment) -> Option<DeploymentStatus> {
        let report = self.deployer.report(&deployment.id).unwrap_or_default();
        let (status, end) = self.progress(deployment);
        let time = |millis: u64| Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
        Some(DeploymentStatus {
            id: self.name(&deployment.id)?,
            project_id: ProjectId::parse(&deployment.project)?,
            created_at: time(deployment.queued),
            ended_at: end.map(time),
            status,
            summary: self.summary(deployment),
            logs: lines(&report),
            source: match &deployment.trigger {
                Trigger::Rollback { .. } => "rollback".to_owned(),
                trigger => trigger.to_string(),
            },
            commit: deployment.commit.as_ref().map(|commit| CommitInfo {
                sha: commit.id.clone(),
                reference: (deployment.reference.reference.clone())
                    .or_else(|| deployment.reference.branch.clone()),
                message: commit.message.clone(),
            }),
            author: deployment.commit.as_ref().and_then(|commit| {
                let name = commit.author.clone();
                (!name.is_empty()).then_some(Author { name })
            }),
            preview_url: self.preview_url(deployment),
        })
    }

    /// Progress of a deployment and the time it was reached. A deployment that was superseded
    /// before it began has the progress of its successor, which contains its changes.
    fn progress(&self, deployment: &Deployment) -> (Progress, Option<u64>) {
        let mut deployment = deployment.clone();
        if deployment.state == DeploymentState::Superseded
            && deployment.started.is_none()
            && deployment.removed.is_none()
        {
            let all = self.deployer.list(Some(&deployment.project));
            let newer = all.iter().rev().filter(|other| other.id > deployment.id);
            let mut newer = newer.filter(|other| other.target == deployment.target);
            let next = newer.find(|other| {
                other.state != DeploymentState::Superseded || other.started.is_some()
            });
            match next {
                Some(next) if !matches!(next.trigger, Trigger::Rollback { .. }) => {
                    deployment = next.clone();
                }
                _ => return (Progress::Failure, deployment.finished),
            }
        }
        match deployment.state {
            DeploymentState::Queued => (Progress::Queued, None),
            DeploymentState::Building => (Progress::InProgress, None),
            DeploymentState::Live => (Progress::Success, deployment.finished),
            DeploymentState::Failed => (Progress::Failure, deployment.finished),
            DeploymentState::Superseded if deployment.snapshot.is_some() => {
                (Progress::Success, deployment.finished)
            }
            DeploymentState::Superseded => (Progress::Failure, deployment.finished),
        }
    }

    /// Result of the deployment, or its current step.
    fn summary(&self, deployment: &Deployment) -> String {
        if !deployment.summary.is_empty() {
            return deployment.summary.clone();
        }
        match deployment.state {
            DeploymentState::Queued => "waiting".to_owned(),
            DeploymentState::Building => {
                let progress = self.deployer.progress(&deployment.id);
                progress.unwrap_or_else(|| "being built".to_owned())
            }
            other => other.name().to_owned(),
        }
    }
}

fn lines(report: &Report) -> Vec<String> {
    let log = report.log.iter().map(|line| line.text.clone());
    let problems = report
        .problems
        .lines()
        .take(MAX_PROBLEM_LINES)
        .map(str::to_owned);
    log.chain(problems).collect()
}

fn trigger_error(reason: TriggerError) -> DeployError {
    match reason {
        TriggerError::Unknown(_) => DeployError::UnknownProject,
        TriggerError::Impossible(reason) => DeployError::Rejected(reason),
        TriggerError::Storage(reason) => DeployError::Unavailable(reason),
    }
}

fn join_error(_: tokio::task::JoinError) -> DeployError {
    DeployError::Unavailable("internal server error".to_owned())
}

fn store_error(error: StoreError) -> DeployError {
    DeployError::Unavailable(error.to_string())
}
