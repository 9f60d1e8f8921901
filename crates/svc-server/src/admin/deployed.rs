//! Deployments of the two APIs and of the dashboard, made by the deployer.

use svc_admin_api::deployment::{Author, CommitInfo, DeploymentStore, Progress};
use svc_admin_api::{
    DeployError, DeploymentStatus, Deployments, Listed, ProjectId, StatusId, StoreError,
    Target as Wanted, Timestamp, Triggered,
};
use tokio::task::spawn_blocking;

use crate::Webhooks;
use crate::deploy::{Deployer, Deployment, Refused, Report, Request, State, Target, Trigger};

/// Lines of the problems of a deployment that callers get.
const PROBLEMS: usize = 200;

/// What happens when a deployment was begun here: other servers of the database are told.
pub(super) type Tell = std::sync::Arc<dyn Fn(&ProjectId, &Wanted) + Send + Sync>;

/// The deployments of this server, and in the store those of others.
#[derive(Clone)]
pub struct Deployed<S> {
    pub(super) store: S,
    pub(super) deployer: Deployer,
    pub(super) webhooks: Webhooks,
    /// What stands behind the names of this server's deployments where several servers share a
    /// database.
    pub(super) server: Option<String>,
    pub(super) tell: Tell,
}

impl<S> std::fmt::Debug for Deployed<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deployed")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

impl<S: DeploymentStore + Clone + Send + 'static> Deployments for Deployed<S> {
    async fn trigger(
        &self,
        project: &ProjectId,
        target: &Wanted,
    ) -> Result<Triggered, DeployError> {
        let made = self.begin(project, target, Trigger::Api).await?;
        (self.tell)(project, target);
        Ok(made)
    }

    async fn status(&self, id: &StatusId) -> Result<Option<DeploymentStatus>, DeployError> {
        let (own, name) = (self.clone(), id.clone());
        let found = spawn_blocking(move || {
            let one = own.deployer.get(own.own(&name)?)?;
            own.status_of(&one)
        });
        match found.await.map_err(mistake)? {
            Some(found) => Ok(Some(found)),
            None => self.store.deployment(id).await.map_err(away),
        }
    }

    async fn list(&self, project: &ProjectId, limit: usize) -> Result<Vec<Listed>, DeployError> {
        let (own, name) = (self.clone(), project.clone());
        let listed = spawn_blocking(move || {
            let all = own.deployer.list(Some(name.as_str()));
            let all = all.iter().take(limit).filter_map(|one| own.listed(one));
            all.collect::<Vec<Listed>>()
        });
        let mut listed = listed.await.map_err(mistake)?;
        let kept = self.store.deployments(project, None, limit).await;
        for status in kept.map_err(away)? {
            if !listed.iter().any(|known| known.status.id == status.id) {
                listed.push(Listed {
                    status,
                    live: false,
                    kept: false,
                });
            }
        }
        listed.sort_by(|one, other| {
            let place = |listed: &Listed| (listed.status.created_at, listed.status.id.clone());
            place(other).cmp(&place(one))
        });
        listed.truncate(limit);
        Ok(listed)
    }

    async fn roll_back(
        &self,
        project: &ProjectId,
        id: &StatusId,
    ) -> Result<Triggered, DeployError> {
        let Some(of) = self.own(id).map(str::to_owned) else {
            let why = "another server made it; it can be brought back there";
            return Err(DeployError::NotPossible(why.to_owned()));
        };
        let (own, project) = (self.clone(), project.clone());
        let work = spawn_blocking(move || {
            let done = own.deployer.rollback(project.as_str(), Some(&of));
            let done = done.map_err(refused)?;
            own.triggered(&done.id)
        });
        work.await.map_err(mistake)?
    }
}

