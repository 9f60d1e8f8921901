//! Run of a job, from the claim to its end.

use std::ffi::OsString;
use std::fs;
use std::net::IpAddr;

use svc_admin_api::agent_job::{Job, Link, Phase, Prompt};
use svc_admin_api::{Clock, Random, Store};
use svc_git::{Credentials, RemoteUrl, Secret};
use tokio::sync::watch;

use crate::forge::PullRequestSpec;
use crate::git::GitProgram;
use crate::lease::LeaseRenewer;
use crate::log::Log;
use crate::program::{self, AgentExit};
use crate::redact::Redactor;
use crate::repository::{self, Checkout};
use crate::stop::wait_for_stop;
use crate::workspace::{self, Workspace};
use crate::{Options, ProjectOptions, messages};

/// Maximum number of attempts for requests to a forge, and for reporting the outcome to the store.
const MAX_ATTEMPTS: u32 = 4;

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOutcome {
    /// Completed, with a pull request if files were changed.
    Completed(Option<Link>),
    /// Failed, with the reason.
    Failed(String),
    /// Another worker has the lease.
    Lost,
    /// The server stops; another worker can claim the job.
    Released,
}

/// Why a run ends without success.
enum RunError {
    Failed(String),
    Stopped,
}

/// Parses the repository URL. A token must not be sent without encryption.
fn parse_remote(text: &str, credentials: &Credentials) -> Result<RemoteUrl, String> {
    let remote = RemoteUrl::parse(text, true).map_err(|error| error.to_string())?;
    if let (RemoteUrl::Http(url), Credentials::Token { .. }) = (&remote, credentials)
        && url.scheme() == "http"
        && !is_loopback(url.host_str().unwrap_or_default())
    {
        return Err(
            "the repository URL is not encrypted and would expose the token; use `https`"
                .to_owned(),
        );
    }
    Ok(remote)
}

fn is_loopback(host: &str) -> bool {
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

impl From<String> for RunError {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// A job and its dependencies.
pub(crate) struct Run<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) options: &'a Options,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) random: &'a dyn Random,
    pub(crate) stop: &'a watch::Receiver<bool>,
    pub(crate) job: &'a Job,
    pub(crate) token: &'a str,
}

