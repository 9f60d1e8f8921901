//! SSH transport, with the program of the system. It reads no user configuration, never prompts and
//! forwards nothing. Key and known hosts are given on its command line.

use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::advertisement::Advertisement;
use crate::remote_url::SshRemote;
use crate::transport::Transport;
use crate::{Credentials, GitError, Options};

/// Maximum size of the captured error output in bytes.
const MAX_STDERR_BYTES: u64 = 8 << 10;

/// SSH connection to a repository.
pub(crate) struct SshTransport {
    ssh: SshRemote,
    options: Options,
    deadline: Instant,
    process: Option<SshProcess>,
}

/// A running `ssh` process.
struct SshProcess {
    child: Arc<Mutex<Child>>,
    input: Option<ChildStdin>,
    output: ChildStdout,
    stderr: Option<JoinHandle<String>>,
    timed_out: Arc<AtomicBool>,
    /// Dropping it stops the watchdog thread.
    _watch: Sender<()>,
}

impl Drop for SshProcess {
    fn drop(&mut self) {
        drop(self.input.take());
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Arguments before the host.
pub(crate) fn ssh_arguments(options: &Options) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["-F", "none", "-T", "-x", "-a"].map(Into::into).into();
    let mut option = |text: String| arguments.extend(["-o".into(), OsString::from(text)]);
    for fixed in [
        "BatchMode=yes",
        "StrictHostKeyChecking=yes",
        "UpdateHostKeys=no",
        "PermitLocalCommand=no",
        "ProxyCommand=none",
        "ControlMaster=no",
        "ControlPath=none",
        "ClearAllForwardings=yes",
        "ConnectTimeout=15",
        "ServerAliveInterval=15",
        "SendEnv=GIT_PROTOCOL",
    ] {
        option(fixed.to_owned());
    }
    if let Credentials::Key { file, known_hosts } = &options.credentials {
        option("IdentitiesOnly=yes".to_owned());
        option("IdentityAgent=none".to_owned());
        option(format!("IdentityFile={}", quote_option(file)));
        if let Some(known) = known_hosts {
            option(format!("UserKnownHostsFile={}", quote_option(known)));
        }
    }
    arguments
}

/// Quotes a path for an `ssh` option, where `%` begins a token.
fn quote_option(path: &Path) -> String {
    format!("\"{}\"", path.display().to_string().replace('%', "%%"))
}

impl SshTransport {
    pub(crate) const fn new(ssh: SshRemote, options: Options, end: Instant) -> Self {
        Self {
            ssh,
            options,
            deadline: end,
            process: None,
        }
    }

    fn spawn(&self) -> Result<SshProcess, GitError> {
        let program = self
            .options
            .ssh_program
            .as_deref()
            .unwrap_or(Path::new("ssh"));
        let mut command = Command::new(program);
        command.args(ssh_arguments(&self.options));
        if let Some(port) = self.ssh.port {
            command.arg("-p").arg(port.to_string());
        }
        if let Some(user) = &self.ssh.user {
            command.arg("-l").arg(user);
        }
        let path = self.ssh.path.replace('\'', r"'\''");
        command.arg("--").arg(&self.ssh.host);
        command.arg(format!("git-upload-pack '{path}'"));
        command.env("GIT_PROTOCOL", "version=2").env("LC_ALL", "C");
        command.env_remove("SSH_ASKPASS").env_remove("DISPLAY");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let failed = |error: io::Error| GitError::Program {
            program: program.display().to_string(),
            reason: error.to_string(),
        };
        let mut child = command.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let Some(output) = output else {
            return Err(failed(io::Error::other("its output is not captured")));
        };
        let stderr_text = child.stderr.take().map(|mut from| {
            thread::spawn(move || {
                let mut stderr_text = Vec::new();
                let _ = from
                    .by_ref()
                    .take(MAX_STDERR_BYTES)
                    .read_to_end(&mut stderr_text);
                let _ = io::copy(&mut from, &mut io::sink());
                String::from_utf8_lossy(&stderr_text).into_owned()
            })
        });
        let child = Arc::new(Mutex::new(child));
        let timed_out = Arc::new(AtomicBool::new(false));
        let (watch, stop) = mpsc::channel::<()>();
        let (watched, timed_out_flag) = (Arc::clone(&child), Arc::clone(&timed_out));
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        thread::spawn(move || {
            if stop.recv_timeout(remaining) == Err(mpsc::RecvTimeoutError::Timeout) {
                timed_out_flag.store(true, Ordering::Relaxed);
                let mut child = watched.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = child.kill();
            }
        });
        Ok(SshProcess {
            child,
            input,
            output,
            stderr: stderr_text,
            timed_out,
            _watch: watch,
        })
    }

    /// Replaces an error with the reason in the error output of the program, if there is one.
    fn explain(&mut self, error: GitError) -> GitError {
        let Some(mut process) = self.process.take() else {
            return error;
        };
        if process.timed_out.load(Ordering::Relaxed) {
            return GitError::Timeout(self.options.limits.fetch_timeout.as_secs());
        }
        drop(process.input.take());
        {
            let mut child = process.child.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = child.kill();
            let _ = child.wait();
        }
        let stderr_text = process
            .stderr
            .take()
            .and_then(|stderr_text| stderr_text.join().ok());
        let stderr_text = stderr_text.unwrap_or_default();
        match stderr_text.trim() {
            "" => error,
            stderr_text => classify_ssh(stderr_text, &self.ssh.host),
        }
    }
}

/// Maps the error output of the program to an error.
pub(crate) fn classify_ssh(stderr_text: &str, host: &str) -> GitError {
    let contains = |text: &str| stderr_text.to_ascii_lowercase().contains(text);
    let unauthorized = |response: &str, hint| GitError::Unauthorized {
        host: host.to_owned(),
        response: response.to_owned(),
        hint,
    };
    if contains("host key verification failed")
        || contains("remote host identification has changed")
    {
        return unauthorized(
            "its host key is unknown or has changed",
            "add the correct key to `known_hosts`",
        );
    }
    if contains("permission denied") || contains("too many authentication failures") {
        return unauthorized(
            "permission denied",
            "set `ssh_key` to a private key without passphrase and authorize it for the repository",
        );
    }
    if contains("not appear to be a git repository")
        || contains("not found")
        || contains("no such file")
    {
        return GitError::NotFound(crate::error::sanitize_line(stderr_text));
    }
    GitError::Remote {
        host: host.to_owned(),
        message: crate::error::sanitize_line(stderr_text),
    }
}

impl Transport for SshTransport {
    fn host(&self) -> String {
        self.ssh.host.clone()
    }

    fn handshake(&mut self) -> Result<Advertisement, GitError> {
        let process = self.process.insert(self.spawn()?);
        let advertisement = Advertisement::read(&mut process.output, &self.ssh.host);
        advertisement.map_err(|error| match error {
            GitError::Remote { .. } => error,
            error => self.explain(error),
        })
    }

    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError> {
        if self.process.is_none() {
            self.handshake()?;
        }
        let Some(process) = &mut self.process else {
            return Err(GitError::protocol(
                &self.ssh.host,
                "the connection is closed",
            ));
        };
        let result = match &mut process.input {
            Some(input) => input.write_all(&body).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if let Err(error) = result {
            let error = GitError::protocol(&self.ssh.host, error.to_string());
            return Err(self.explain(error));
        }
        match &mut self.process {
            Some(process) => Ok(Box::new(&mut process.output)),
            None => Err(GitError::protocol(
                &self.ssh.host,
                "the connection is closed",
            )),
        }
    }
}
