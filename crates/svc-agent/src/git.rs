//! Calls of the program `git`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;

use svc_git::RemoteUrl;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::Options;
use crate::messages::sanitize_line;
use crate::process_group::{ProcessGroup, read_prefix};

/// Maximum size of captured output in bytes.
const MAX_OUTPUT_BYTES: usize = 4 << 20;
/// Size of the read buffer in bytes.
const BUFFER_BYTES: usize = 64 << 10;
/// Maximum size of captured error output in bytes.
const MAX_STDERR_BYTES: u64 = 8 << 10;

/// In addition to the hardened configuration: settings of the account and the machine do not affect
/// commits.
static ISOLATED_CONFIG: [&str; 8] = [
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "core.excludesFile=/dev/null",
    "core.untrackedCache=false",
    "core.quotePath=false",
    "advice.detachedHead=false",
    "commit.gpgSign=false",
    "push.recurseSubmodules=no",
];

/// The program with the remote that a job may access.
pub(crate) struct GitProgram<'a> {
    pub(crate) options: &'a Options,
    pub(crate) remote: &'a RemoteUrl,
    pub(crate) access: &'a svc_git::Options,
}

/// A call of the program.
pub(crate) struct GitCall<'a> {
    /// Whether the remote of the job may be accessed.
    pub(crate) network: bool,
    /// Git directory of the repository.
    pub(crate) git_dir: &'a Path,
    /// Work tree of the repository.
    pub(crate) work_tree: Option<&'a Path>,
    pub(crate) input: &'a str,
}

impl GitProgram<'_> {
    /// Runs a command and returns its output.
    pub(crate) async fn run<A: AsRef<OsStr>>(
        &self,
        call: GitCall<'_>,
        arguments: &[A],
    ) -> Result<String, String> {
        let mut output = Vec::new();
        let mut take = |bytes: &[u8]| {
            let capacity = MAX_OUTPUT_BYTES.saturating_sub(output.len());
            output.extend_from_slice(bytes.get(..capacity).unwrap_or(bytes));
        };
        self.stream(call, arguments, &mut take).await?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    /// Runs a command and passes its output on without a limit.
    pub(crate) async fn stream<A: AsRef<OsStr>>(
        &self,
        call: GitCall<'_>,
        arguments: &[A],
        take: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<(), String> {
        let remote = call.network.then_some((self.remote, self.access));
        let mut command = Command::from(svc_git::hardened_git_command(
            &self.options.git_program,
            remote,
        ));
        for setting in ISOLATED_CONFIG {
            command.args(["-c", setting]);
        }
        command
            .env("GIT_DIR", call.git_dir)
            .env("GIT_NO_REPLACE_OBJECTS", "1");
        if let Some(files) = call.work_tree {
            command.env("GIT_WORK_TREE", files).current_dir(files);
        } else {
            // A new work tree would be taken for a bare repository in the Git directory itself.
            command.current_dir(call.git_dir.parent().unwrap_or(call.git_dir));
        }
        let author = &self.options.author;
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), &author.name);
            command.env(format!("GIT_{role}_EMAIL"), &author.email);
        }
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        ProcessGroup::set_leader(&mut command);
        let name = arguments.first().map_or_else(String::new, |first| {
            first.as_ref().to_string_lossy().into_owned()
        });
        let task = self.wait(&mut command, &call, take);
        match tokio::time::timeout(self.options.git_timeout, task).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(format!("`git {name}` failed: {reason}")),
            Err(_) => {
                let seconds = self.options.git_timeout.as_secs();
                Err(format!("`git {name}` took longer than {seconds} seconds"))
            }
        }
    }

    async fn wait(
        &self,
        command: &mut Command,
        call: &GitCall<'_>,
        take: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<(), String> {
        let program = self.options.git_program.display();
        let mut child = command
            .spawn()
            .map_err(|error| format!("`{program}` cannot be started: {error}"))?;
        let _group = ProcessGroup::new(&child);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut pipe) = pipes.0 {
                // If the program exits early, its error output has the reason.
                let _ = pipe.write_all(call.input.as_bytes()).await;
            }
        };
        let read = async {
            let Some(mut pipe) = pipes.1 else { return };
            let mut piece = vec![0; BUFFER_BYTES];
            while let Ok(read @ 1..) = pipe.read(&mut piece).await {
                take(piece.get(..read).unwrap_or_default());
            }
        };
        let ((), (), stderr) = tokio::join!(write, read, read_prefix(pipes.2, MAX_STDERR_BYTES));
        let status = child.wait().await.map_err(|error| error.to_string())?;
        if status.success() {
            return Ok(());
        }
        // Maps the output of SSH to an error with a hint.
        let ssh_error = call
            .network
            .then(|| svc_git::classify_ssh_stderr(self.remote, &stderr));
        if let Some(ssh_error) = ssh_error.flatten() {
            return Err(ssh_error.to_string());
        }
        let stderr = sanitize_line(&stderr);
        Err(match stderr.is_empty() {
            true => status.to_string(),
            false => stderr,
        })
    }
}
