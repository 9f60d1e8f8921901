//! One job from the claim to its end.

use std::ffi::OsString;
use std::fs;
use std::net::IpAddr;

use svc_admin_api::agent_job::{Job, Link, Phase, Prompt};
use svc_admin_api::{Clock, Random, Store};
use svc_git::{RemoteUrl, Credentials, Secret};
use tokio::sync::watch;

use crate::clean::Secrets;
use crate::forge::Wanted;
use crate::git::Git;
use crate::lease::Keeper;
use crate::log::Log;
use crate::program::{self, Outcome};
use crate::repository::{self, Start};
use crate::work::stopped;
use crate::workspace::{self, Workspace};
use crate::{Options, Project, words};

/// How often a forge is asked that fails, and a store that has to be told the end.
const TRIES: u32 = 4;

/// What became of a job in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// It is done, with a pull request where files were changed.
    Completed(Option<Link>),
    /// It cannot be done.
    Failed(String),
    /// Another worker has it.
    Lost,
    /// The server ends; another worker may take it.
    Released,
}

/// Why a run ends without success.
enum Halt {
    Failed(String),
    Stopped,
}

/// Where the repository is. A token goes to nobody in between.
fn address(text: &str, credentials: &Credentials) -> Result<RemoteUrl, String> {
    let address = RemoteUrl::parse(text, true).map_err(|error| error.to_string())?;
    if let (RemoteUrl::Http(url), Credentials::Token { .. }) = (&address, credentials)
        && url.scheme() == "http"
        && !is_this_machine(url.host_str().unwrap_or_default())
    {
        return Err(
            "the address of the repository is not encrypted, so everybody on the way could read the token; write `https`"
                .to_owned(),
        );
    }
    Ok(address)
}

