//! Workers that run agents on jobs.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_admin_api::ProjectId;
use svc_admin_api::agent_job::Repository;
use svc_agent::{Author, Forge, ForgeKind, Hook, JobCounters, Options, ProjectOptions};
use svc_fetch::{Client, FetchCounters, FetchLimits, Policy};
use svc_git::Secret;
use svc_store::Database;
use tokio::sync::watch;
use tracing::warn;

use super::{SystemClock, SystemRandom};
use crate::{Credentials, ForgeApi, ForgeSettings, ProjectAgentSettings, Settings};

/// Timeout of a command that opens a pull request.
const HOOK_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);

/// Timeout of a request to a forge.
const FORGE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(30);

/// Options of the workers.
pub(crate) type WorkerOptions = Arc<Options>;

/// What the workers count, also those with earlier settings.
#[derive(Debug, Clone, Default)]
pub(crate) struct AgentCounters {
    pub(crate) jobs: Arc<JobCounters>,
    /// Requests to forges.
    pub(crate) fetches: Arc<FetchCounters>,
}

/// Options from the settings; `None` if no agent is configured.
pub(super) fn worker_options(
    settings: &Settings,
    counters: &AgentCounters,
) -> Option<WorkerOptions> {
    let agent = settings.agent.as_ref()?;
    let mut projects = BTreeMap::new();
    for project in &settings.projects {
        let Some((own, id)) = project.agent.as_ref().zip(ProjectId::parse(&project.id)) else {
            continue;
        };
        match agent_project(own) {
            Ok(own) => {
                projects.insert(id, own);
            }
            Err(reason) => warn!(project = id.as_str(), "agents are disabled: {reason}"),
        }
    }
    // A forge from the settings can be in a private network.
    let mut policy = Policy::default();
    for host in settings
        .projects
        .iter()
        .filter_map(|item| item.agent.as_ref())
        .filter_map(host)
    {
        let _ = policy.allow(&host);
    }
    let dir = settings.data.join("agent");
    let defaults = Options::new(agent.command.clone(), dir);
    let limits = FetchLimits {
        total_timeout: FORGE_TIMEOUT,
        max_body_bytes: 4 << 20,
        ..FetchLimits::default()
    };
    Some(Arc::new(Options {
        author: Author {
            name: agent.author.0.clone(),
            email: agent.author.1.clone(),
        },
        environment: agent.environment.clone(),
        sandbox: agent.sandbox,
        data_dir: settings.data.clone(),
        secrets: settings
            .projects
            .iter()
            .flat_map(|project| {
                let own = project.agent.as_ref().and_then(|own| own.token.as_ref());
                let webhook = project.webhook.as_ref().map(|webhook| &webhook.secret);
                let requests = project.pull_requests.as_ref().map(|set| &set.token);
                own.into_iter().chain(webhook).chain(requests)
            })
            .cloned()
            .collect(),
        timeout: agent.timeout,
        concurrency: agent.concurrency,
        projects,
        client: Client::new(policy, limits).counted_by(Arc::clone(&counters.fetches)),
        counters: Arc::clone(&counters.jobs),
        ..defaults
    }))
}

/// Host of the forge of a project; `None` for a command.
fn host(agent: &ProjectAgentSettings) -> Option<String> {
    match &agent.forge {
        ForgeSettings::BuiltIn { url, .. } => forge_host(&agent.repository, url.as_deref()),
        ForgeSettings::Command(_) => None,
    }
}

/// Host of a forge, with its port if one is given.
pub(crate) fn forge_host(repository: &Repository, forge_url: Option<&str>) -> Option<String> {
    let url = url::Url::parse(forge_url.unwrap_or(repository.as_str())).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) if url.scheme() != "ssh" => format!("{host}:{port}"),
        _ => host.to_owned(),
    })
}

fn agent_project(agent: &ProjectAgentSettings) -> Result<ProjectOptions, String> {
    let forge = match &agent.forge {
        ForgeSettings::BuiltIn { kind, url: base } => {
            let kind = forge_kind(*kind);
            let token = agent.token.clone().unwrap_or_else(|| Secret::new(""));
            let forge = Forge::new(kind, &agent.repository, base.as_deref(), token);
            forge.map_err(|error| error.to_string())?
        }
        ForgeSettings::Command(command) => Forge::Hook(Hook {
            command: command.clone(),
            timeout: HOOK_TIMEOUT,
        }),
    };
    Ok(ProjectOptions {
        credentials: Credentials::of_git(agent.credentials.as_ref()),
        ssh_program: None,
        forge,
    })
}

/// The API of a forge.
pub(crate) const fn forge_kind(api: ForgeApi) -> ForgeKind {
    match api {
        ForgeApi::GitHub => ForgeKind::GitHub,
        ForgeApi::GitLab => ForgeKind::GitLab,
        ForgeApi::Gitea => ForgeKind::Gitea,
    }
}

/// Runs jobs with the latest options in `desired`, until `stop` is set. When the options change,
/// running agents are stopped and their jobs are restarted.
pub(super) async fn run(
    database: Database,
    mut desired: watch::Receiver<Option<WorkerOptions>>,
    mut stop: watch::Receiver<bool>,
) {
    while !*stop.borrow() {
        let options = desired.borrow_and_update().clone();
        let (ending, shutdown) = watch::channel(false);
        let working = options.map(|options| {
            let database = database.clone();
            tokio::spawn(async move {
                let (clock, random) = (SystemClock::default(), SystemRandom);
                svc_agent::run_workers(&database, &options, &clock, &random, shutdown).await;
            })
        });
        let known = tokio::select! {
            changed = desired.changed() => changed.is_ok(),
            _ = stop.wait_for(|stop| *stop) => true,
        };
        if !known {
            // The options cannot change anymore; the worker still waits for the stop signal.
            let _ = stop.wait_for(|stop| *stop).await;
        }
        let _ = ending.send(true);
        if let Some(working) = working {
            let _ = working.await;
        }
    }
}
