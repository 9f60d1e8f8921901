//! `svc jobs`.

mod backend;
mod error;
mod server;
mod store;

use std::io::{self, Read as _};

use clap::{Args, Subcommand};
use serde_json::json;
use svc_admin_api::agent_job::{AgentJob, Branch, Prompt, Status};
use svc_admin_api::{JobId, ProjectId};

use super::output::{eprint_escaped, print};
use super::store_cli;
use crate::exit::Exit;
use backend::{JobBackend, JobBackendArgs};
use error::JobError;

/// Maximum size of a prompt that is read, in bytes; the API accepts less.
const MAX_PROMPT_BYTES: u64 = 1 << 20;

/// Create and inspect agent jobs.
#[derive(Debug, Args)]
#[command(
    after_help = "With --server, the key is read from the environment variable SVC_KEY.\n\nExit status: 0 success, 1 rejected, 2 the store or the server cannot be reached."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    backend: JobBackendArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the jobs of a project, newest first
    List {
        /// The project
        #[arg(value_parser = store_cli::parse_project)]
        project: ProjectId,
        /// List only jobs with this status: `active`, `completed`, `archived` or `failed`
        #[arg(long, value_parser = parse_status)]
        status: Option<Status>,
        /// Maximum number of jobs to list
        #[arg(long, default_value_t = 50, value_name = "NUMBER")]
        limit: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Create a job and print it
    Create {
        /// The project
        #[arg(value_parser = store_cli::parse_project)]
        project: ProjectId,
        /// Prompt for the agent; read from standard input if omitted
        prompt: Option<String>,
        /// Branch to work on. Default: the configured branch
        #[arg(long = "ref", value_name = "BRANCH", value_parser = parse_branch)]
        branch: Option<Branch>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a job
    Show {
        #[command(flatten)]
        job: JobArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the log of a job; requires access to the store
    Log {
        #[command(flatten)]
        job: JobArgs,
    },
    /// Send a further prompt to a completed job
    Message {
        #[command(flatten)]
        job: JobArgs,
        /// Prompt for the agent; read from standard input if omitted
        prompt: Option<String>,
    },
    /// Cancel an active job and stop its agent
    Cancel {
        #[command(flatten)]
        job: JobArgs,
    },
    /// Archive a completed or failed job
    Archive {
        #[command(flatten)]
        job: JobArgs,
    },
}

/// Arguments that identify a job.
#[derive(Debug, Args)]
struct JobArgs {
    /// The project
    #[arg(value_parser = store_cli::parse_project)]
    project: ProjectId,
    /// The job
    #[arg(value_parser = parse_job)]
    job: JobId,
}

fn parse_status(text: &str) -> Result<Status, String> {
    Status::parse(text).ok_or_else(|| {
        let names = Status::ALL.map(Status::as_str);
        format!("must be one of {}", names.join(", "))
    })
}

fn parse_branch(text: &str) -> Result<Branch, String> {
    Branch::try_from(text.to_owned()).map_err(|reason| reason.to_string())
}

fn parse_job(text: &str) -> Result<JobId, String> {
    JobId::parse(text).ok_or_else(|| "invalid job id".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    store_cli::block_on(async {
        let jobs = arguments.backend.open().await?;
        let result = execute(&jobs, &arguments.command).await;
        jobs.close().await;
        match result {
            Ok(text) => print(&text).map(|()| Exit::Success),
            Err(JobError::Rejected(reason)) => {
                eprint_escaped(&format!("svc: {reason}\n"));
                Ok(Exit::Problems)
            }
            Err(JobError::Unreachable(reason)) => Err(reason),
        }
    })
}

async fn execute(jobs: &JobBackend, command: &Command) -> Result<String, JobError> {
    Ok(match command {
        Command::List {
            project,
            status,
            limit,
            json,
        } => {
            let all = jobs.list(project, *status, *limit).await?;
            if *json {
                format!("{:#}\n", json!(all))
            } else {
                store_cli::format_table(&all.iter().map(row).collect::<Vec<_>>())
            }
        }
        Command::Create {
            project,
            prompt,
            branch,
            json,
        } => {
            let prompt = read_prompt(prompt.as_deref())?;
            let job = jobs.create(project, &prompt, branch.as_ref()).await?;
            if *json {
                format!("{:#}\n", json!(job))
            } else {
                format!("{}\n", job.id)
            }
        }
        Command::Show { job, json } => {
            let job = jobs.show(&job.project, &job.job).await?;
            if *json {
                format!("{:#}\n", json!(job))
            } else {
                store_cli::format_table(&details(&job))
            }
        }
        Command::Log { job } => jobs.log(&job.project, &job.job).await?,
        Command::Message { job, prompt } => {
            let prompt = read_prompt(prompt.as_deref())?;
            let job = jobs.message(&job.project, &job.job, &prompt).await?;
            store_cli::format_table(&[row(&job)])
        }
        Command::Cancel { job } => {
            let job = jobs.cancel(&job.project, &job.job).await?;
            store_cli::format_table(&[row(&job)])
        }
        Command::Archive { job } => {
            let job = jobs.archive(&job.project, &job.job).await?;
            store_cli::format_table(&[row(&job)])
        }
    })
}

/// Reads the prompt from the command line or standard input.
fn read_prompt(argument: Option<&str>) -> Result<Prompt, JobError> {
    let mut text = argument.unwrap_or_default().to_owned();
    if argument.is_none() {
        let read = io::stdin().take(MAX_PROMPT_BYTES).read_to_string(&mut text);
        read.map_err(JobError::Unreachable)?;
    }
    Prompt::try_from(text).map_err(|reason| JobError::Rejected(reason.to_string()))
}

fn row(job: &AgentJob) -> Vec<String> {
    let link = job.pr_link.as_ref();
    vec![
        job.id.to_string(),
        job.status.as_str().to_owned(),
        job.created_at.to_string(),
        link.map_or_else(String::new, ToString::to_string),
    ]
}

fn details(job: &AgentJob) -> Vec<Vec<String>> {
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    let source = &job.source;
    [
        ("id", job.id.to_string()),
        ("status", job.status.as_str().to_owned()),
        ("repository", source.repository.to_string()),
        (
            "ref",
            or_none(source.reference.as_ref().map(ToString::to_string)),
        ),
        ("model", job.model.clone()),
        (
            "pull request",
            or_none(job.pr_link.as_ref().map(ToString::to_string)),
        ),
        ("error", or_none(job.error.clone())),
        ("created", job.created_at.to_string()),
        ("archived", store_cli::format_time(job.archived_at, "no")),
    ]
    .map(|(name, value)| vec![name.to_owned(), value])
    .into()
}