impl<S: DeploymentStore + Clone + Send + 'static> Deployed<S> {
    /// Begins a deployment here.
    pub(super) async fn begin(
        &self,
        project: &ProjectId,
        target: &Wanted,
        trigger: Trigger,
    ) -> Result<Triggered, DeployError> {
        let (own, project, target) = (self.clone(), project.clone(), target.clone());
        let work = spawn_blocking(move || {
            let id = match &target {
                Wanted::Site => own
                    .deployer
                    .trigger(Request::live(project.as_str(), trigger)),
                Wanted::Preview(branch) => {
                    own.webhooks
                        .preview(project.as_str(), branch.as_str(), &trigger)
                }
            };
            own.triggered(&id.map_err(refused)?)
        });
        work.await.map_err(mistake)?
    }

    fn triggered(&self, id: &str) -> Result<Triggered, DeployError> {
        let named = self.name(id);
        let id_fits = named.ok_or_else(|| DeployError::Unavailable("no name".to_owned()))?;
        Ok(Triggered {
            preview_url: self.deployer.get(id).and_then(|one| self.preview_url(&one)),
            id: id_fits,
        })
    }

    /// The name of one of our deployments for callers.
    fn name(&self, id: &str) -> Option<StatusId> {
        match &self.server {
            Some(server) => StatusId::parse(&format!("{id}-{server}")),
            None => StatusId::parse(id),
        }
    }

    /// The deployment of ours that a caller names.
    fn own<'a>(&self, id: &'a StatusId) -> Option<&'a str> {
        match &self.server {
            Some(server) => id.as_str().strip_suffix(server.as_str())?.strip_suffix('-'),
            None => Some(id.as_str()),
        }
    }

    fn preview_url(&self, one: &Deployment) -> Option<String> {
        let host = one.host.as_ref()?;
        Some(self.webhooks.address(&one.project, host))
    }

    fn listed(&self, one: &Deployment) -> Option<Listed> {
        Some(Listed {
            status: self.status_of(one)?,
            live: one.state == State::Live,
            kept: one.target == Target::Live && self.deployer.is_kept(one),
        })
    }

    /// A deployment as callers see it. Reads its report from the disk.
    pub(super) fn status_of(&self, one: &Deployment) -> Option<DeploymentStatus> {
        let report = self.deployer.report(&one.id).unwrap_or_default();
        let (status, ended) = self.progress(one);
        let time = |millis: u64| Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
        Some(DeploymentStatus {
            id: self.name(&one.id)?,
            project_id: ProjectId::parse(&one.project)?,
            created_at: time(one.queued),
            ended_at: ended.map(time),
            status,
            summary: self.summary(one),
            logs: lines(&report),
            source: match &one.trigger {
                Trigger::Rollback { .. } => "rollback".to_owned(),
                trigger => trigger.to_string(),
            },
            commit: one.commit.as_ref().map(|commit| CommitInfo {
                sha: commit.id.clone(),
                reference: (one.reference.reference.clone())
                    .or_else(|| one.reference.branch.clone()),
                message: commit.message.clone(),
            }),
            author: one.commit.as_ref().and_then(|commit| {
                let name = commit.author.clone();
                (!name.is_empty()).then_some(Author { name })
            }),
            preview_url: self.preview_url(one),
        })
    }

    /// How far a deployment is, and when that was decided. One that never began because a newer one
    /// took its place is as far as that: it shows what was wanted.
    fn progress(&self, one: &Deployment) -> (Progress, Option<u64>) {
        let mut one = one.clone();
        if one.state == State::Superseded && one.started.is_none() && one.removed.is_none() {
            let all = self.deployer.list(Some(&one.project));
            let newer = all.iter().rev().filter(|other| other.id > one.id);
            let mut newer = newer.filter(|other| other.target == one.target);
            let next =
                newer.find(|other| other.state != State::Superseded || other.started.is_some());
            match next {
                Some(next) if !matches!(next.trigger, Trigger::Rollback { .. }) => {
                    one = next.clone();
                }
                _ => return (Progress::Failure, one.finished),
            }
        }
        match one.state {
            State::Queued => (Progress::Queued, None),
            State::Building => (Progress::InProgress, None),
            State::Live => (Progress::Success, one.finished),
            State::Failed => (Progress::Failure, one.finished),
            State::Superseded if one.snapshot.is_some() => (Progress::Success, one.finished),
            State::Superseded => (Progress::Failure, one.finished),
        }
    }

    /// What came of it, or what is being done for it.
    fn summary(&self, one: &Deployment) -> String {
        if !one.summary.is_empty() {
            return one.summary.clone();
        }
        match one.state {
            State::Queued => "waiting".to_owned(),
            State::Building => {
                let done = self.deployer.progress(&one.id);
                done.unwrap_or_else(|| "being built".to_owned())
            }
            other => other.name().to_owned(),
        }
    }
}

fn lines(report: &Report) -> Vec<String> {
    let log = report.log.iter().map(|line| line.text.clone());
    let problems = report.problems.lines().take(PROBLEMS).map(str::to_owned);
    log.chain(problems).collect()
}

fn refused(why: Refused) -> DeployError {
    match why {
        Refused::Unknown(_) => DeployError::UnknownProject,
        Refused::Impossible(why) => DeployError::NotPossible(why),
        Refused::Storage(why) => DeployError::Unavailable(why),
    }
}

fn mistake(_: tokio::task::JoinError) -> DeployError {
    DeployError::Unavailable("a mistake in svc".to_owned())
}

fn away(error: StoreError) -> DeployError {
    DeployError::Unavailable(error.to_string())
}
