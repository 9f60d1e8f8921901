//! What is sent to a forge for a pull request.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use svc_agent::{CommitState, CommitStatus, ForgeError, RestForge};
use svc_fetch::{Client, FetchLimits, Policy};
use svc_site::SiteComparison;
use svc_store::PullRequestRecord;

use super::announcer::read;
use super::comment::{CommentContent, description, render};
use super::counters::Attempt;
use super::sender::{REJECTION_DELAY, SendFailure, Sender, SenderInner, failure};
use super::state::{Phase, RequestState};
use crate::admin::{forge_host, forge_kind};
use crate::deploy::{Deployment, DeploymentState, PublishTarget, Report};
use crate::{ProjectSettings, PullRequestSettings, Settings, SourceSettings};

/// Timeout of a request to a forge.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Delay until a server looks again for a preview that it does not have.
const ABSENCE_DELAY: Duration = Duration::from_secs(5);

impl Sender {
    /// Sets the status and writes the comment of a pull request. `comment` is the ID of the comment.
    pub(super) async fn send(
        &self,
        settings: &Arc<Settings>,
        project: &ProjectSettings,
        record: &PullRequestRecord,
        comment: &mut Option<String>,
    ) -> Result<(), SendFailure> {
        let Some((set, state)) = project.pull_requests.as_ref().zip(read(record)) else {
            return Ok(());
        };
        let forge = RestForge::new(
            forge_kind(set.forge),
            &set.repository,
            set.forge_url.as_deref(),
            set.token.clone(),
        );
        let forge = forge.map_err(|error| SendFailure {
            reason: error.to_string(),
            delay: REJECTION_DELAY,
            attempt: Some(Attempt::Failure),
        })?;
        let client = self.0.client(settings);
        let (comparison, report) = self.details(&project.id, &state).await?;
        let subdir = match &project.source {
            SourceSettings::Git(git) if !git.subdir.is_empty() => format!("{}/", git.subdir),
            _ => String::new(),
        };
        let url = state.host.as_ref();
        let url = url.map(|host| self.0.webhooks.host_url(&project.id, host));
        let marker = self.0.marker(&project.id, record.number);
        let content = CommentContent {
            marker: &marker,
            project: &project.id,
            state: &state,
            url: url.as_deref(),
            comparison: comparison.as_ref(),
            report: report.as_ref(),
            line_url: &|file, line| forge.line_url(&state.commit, &format!("{subdir}{file}"), line),
        };
        let (sentence, text) = (description(&content), render(&content));
        let status = set_status(set, (&forge, &client), &content, &sentence).await;
        let written = match set.comment && state.phase != Phase::Pending {
            true => {
                let known = comment.clone();
                let create = matches!(state.phase, Phase::Success | Phase::Failure);
                let known = (known.as_deref(), create);
                let number = record.number;
                forge
                    .put_comment(&client, number, known, &marker, &text)
                    .await
            }
            false => Ok(comment.clone()),
        };
        let written = written.map(|id| *comment = id);
        let errors = [status.err(), written.err()];
        let errors: Vec<ForgeError> = errors.into_iter().flatten().collect();
        failure(&errors, record.attempts).map_or(Ok(()), Err)
    }

    /// What the comment needs of the sites and the report.
    async fn details(
        &self,
        project: &str,
        state: &RequestState,
    ) -> Result<(Option<SiteComparison>, Option<Report>), SendFailure> {
        let deployer = &self.0.deployer;
        match state.phase {
            Phase::Success => {
                let target = PublishTarget::Preview {
                    name: state.preview.clone(),
                };
                let is_this = |deployment: &Deployment| {
                    let commit = deployment.commit.as_ref();
                    commit.is_some_and(|commit| commit.id == state.commit)
                };
                let preview = deployer.live_site(project, &target);
                let Some((_, new)) = preview.filter(|(deployment, _)| is_this(deployment)) else {
                    // Another server has it, or this one is about to have it.
                    return Err(SendFailure {
                        reason: String::new(),
                        delay: ABSENCE_DELAY,
                        attempt: None,
                    });
                };
                let Some((_, old)) = deployer.live_site(project, &PublishTarget::Live) else {
                    return Ok((None, None));
                };
                let compare = move || svc_site::compare(&old, &new, 1).ok();
                let comparison = tokio::task::spawn_blocking(compare).await;
                Ok((comparison.ok().flatten(), None))
            }
            Phase::Failure => {
                let failed = self.0.deployment(project, state);
                let report = failed.and_then(|failed| deployer.report(&failed.id));
                Ok((None, report))
            }
            Phase::Pending | Phase::Removed | Phase::Closed => Ok((None, None)),
        }
    }
}

impl SenderInner {
    /// The newest deployment of a commit on this server.
    pub(super) fn deployment(&self, project: &str, state: &RequestState) -> Option<Deployment> {
        let mut deployments = self.deployer.list(Some(project)).into_iter();
        deployments.find(|deployment| {
            let commit = deployment.commit.as_ref();
            let is_failed = deployment.state == DeploymentState::Failed;
            deployment.target != PublishTarget::Live
                && commit.is_some_and(|commit| commit.id == state.commit)
                && (is_failed || state.phase != Phase::Failure)
        })
    }

    /// The client of the present settings. Forges in the settings can be in a private network.
    fn client(&self, settings: &Arc<Settings>) -> Client {
        let mut known = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, client)) = &*known
            && Arc::ptr_eq(of, settings)
        {
            return client.clone();
        }
        let mut policy = Policy::default();
        let sets = settings.projects.iter();
        for set in sets.filter_map(|project| project.pull_requests.as_ref()) {
            if let Some(host) = forge_host(&set.repository, set.forge_url.as_deref()) {
                let _ = policy.allow(&host);
            }
        }
        let limits = FetchLimits {
            total_timeout: REQUEST_TIMEOUT,
            max_body_bytes: 16 << 20,
            ..FetchLimits::default()
        };
        let client = Client::new(policy, limits).counted_by(Arc::clone(&self.fetches));
        *known = Some((Arc::clone(settings), client.clone()));
        client
    }

    /// Begins the comment. Only the servers of a database know it before it is published, so nobody
    /// else can have written an older comment with it.
    fn marker(&self, project: &str, number: u64) -> String {
        let mut digits = String::new();
        // A key of any length is accepted.
        if let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) {
            mac.update(format!("{project}\n{number}").as_bytes());
            digits = hex::encode(mac.finalize().into_bytes());
        }
        format!("<!-- svc:{} -->", digits.get(..32).unwrap_or_default())
    }
}

async fn set_status(
    set: &PullRequestSettings,
    (forge, client): (&RestForge, &Client),
    content: &CommentContent<'_>,
    sentence: &str,
) -> Result<(), ForgeError> {
    let state = match content.state.phase {
        Phase::Pending => CommitState::Pending,
        Phase::Success => CommitState::Success,
        Phase::Failure => CommitState::Failure,
        Phase::Removed | Phase::Closed => return Ok(()),
    };
    if !set.status {
        return Ok(());
    }
    let context = format!("svc/{}", content.project);
    let status = CommitStatus {
        commit: &content.state.commit,
        state,
        context: &context,
        description: sentence,
        url: content.url,
    };
    forge.set_status(client, &status).await
}
