//! Calls of the program `git`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;

use svc_git::RemoteUrl;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::Options;
use crate::messages::sanitize_line;
use crate::process_group::ProcessGroup;

/// Bytes of an answer that are kept.
const MAX_OUTPUT_BYTES: usize = 4 << 20;
/// Bytes that are read at once.
const BUFFER_BYTES: usize = 64 << 10;
/// Bytes of complaints that are kept.
const MAX_STDERR_BYTES: u64 = 8 << 10;

/// Beyond what runs something: nothing of the account or of the machine changes what is committed.
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

/// The program with what a job may reach.
pub(crate) struct GitProgram<'a> {
    pub(crate) options: &'a Options,
    pub(crate) remote: &'a RemoteUrl,
    pub(crate) access: &'a svc_git::Options,
}

/// One call.
pub(crate) struct GitCall<'a> {
    /// Whether the address of the job may be reached.
    pub(crate) network: bool,
    /// The folder of the repository.
    pub(crate) git_dir: &'a Path,
    /// The files that belong to it.
    pub(crate) work_tree: Option<&'a Path>,
    pub(crate) input: &'a str,
}

impl GitProgram<'_> {
    /// Runs it, and gives what it prints.
    pub(crate) async fn run<A: AsRef<OsStr>>(
        &self,
        call: GitCall<'_>,
        arguments: &[A],
    ) -> Result<String, String> {
        let mut kept = Vec::new();
        let mut take = |bytes: &[u8]| {
            let room = MAX_OUTPUT_BYTES.saturating_sub(kept.len());
            kept.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        };
        self.stream(call, arguments, &mut take).await?;
        Ok(String::from_utf8_lossy(&kept).into_owned())
    }

    /// Runs it, and hands on what it prints, all of it.
    pub(crate) async fn stream<A: AsRef<OsStr>>(
        &self,
        call: GitCall<'_>,
        arguments: &[A],
        take: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<(), String> {
        let way = call.network.then_some((self.remote, self.access));
        let mut command = Command::from(svc_git::hardened_git_command(
            &self.options.git_program,
            way,
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
            // Not in the folder itself, which a new one would take for a bare repository.
            command.current_dir(call.git_dir.parent().unwrap_or(call.git_dir));
        }
        let author = &self.options.author;
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), &author.name);
            command.env(format!("GIT_{who}_EMAIL"), &author.email);
        }
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        ProcessGroup::set_leader(&mut command);
        let what = arguments.first().map_or_else(String::new, |first| {
            first.as_ref().to_string_lossy().into_owned()
        });
        let work = self.wait(&mut command, &call, take);
        match tokio::time::timeout(self.options.git_timeout, work).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(why)) => Err(format!("`git {what}` failed: {why}")),
            Err(_) => {
                let seconds = self.options.git_timeout.as_secs();
                Err(format!("`git {what}` took longer than {seconds} seconds"))
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
                // A program that ends early says why by itself.
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
        let ((), (), words) = tokio::join!(write, read, read_prefix(pipes.2, MAX_STDERR_BYTES));
        let status = child.wait().await.map_err(|error| error.to_string())?;
        if status.success() {
            return Ok(());
        }
        // What SSH says of it is for people who know SSH.
        let refused = call
            .network
            .then(|| svc_git::classify_ssh_stderr(self.remote, &words));
        if let Some(refused) = refused.flatten() {
            return Err(refused.to_string());
        }
        let words = sanitize_line(&words);
        Err(match words.is_empty() {
            true => status.to_string(),
            false => words,
        })
    }
}

/// The beginning of an output, after all of it was read.
pub(crate) async fn read_prefix(
    pipe: Option<impl tokio::io::AsyncRead + Unpin>,
    most: u64,
) -> String {
    let Some(mut pipe) = pipe else {
        return String::new();
    };
    let mut kept = Vec::new();
    let _ = (&mut pipe).take(most).read_to_end(&mut kept).await;
    let _ = tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&kept).into_owned()
}