impl<S: Store> Run<'_, S> {
    /// Runs the job while its lease is valid, and stores the outcome.
    pub(crate) async fn run(&self) -> RunOutcome {
        let keeper = LeaseRenewer {
            store: self.store,
            clock: self.clock,
            job: self.job,
            token: self.token,
            ttl: self.options.lease_ttl,
        };
        // Dropping the future also ends the programs and removes the directory.
        let result = tokio::select! {
            result = self.work() => result,
            () = keeper.renew_until_lost() => return RunOutcome::Lost,
        };
        let outcome = match result {
            Ok(link) => RunOutcome::Completed(link),
            Err(RunError::Failed(reason)) => RunOutcome::Failed(reason),
            Err(RunError::Stopped) => {
                keeper.release().await;
                return RunOutcome::Released;
            }
        };
        tokio::select! {
            was_stored = self.report_outcome(&outcome) => if was_stored { outcome } else { RunOutcome::Lost },
            () = keeper.renew_until_lost() => RunOutcome::Lost,
        }
    }

    /// Stores the outcome. Returns whether the lease was still valid.
    async fn report_outcome(&self, outcome: &RunOutcome) -> bool {
        let (id, token) = (&self.job.id, self.token);
        for _ in 0..MAX_ATTEMPTS {
            let was_stored = match outcome {
                RunOutcome::Completed(link) => self.store.finish(id, token, link.as_ref()).await,
                RunOutcome::Failed(reason) => self.store.fail(id, token, reason).await,
                RunOutcome::Lost | RunOutcome::Released => return false,
            };
            match was_stored {
                Ok(was_stored) => return was_stored,
                Err(_) => tokio::time::sleep(self.options.retry_delay).await,
            }
        }
        false
    }

    async fn work(&self) -> Result<Option<Link>, RunError> {
        let project = self.options.projects.get(&self.job.project);
        let secrets = self.redactor(project);
        let max_output = self.options.max_output_bytes;
        let mut log = Log::open(self.store, self.job, self.token, &secrets, max_output).await;
        let result = match project {
            None => Err(RunError::Failed(format!(
                "this server has no agent for the project `{}`",
                self.job.project
            ))),
            Some(project) => self.run_stages(project, &secrets, &mut log).await,
        };
        let last = match &result {
            Ok(Some(link)) => format!("completed: {link}"),
            Ok(None) => "completed: no file was changed".to_owned(),
            Err(RunError::Stopped) => {
                "the server stops; another worker will run the job".to_owned()
            }
            Err(RunError::Failed(reason)) => format!("failed: {reason}"),
        };
        log.note(&last).await;
        // The reason is stored separately and shown unchanged.
        result.map_err(|halt| match halt {
            RunError::Failed(reason) => RunError::Failed(secrets.redact(&reason)),
            RunError::Stopped => RunError::Stopped,
        })
    }

    fn redactor(&self, project: Option<&ProjectOptions>) -> Redactor {
        let mut all: Vec<String> = program::secrets(self.options).collect();
        let secrets = self.options.secrets.iter();
        all.extend(secrets.map(|secret| secret.reveal().to_owned()));
        if let Some(project) = project {
            all.extend(project.forge.secret().map(str::to_owned));
            match &project.credentials {
                Credentials::Token { token, .. } => all.push(Secret::reveal(token).to_owned()),
                Credentials::Key { file, .. } => {
                    // The first and last line are the same for all keys.
                    let key = fs::read_to_string(file).unwrap_or_default();
                    let lines = key.lines().filter(|line| !line.starts_with("-----"));
                    all.extend(lines.map(str::to_owned));
                }
                Credentials::None => {}
            }
        }
        Redactor::new(all)
    }

    async fn run_stages(
        &self,
        project: &ProjectOptions,
        secrets: &Redactor,
        log: &mut Log<'_, S>,
    ) -> Result<Option<Link>, RunError> {
        let attempts = match self.job.phase {
            Phase::Active { attempts, .. } => attempts,
            _ => 0,
        };
        log.note(&format!("turn {}, attempt {attempts}", self.job.turn))
            .await;
        let remote = parse_remote(self.job.repository.as_str(), &project.credentials)?;
        let access = svc_git::Options {
            credentials: project.credentials.clone(),
            ssh_program: project.ssh_program.clone(),
            ..svc_git::Options::default()
        };
        let git = GitProgram {
            options: self.options,
            remote: &remote,
            access: &access,
        };
        let prepared = tokio::select! {
            prepared = self.prepare(&git) => prepared?,
            () = wait_for_stop(self.stop) => return Err(RunError::Stopped),
        };
        let (workspace, start, prompts) = prepared;
        let from = if start.resumes {
            &start.branch
        } else {
            &start.base
        };
        log.note(&format!("the agent begins with `{from}`")).await;
        let result = self
            .run_agent(&workspace, &start, &prompts, attempts, secrets, log)
            .await;
        let result = match (result, prompts.last()) {
            (Ok(()), Some(prompt)) => {
                let late = async {
                    wait_for_stop(self.stop).await;
                    tokio::time::sleep(self.options.grace_period).await;
                };
                tokio::select! {
                    link = self.publish(project, &git, &workspace, &start, (prompt, secrets), log) =>
                        link.map_err(RunError::Failed),
                    () = late => Err(RunError::Stopped),
                }
            }
            (Ok(()), None) => Ok(None),
            (Err(halt), _) => Err(halt),
        };
        // Removing a large work tree takes time and must not block other tasks.
        let _ = tokio::task::spawn_blocking(move || drop(workspace)).await;
        result
    }

    /// Runs the agent. An exit status other than success is an error.
    async fn run_agent(
        &self,
        workspace: &Workspace,
        start: &Checkout,
        prompts: &[Prompt],
        attempts: u32,
        secrets: &Redactor,
        log: &mut Log<'_, S>,
    ) -> Result<(), RunError> {
        let prompt = prompts
            .last()
            .ok_or_else(|| "the job has no prompt".to_owned())?;
        let outcome = program::run(
            self.options,
            workspace,
            self.environment(workspace, start, attempts),
            prompt.as_str(),
            secrets,
            log,
            self.stop,
        );
        match outcome.await? {
            AgentExit::Stopped => Err(RunError::Stopped),
            AgentExit::TimedOut => {
                let seconds = self.options.timeout.as_secs();
                let reason = format!("the agent took longer than {seconds} seconds");
                Err(RunError::Failed(reason))
            }
            AgentExit::Exited(status) if !status.success() => {
                Err(RunError::Failed(format!("the agent failed ({status})")))
            }
            AgentExit::Exited(_) => Ok(()),
        }
    }

    /// Creates the workspace with the clone and the prompts.
    async fn prepare(
        &self,
        git: &GitProgram<'_>,
    ) -> Result<(Workspace, Checkout, Vec<Prompt>), String> {
        let dir = &self.options.workspace_dir;
        let prompts = self.store.prompts(&self.job.id).await;
        let prompts = prompts.map_err(|error| error.to_string())?;
        let workspace = Workspace::create(dir, self.random)
            .map_err(|error| format!("the folder `{}` cannot be used: {error}", dir.display()))?;
        let texts: Vec<&str> = prompts.iter().map(Prompt::as_str).collect();
        let texts = serde_json::Value::from(texts).to_string();
        fs::write(workspace.prompts(), texts)
            .map_err(|error| format!("the prompts cannot be written: {error}"))?;
        let start =
            repository::clone_repository(git, self.job, &self.remote_url(git), &workspace).await?;
        Ok((workspace, start, prompts))
    }

    /// The remote as an argument of Git.
    fn remote_url(&self, git: &GitProgram<'_>) -> String {
        git.remote.to_string()
    }

    /// Environment variables of the agent.
    fn environment(
        &self,
        workspace: &Workspace,
        start: &Checkout,
        attempts: u32,
    ) -> Vec<(&'static str, OsString)> {
        let job = self.job;
        let reference = job
            .branch
            .as_ref()
            .map_or(start.base.as_str(), |b| b.as_str());
        vec![
            ("SVC_JOB_ID", job.id.as_str().into()),
            ("SVC_PROJECT", job.project.as_str().into()),
            ("SVC_REPOSITORY", job.repository.as_str().into()),
            ("SVC_REF", reference.into()),
            ("SVC_BRANCH", start.branch.as_str().into()),
            ("SVC_MODEL", job.model.as_str().into()),
            ("SVC_TURN", job.turn.to_string().into()),
            ("SVC_ATTEMPT", attempts.to_string().into()),
            ("SVC_PROMPTS", workspace.prompts().into()),
        ]
    }

    /// Commits and pushes the changes of the agent and opens the pull request.
    async fn publish(
        &self,
        project: &ProjectOptions,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        start: &Checkout,
        (prompt, secrets): (&Prompt, &Redactor),
        log: &mut Log<'_, S>,
    ) -> Result<Option<Link>, String> {
        let reason = "the agent removed its work tree";
        if !workspace.is_intact() {
            return Err(reason.to_owned());
        }
        let (files, limits) = (workspace.files(), self.options.limits);
        let dir = workspace.dir().to_owned();
        let left = tokio::task::spawn_blocking(move || {
            workspace::kill_stragglers(&dir);
            workspace::sanitize_work_tree(&files, limits)
        })
        .await;
        let left = left.map_err(|_| reason.to_owned())??;
        if !left.has_entries {
            return Err("the agent removed every file".to_owned());
        }
        let message = messages::commit_message(self.job, prompt);
        let new = start.commit(git, workspace, &message).await?;
        let commit = match &new {
            Some(new) => {
                log.note(&format!("changed:{}", new.summary)).await;
                start
                    .check_secrets(git, workspace, new, &message, secrets)
                    .await?;
                let remote_url = self.remote_url(git);
                start.push(git, workspace, &remote_url, &new.commit).await?;
                log.note(&format!("pushed {} to `{}`", new.commit, start.branch))
                    .await;
                new.commit.as_str()
            }
            // A lost worker may have pushed without opening a pull request.
            None if start.resumes && self.job.pull_request.is_none() => "",
            None => return Ok(None),
        };
        let (title, text) = (
            messages::title(prompt),
            messages::description(self.job, prompt),
        );
        let spec = PullRequestSpec {
            branch: &start.branch,
            base: &start.base,
            title: &title,
            text: &text,
            commit,
            job: self.job.id.as_str(),
            project: self.job.project.as_str(),
            repository: self.job.repository.as_str(),
        };
        let mut tries = 1;
        loop {
            let response = project.forge.pull_request(&self.options.client, &spec);
            match response.await {
                Ok(link) => return Ok(Some(link)),
                Err(error) if error.is_transient() && tries < MAX_ATTEMPTS => {
                    log.note(&format!("{error}; retrying")).await;
                    tokio::time::sleep(self.options.retry_delay * tries).await;
                    tries += 1;
                }
                Err(error) => {
                    return Err(format!(
                        "the pull request for the branch `{}` could not be opened: {error}",
                        start.branch
                    ));
                }
            }
        }
    }
}
