//! The agent: a program that reads a prompt and changes files.

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
use crate::stop::wait_for_stop;
use crate::workspace::Workspace;

/// Environment variables for all agents.
static BASE_VARIABLES: [&str; 3] = ["PATH", "LANG", "TZ"];
/// Parts of the names of variables whose values are secrets.
static SECRET_MARKERS: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"];
/// Interval for writing the log.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);
/// Time for reading the remaining output of a program that has exited.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// A timeout that is never reached.
const MAX_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// How the agent ended.
#[derive(Debug)]
pub(crate) enum AgentExit {
    /// Exited by itself.
    Exited(ExitStatus),
    /// Its timeout expired.
    TimedOut,
    /// The server stops.
    Stopped,
}

/// Values of the agent's variables that are secrets.
pub(crate) fn secrets(options: &Options) -> impl Iterator<Item = String> {
    let secret = |name: &&String| {
        let name = name.to_ascii_uppercase();
        SECRET_MARKERS.iter().any(|marker| name.contains(marker))
    };
    let names = options.environment.iter().filter(secret);
    names.filter_map(|name| std::env::var(name).ok())
}

/// Environment of the agent: allowed variables of the server, and those of the job.
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
    let (mut output, mut errors) = (child.stdout.take(), child.stderr.take());
    let (mut lines, mut complaints) = (LineBuffer::new(secrets), LineBuffer::new(secrets));
    let (mut piece, mut other) = (vec![0; 16 << 10], vec![0; 16 << 10]);
    let input = child.stdin.take();
    let write = async {
        if let Some(mut pipe) = input {
            // The agent may close its standard input.
            let _ = pipe.write_all(prompt.as_bytes()).await;
        }
    };
    tokio::pin!(write);
    let end = wait_for_stop(stop);
    tokio::pin!(end);
    let mut is_input_written = false;
    let mut status = None;
    let mut early = None;
    // First the timeout of the agent, then the grace period, then the time for draining its output.
    let mut deadline = Instant::now() + options.timeout;
    let mut ticks = interval(FLUSH_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        if status.is_some() && output.is_none() && errors.is_none() {
            break;
        }
        tokio::select! {
            () = &mut write, if !is_input_written => is_input_written = true,
            read = read_some(&mut output, &mut piece), if output.is_some() => {
                let bytes = piece.get(..read).unwrap_or_default();
                log.print(&lines.push(bytes)).await;
            }
            read = read_some(&mut errors, &mut other), if errors.is_some() => {
                let bytes = other.get(..read).unwrap_or_default();
                log.print(&complaints.push(bytes)).await;
            }
            ended = child.wait(), if status.is_none() => {
                status = Some(ended.map_err(|error| format!("the agent process was lost: {error}"))?);
                // Its child processes are killed.
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
        (None, None) => Err("the agent process was lost".to_owned()),
    }
}

/// Reads available bytes; drops a pipe that has ended.
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
