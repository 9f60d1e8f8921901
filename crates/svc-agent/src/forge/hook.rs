//! A command of the operator, for every forge that has no room here.

use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use svc_admin_api::agent_job::Link;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::{ForgeError, PullRequestSpec};
use crate::git::read_prefix;
use crate::messages::sanitize_line;
use crate::process_group::ProcessGroup;

/// Bytes of its answer that are read.
const MAX_OUTPUT_BYTES: u64 = 64 << 10;

/// A command of the operator that opens pull requests, with the environment of the server.
///
/// It gets a JSON object on its standard input and prints the address of the pull request in the
/// first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time for it.
    pub timeout: Duration,
}

impl Hook {
    pub(super) async fn run(&self, wanted: &PullRequestSpec<'_>) -> Result<Link, ForgeError> {
        let work = self.output(wanted);
        let answer = tokio::time::timeout(self.timeout, work).await;
        let answer = answer.map_err(|_| {
            let seconds = self.timeout.as_secs();
            ForgeError::Hook(format!("took longer than {seconds} seconds"))
        })??;
        let first = answer.lines().next().unwrap_or_default().trim();
        Link::try_from(first.to_owned())
            .map_err(|_| ForgeError::Hook("printed no address in its first line".to_owned()))
    }

    async fn output(&self, wanted: &PullRequestSpec<'_>) -> Result<String, ForgeError> {
        let failed = |error: std::io::Error| ForgeError::Hook(format!("failed: {error}"));
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(ForgeError::Hook("has no command".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        ProcessGroup::set_leader(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        let _group = ProcessGroup::new(&child);
        let text = json!({
            "job": wanted.job,
            "project": wanted.project,
            "repository": wanted.repository,
            "branch": wanted.branch,
            "base": wanted.base,
            "commit": wanted.commit,
            "title": wanted.title,
            "body": wanted.text,
        })
        .to_string();
        let (input, output, words) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut pipe) = input {
                // A program that wants to know nothing may end before.
                let _ = pipe.write_all(text.as_bytes()).await;
            }
        };
        let ((), output, words) = tokio::join!(
            write,
            read_prefix(output, MAX_OUTPUT_BYTES),
            read_prefix(words, MAX_OUTPUT_BYTES)
        );
        let status = child.wait().await.map_err(failed)?;
        if status.success() {
            return Ok(output);
        }
        Err(ForgeError::Hook(format!(
            "failed ({status}): {}",
            sanitize_line(&words)
        )))
    }
}
