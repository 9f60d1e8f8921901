//! A command of the operator, for forges without built-in support.

use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use svc_admin_api::agent_job::Link;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::api::PullRequestSpec;
use super::error::ForgeError;
use crate::messages::sanitize_line;
use crate::process_group::{ProcessGroup, read_prefix};

/// Maximum size of its output in bytes.
const MAX_OUTPUT_BYTES: u64 = 64 << 10;

/// A command of the operator that opens pull requests, with the environment of the server.
///
/// It receives a JSON object on standard input and prints the URL of the pull request on the first
/// line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Maximum run time.
    pub timeout: Duration,
}

impl Hook {
    pub(super) async fn run(&self, spec: &PullRequestSpec<'_>) -> Result<Link, ForgeError> {
        let task = self.output(spec);
        let output = tokio::time::timeout(self.timeout, task).await;
        let output = output.map_err(|_| {
            let seconds = self.timeout.as_secs();
            ForgeError::Hook(format!("took longer than {seconds} seconds"))
        })??;
        let first = output.lines().next().unwrap_or_default().trim();
        Link::try_from(first.to_owned())
            .map_err(|_| ForgeError::Hook("printed no URL in its first line".to_owned()))
    }

    async fn output(&self, spec: &PullRequestSpec<'_>) -> Result<String, ForgeError> {
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
            "job": spec.job,
            "project": spec.project,
            "repository": spec.repository,
            "branch": spec.branch,
            "base": spec.base,
            "commit": spec.commit,
            "title": spec.title,
            "body": spec.text,
        })
        .to_string();
        let (input, output, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut pipe) = input {
                // The program may exit without reading its input.
                let _ = pipe.write_all(text.as_bytes()).await;
            }
        };
        let ((), output, stderr) = tokio::join!(
            write,
            read_prefix(output, MAX_OUTPUT_BYTES),
            read_prefix(stderr, MAX_OUTPUT_BYTES)
        );
        let status = child.wait().await.map_err(failed)?;
        if status.success() {
            return Ok(output);
        }
        Err(ForgeError::Hook(format!(
            "failed ({status}): {}",
            sanitize_line(&stderr)
        )))
    }
}
