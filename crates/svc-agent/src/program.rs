//! The agent itself: a program that reads a prompt and changes files.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use svc_admin_api::Store;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::Options;
use crate::log::Log;
use crate::process_group::ProcessGroup;
use crate::redact::{LineBuffer, Redactor};
use crate::sandbox;
use crate::worker::wait_for_stop;
use crate::workspace::Workspace;

/// Variables that every program needs or wants.
static BASE_VARIABLES: [&str; 3] = ["PATH", "LANG", "TZ"];
/// Words in the names of variables whose values are secrets.
static SECRET_MARKERS: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"];
/// How often the log is written.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);
/// How long is waited for what is left in the pipes of a program that has ended.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Time that is far enough.
const MAX_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// How the agent ended.
#[derive(Debug)]
pub(crate) enum AgentExit {
    /// By itself.
    Exited(ExitStatus),
    /// It had no more time.
    TimedOut,
    /// The server ends.
    Stopped,
}

/// The values of variables that are secrets, of those that an agent gets.
pub(crate) fn secrets(options: &Options) -> impl Iterator<Item = String> {
    let secret = |name: &&String| {
        let name = name.to_ascii_uppercase();
        SECRET_MARKERS.iter().any(|word| name.contains(word))
    };
    let names = options.environment.iter().filter(secret);
    names.filter_map(|name| std::env::var(name).ok())
}

/// The environment of the agent: what the operator allows, and what belongs to the job.
fn environment(options: &Options, workspace: &Workspace) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = vec![
        ("HOME".into(), workspace.home_dir().into()),
        ("TMPDIR".into(), workspace.temp_dir().into()),
        ("GIT_TERMINAL_PROMPT".into(), "0".into()),
    ];
    let allowed = options.environment.iter().map(String::as_str);
    for name in BASE_VARIABLES.into_iter().chain(allowed) {
        if let Some(value) = std::env::var_os(name) {
            all.push((name.into(), value));
        }
    }
    all
}

/// Runs the agent with a prompt.
pub(crate) async fn run<S: Store>(
    options: &Options,
    workspace: &Workspace,
    of_job: Vec<(&'static str, OsString)>,
    prompt: &str,
    secrets: &Redactor,
    log: &mut Log<'_, S>,
    stop: &watch::Receiver<bool>,
) -> Result<AgentExit, String> {
    let (program, arguments) = sandbox::command(options, workspace).await?;
    let mut command = Command::new(&program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment(options, workspace))
        .envs(of_job)
        .current_dir(workspace.files())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    ProcessGroup::set_leader(&mut command);
    let mut child = command.spawn().map_err(|error| {
        let program = program.display();
        format!("the agent `{program}` cannot be started: {error}")
    })?;
    let mut group = ProcessGroup::new(&child);
    let (mut output, mut words) = (child.stdout.take(), child.stderr.take());
    let (mut lines, mut complaints) = (LineBuffer::new(secrets), LineBuffer::new(secrets));
    let (mut piece, mut other) = (vec![0; 16 << 10], vec![0; 16 << 10]);
    let input = child.stdin.take();
    let write = async {
        if let Some(mut pipe) = input {
            // An agent that does not want to know may close it.
            let _ = pipe.write_all(prompt.as_bytes()).await;
        }
    };
    tokio::pin!(write);
    let end = wait_for_stop(stop);
    tokio::pin!(end);
    let mut written = false;
    let mut status = None;
    let mut early = None;
    // First the time of the agent, then the grace, then what the pipes may take.
    let mut deadline = Instant::now() + options.timeout;
    let mut ticks = interval(FLUSH_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        if status.is_some() && output.is_none() && words.is_none() {
            break;
        }
        tokio::select! {
            () = &mut write, if !written => written = true,
            read = read_some(&mut output, &mut piece), if output.is_some() => {
                let bytes = piece.get(..read).unwrap_or_default();
                log.print(&lines.push(bytes)).await;
            }
            read = read_some(&mut words, &mut other), if words.is_some() => {
                let bytes = other.get(..read).unwrap_or_default();
                log.print(&complaints.push(bytes)).await;
            }
            ended = child.wait(), if status.is_none() => {
                status = Some(ended.map_err(|error| format!("the agent is gone: {error}"))?);
                // What it left behind ends with it.
                group.kill_and_forget();
                deadline = Instant::now() + DRAIN_TIMEOUT;
            }
            () = &mut end, if early.is_none() && status.is_none() => {
                early = Some(AgentExit::Stopped);
                group.terminate();
                deadline = Instant::now() + options.grace_period;
            }
            () = sleep_until(deadline) => {
                if status.is_some() {
                    break;
                }
                if early.is_none() {
                    early = Some(AgentExit::TimedOut);
                    group.terminate();
                    deadline = Instant::now() + options.grace_period;
                } else {
                    group.kill();
                    deadline = Instant::now() + MAX_TIMEOUT;
                }
            }
            _ = ticks.tick() => {
                log.flush().await;
                if log.lost {
                    return Err("the job belongs to another worker".to_owned());
                }
            }
        }
    }
    log.print(&lines.finish()).await;
    log.print(&complaints.finish()).await;
    log.flush().await;
    match (early, status) {
        (Some(early), _) => Ok(early),
        (None, Some(status)) => Ok(AgentExit::Exited(status)),
        (None, None) => Err("the agent is gone".to_owned()),
    }
}

/// Reads what there is; closes a pipe that has ended.
async fn read_some(pipe: &mut Option<impl AsyncRead + Unpin>, into: &mut [u8]) -> usize {
    let Some(open) = pipe else { return 0 };
    match open.read(into).await {
        Ok(0) | Err(_) => {
            *pipe = None;
            0
        }
        Ok(count) => count,
    }
}