fn is_this_machine(host: &str) -> bool {
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

impl From<String> for Halt {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// A job and what it takes to work on it.
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
    /// Works on the job as long as it is ours, and tells the store how it ended.
    pub(crate) async fn run(&self) -> Ended {
        let keeper = Keeper {
            store: self.store,
            clock: self.clock,
            job: self.job,
            token: self.token,
            life: self.options.lease,
        };
        // What ends early is dropped, and with it the programs and the folder.
        let result = tokio::select! {
            result = self.work() => result,
            () = keeper.keep() => return Ended::Lost,
        };
        let ended = match result {
            Ok(link) => Ended::Completed(link),
            Err(Halt::Failed(reason)) => Ended::Failed(reason),
            Err(Halt::Stopped) => {
                keeper.release().await;
                return Ended::Released;
            }
        };
        tokio::select! {
            told = self.tell(&ended) => if told { ended } else { Ended::Lost },
            () = keeper.keep() => Ended::Lost,
        }
    }

    /// Tells the store how the job ended; whether it was still ours.
    async fn tell(&self, ended: &Ended) -> bool {
        let (id, token) = (&self.job.id, self.token);
        for _ in 0..TRIES {
            let told = match ended {
                Ended::Completed(link) => self.store.finish(id, token, link.as_ref()).await,
                Ended::Failed(reason) => self.store.fail(id, token, reason).await,
                Ended::Lost | Ended::Released => return false,
            };
            match told {
                Ok(told) => return told,
                Err(_) => tokio::time::sleep(self.options.again).await,
            }
        }
        false
    }

    async fn work(&self) -> Result<Option<Link>, Halt> {
        let project = self.options.projects.get(&self.job.project);
        let secrets = self.secrets(project);
        let most = self.options.output_bytes;
        let mut log = Log::open(self.store, self.job, self.token, &secrets, most).await;
        let result = match project {
            None => Err(Halt::Failed(format!(
                "this server has no agent for the project `{}`",
                self.job.project
            ))),
            Some(project) => self.stages(project, &secrets, &mut log).await,
        };
        let last = match &result {
            Ok(Some(link)) => format!("completed: {link}"),
            Ok(None) => "completed: no file was changed".to_owned(),
            Err(Halt::Stopped) => "the server ends; another worker takes the job".to_owned(),
            Err(Halt::Failed(why)) => format!("failed: {why}"),
        };
        log.say(&last).await;
        // The reason is kept beside the log, and shown as it is.
        result.map_err(|halt| match halt {
            Halt::Failed(why) => Halt::Failed(secrets.hide(&why)),
            Halt::Stopped => Halt::Stopped,
        })
    }

    fn secrets(&self, project: Option<&Project>) -> Secrets {
        let mut all: Vec<String> = program::secrets(self.options).collect();
        let own = self.options.secrets.iter();
        all.extend(own.map(|secret| secret.reveal().to_owned()));
        if let Some(project) = project {
            all.extend(project.forge.secret().map(str::to_owned));
            match &project.credentials {
                Credentials::Token { token, .. } => all.push(Secret::reveal(token).to_owned()),
                Credentials::Key { file, .. } => {
                    // Its first and its last line are those of every key.
                    let key = fs::read_to_string(file).unwrap_or_default();
                    let lines = key.lines().filter(|line| !line.starts_with("-----"));
                    all.extend(lines.map(str::to_owned));
                }
                Credentials::None => {}
            }
        }
        Secrets::new(all)
    }

    async fn stages(
        &self,
        project: &Project,
        secrets: &Secrets,
        log: &mut Log<'_, S>,
    ) -> Result<Option<Link>, Halt> {
        let attempts = match self.job.phase {
            Phase::Active { attempts, .. } => attempts,
            _ => 0,
        };
        log.say(&format!("turn {}, attempt {attempts}", self.job.turn))
            .await;
        let address = address(self.job.repository.as_str(), &project.credentials)?;
        let access = svc_git::Options {
            credentials: project.credentials.clone(),
            ssh_program: project.ssh.clone(),
            ..svc_git::Options::default()
        };
        let git = Git {
            options: self.options,
            address: &address,
            access: &access,
        };
        let prepared = tokio::select! {
            prepared = self.prepare(&git) => prepared?,
            () = stopped(self.stop) => return Err(Halt::Stopped),
        };
        let (workspace, start, prompts) = prepared;
        let from = if start.continues {
            &start.branch
        } else {
            &start.base
        };
        log.say(&format!("the agent begins with `{from}`")).await;
        let result = self
            .agent(&workspace, &start, &prompts, attempts, secrets, log)
            .await;
        let result = match (result, prompts.last()) {
            (Ok(()), Some(prompt)) => {
                let late = async {
                    stopped(self.stop).await;
                    tokio::time::sleep(self.options.grace).await;
                };
                tokio::select! {
                    link = self.publish(project, &git, &workspace, &start, (prompt, secrets), log) =>
                        link.map_err(Halt::Failed),
                    () = late => Err(Halt::Stopped),
                }
            }
            (Ok(()), None) => Ok(None),
            (Err(halt), _) => Err(halt),
        };
        // A large work tree takes its time, in which others must get on.
        let _ = tokio::task::spawn_blocking(move || drop(workspace)).await;
        result
    }

    /// Runs the agent; an end that is not a success is an error.
    async fn agent(
        &self,
        workspace: &Workspace,
        start: &Start,
        prompts: &[Prompt],
        attempts: u32,
        secrets: &Secrets,
        log: &mut Log<'_, S>,
    ) -> Result<(), Halt> {
        let prompt = prompts
            .last()
            .ok_or_else(|| "the job has no prompt".to_owned())?;
        let outcome = program::run(
            self.options,
            workspace,
            self.variables(workspace, start, attempts),
            prompt.as_str(),
            secrets,
            log,
            self.stop,
        );
        match outcome.await? {
            Outcome::Stopped => Err(Halt::Stopped),
            Outcome::TooSlow => {
                let seconds = self.options.timeout.as_secs();
                let why = format!("the agent took longer than {seconds} seconds");
                Err(Halt::Failed(why))
            }
            Outcome::Ended(status) if !status.success() => {
                Err(Halt::Failed(format!("the agent failed ({status})")))
            }
            Outcome::Ended(_) => Ok(()),
        }
    }

    /// The folder, the clone in it, and the prompts.
    async fn prepare(&self, git: &Git<'_>) -> Result<(Workspace, Start, Vec<Prompt>), String> {
        let folder = &self.options.folder;
        let prompts = self.store.prompts(&self.job.id).await;
        let prompts = prompts.map_err(|error| error.to_string())?;
        let workspace = Workspace::make(folder, self.random).map_err(|error| {
            format!("the folder `{}` cannot be used: {error}", folder.display())
        })?;
        let texts: Vec<&str> = prompts.iter().map(Prompt::as_str).collect();
        let texts = serde_json::Value::from(texts).to_string();
        fs::write(workspace.prompts(), texts)
            .map_err(|error| format!("the prompts cannot be written: {error}"))?;
        let start = repository::start(git, self.job, &self.address(git), &workspace).await?;
        Ok((workspace, start, prompts))
    }

    /// The address as Git takes it.
    fn address(&self, git: &Git<'_>) -> String {
        git.address.to_string()
    }

    /// What the agent is told in its environment.
    fn variables(
        &self,
        workspace: &Workspace,
        start: &Start,
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

    /// Makes the commit, the branch and the pull request of what the agent has changed.
    async fn publish(
        &self,
        project: &Project,
        git: &Git<'_>,
        workspace: &Workspace,
        start: &Start,
        (prompt, secrets): (&Prompt, &Secrets),
        log: &mut Log<'_, S>,
    ) -> Result<Option<Link>, String> {
        let gone = "the agent removed the folder of its work";
        if !workspace.is_whole() {
            return Err(gone.to_owned());
        }
        let (files, limits) = (workspace.files(), self.options.limits);
        let folder = workspace.folder().to_owned();
        let left = tokio::task::spawn_blocking(move || {
            workspace::sweep(&folder);
            workspace::scrub(&files, limits)
        })
        .await;
        let left = left.map_err(|_| gone.to_owned())??;
        if !left.something {
            return Err("the agent removed every file".to_owned());
        }
        let message = words::commit_message(self.job, prompt);
        let made = start.commit(git, workspace, &message).await?;
        let commit = match &made {
            Some(made) => {
                log.say(&format!("changed:{}", made.summary)).await;
                start
                    .search(git, workspace, made, &message, secrets)
                    .await?;
                let address = self.address(git);
                start.push(git, workspace, &address, &made.commit).await?;
                log.say(&format!("pushed {} to `{}`", made.commit, start.branch))
                    .await;
                made.commit.as_str()
            }
            // A worker that was lost may have pushed without opening a pull request.
            None if start.continues && self.job.pull_request.is_none() => "",
            None => return Ok(None),
        };
        let (title, text) = (words::title(prompt), words::description(self.job, prompt));
        let wanted = Wanted {
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
            let asked = project.forge.pull_request(&self.options.client, &wanted);
            match asked.await {
                Ok(link) => return Ok(Some(link)),
                Err(error) if error.is_passing() && tries < TRIES => {
                    log.say(&format!("{error}; trying again")).await;
                    tokio::time::sleep(self.options.again * tries).await;
                    tries += 1;
                }
                Err(error) => {
                    return Err(format!(
                        "there is no pull request for the branch `{}`: {error}",
                        start.branch
                    ));
                }
            }
        }
    }
}
