//! Fetches with the program `git`, with all features disabled that execute other programs.
//!
//! Operators select it with `program` of `[git]` for remotes that [`crate::protocol`] cannot serve:
//! those that require a feature of the protocol that it lacks, and those without object filters whose
//! large files exceed the limits of memory, because `git` streams them to disk. Its command line is
//! also that of the agents ([`hardened_git_command`]).

use std::fs;
use std::io::{self, Read, Write as _};
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gix::ObjectId;

use crate::advertisement::Reference;
use crate::fetch::{candidates, choose, commit_reference, unknown_reference};
use crate::store::Store;
use crate::transport::{basic_auth, classify_ssh, ssh_arguments};
use crate::{Credentials, GitError, Options, RemoteUrl};

/// Maximum size of the captured error output in bytes.
const MAX_STDERR_BYTES: u64 = 8 << 10;
/// Maximum size of a list of references in bytes.
const MAX_REFS_BYTES: u64 = 64 << 20;
/// Interval for polling the process.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Configuration that prevents `git` from executing programs, whatever else is configured.
static HARDENED_CONFIG: [&str; 12] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "http.followRedirects=false",
    "maintenance.auto=false",
    "protocol.allow=never",
    "submodule.recurse=false",
];

/// The program with a repository.
struct GitProgram<'a> {
    program: &'a Path,
    remote: &'a RemoteUrl,
    options: &'a Options,
    dir: &'a Path,
    deadline: Instant,
}

/// Fetches a reference with all objects that the options require.
pub(crate) fn fetch(
    store: &mut Store,
    program: &Path,
    remote: &RemoteUrl,
    options: &Options,
    name: &str,
) -> Result<ObjectId, GitError> {
    let dir = store.dir().to_owned();
    let git = GitProgram {
        program,
        remote,
        options,
        dir: &dir,
        deadline: Instant::now() + options.limits.fetch_timeout,
    };
    let candidates = candidates(name)?;
    let patterns: Vec<&str> = candidates.iter().map(String::as_str).collect();
    let references = git.list_references(&patterns)?;
    let by_id = || commit_reference(name);
    let Some(reference) = choose(&references, &candidates).or_else(by_id) else {
        return Err(unknown_reference(
            name,
            &git.list_references(&["refs/heads/*", "refs/tags/*"])?,
        ));
    };
    let filter = match options.history || !options.subfolder.is_empty() {
        true => "blob:none".to_owned(),
        false => format!("blob:limit={}", options.limits.max_file_bytes),
    };
    if store.tips().is_empty() {
        store.set_filter(Some(filter.clone()))?;
    } else if store.filter() != Some(&filter) {
        store.clear()?;
        store.set_filter(Some(filter.clone()))?;
    }
    git.fetch_commit(&reference, &filter)?;
    let objects = store.objects()?;
    let commit = objects.peel(reference.id)?;
    let (tree, subfolder) = (objects.commit(commit)?.tree, &options.subfolder);
    let Some(tree) = objects.subtree(tree, subfolder)? else {
        return Err(GitError::SubfolderNotFound(subfolder.clone()));
    };
    let missing = objects.missing_blobs(tree, &options.limits)?;
    if !missing.is_empty() && filter == "blob:none" {
        git.fetch_files(&missing)?;
    }
    store.add_tip(commit)?;
    Ok(commit)
}

/// Lists all branches.
pub(crate) fn branches(
    store: &Store,
    program: &Path,
    remote: &RemoteUrl,
    options: &Options,
) -> Result<Vec<Reference>, GitError> {
    let git = GitProgram {
        program,
        remote,
        options,
        dir: store.dir(),
        deadline: Instant::now() + options.limits.fetch_timeout,
    };
    git.list_references(&["refs/heads/*"])
}

/// The program `git` with all features disabled that execute other programs. With a remote it can
/// reach only that remote, with its credentials; without one it can reach nothing.
pub fn hardened_git_command(program: &Path, remote: Option<(&RemoteUrl, &Options)>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("GIT_") || name.ends_with("_ASKPASS") {
            command.env_remove(name.as_ref());
        }
    }
    command
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env_remove("DISPLAY");
    for setting in HARDENED_CONFIG {
        command.args(["-c", setting]);
    }
    let Some((remote, options)) = remote else {
        return command;
    };
    let scheme = match remote {
        RemoteUrl::Http(url) => url.scheme(),
        RemoteUrl::Ssh(_) => "ssh",
        RemoteUrl::Local(_) => "file",
    };
    command
        .arg("-c")
        .arg(format!("protocol.{scheme}.allow=always"));
    if let (RemoteUrl::Http(_), Credentials::Token { user, token }) = (remote, &options.credentials)
    {
        // Other processes can read the arguments of a program, but not its environment.
        let value = format!("Authorization: {}", basic_auth(user, token.reveal()));
        command.env("GIT_CONFIG_COUNT", "1");
        command.env("GIT_CONFIG_KEY_0", "http.extraHeader");
        command.env("GIT_CONFIG_VALUE_0", value);
    }
    if matches!(remote, RemoteUrl::Ssh(_)) {
        let ssh = options.ssh_program.as_deref().unwrap_or(Path::new("ssh"));
        let mut line = shell_quote(&ssh.to_string_lossy());
        for argument in ssh_arguments(options) {
            line.push(' ');
            line.push_str(&shell_quote(&argument.to_string_lossy()));
        }
        command
            .env("GIT_SSH_COMMAND", line)
            .env("GIT_SSH_VARIANT", "ssh");
    }
    command
}

/// Maps error output of `git` for an SSH remote to an error: the key was rejected, or the host key
/// does not match. Returns `None` for other output.
pub fn classify_ssh_stderr(remote: &RemoteUrl, stderr: &str) -> Option<GitError> {
    let RemoteUrl::Ssh(ssh) = remote else {
        return None;
    };
    let error = classify_ssh(stderr, &ssh.host);
    matches!(error, GitError::Unauthorized { .. }).then_some(error)
}

impl GitProgram<'_> {
    fn command(&self) -> Command {
        let mut command = hardened_git_command(self.program, Some((self.remote, self.options)));
        command.env("GIT_DIR", self.dir);
        // Its child processes are killed with it.
        #[cfg(unix)]
        command.process_group(0);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// References that match the patterns.
    fn list_references(&self, patterns: &[&str]) -> Result<Vec<Reference>, GitError> {
        let mut command = self.command();
        command
            .args(["ls-remote", "--quiet", "--", "origin"])
            .args(patterns);
        let output = self.run(command, None)?;
        let parse = |line: &str| {
            let (id, name) = line.split_once('\t')?;
            Some(Reference {
                name: name.to_owned(),
                id: ObjectId::from_hex(id.as_bytes()).ok()?,
                peeled: None,
            })
        };
        Ok(output.lines().filter_map(parse).collect())
    }

    /// `settings` are additional configuration entries.
    fn fetch_command(&self, settings: &[&str]) -> Command {
        let mut command = self.command();
        for setting in settings {
            command.args(["-c", setting]);
        }
        command.args(["fetch", "--quiet", "--no-tags", "--no-recurse-submodules"]);
        command.args(["--no-write-fetch-head", "--no-auto-maintenance"]);
        command
    }

    fn fetch_commit(&self, reference: &Reference, filter: &str) -> Result<(), GitError> {
        let mut command = self.fetch_command(&[]);
        if !self.options.history {
            command.arg("--depth=1");
        }
        command.arg(format!("--filter={filter}"));
        // A reference under `refs/`, which `git` treats as an existing object.
        let name = reference
            .name
            .strip_prefix("refs/")
            .unwrap_or(&reference.name);
        command.args(["--", "origin"]);
        command.arg(format!("+{}:refs/svc/{name}", reference.name));
        self.run(command, None).map(drop)
    }

    fn fetch_files(&self, ids: &[ObjectId]) -> Result<(), GitError> {
        // Objects are requested by id, so negotiation is not needed.
        let mut command = self.fetch_command(&["fetch.negotiationAlgorithm=noop"]);
        command.args(["--filter=blob:none", "--stdin", "--", "origin"]);
        let list: String = ids.iter().map(|id| format!("{id}\n")).collect();
        self.run(command, Some(list)).map(drop)
    }

    fn run(&self, mut command: Command, input: Option<String>) -> Result<String, GitError> {
        let failed = |error: io::Error| GitError::Program {
            program: self.program.display().to_string(),
            reason: error.to_string(),
        };
        if input.is_some() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().map_err(failed)?;
        let output = read_in_background(child.stdout.take(), MAX_REFS_BYTES);
        let stderr = read_in_background(child.stderr.take(), MAX_STDERR_BYTES);
        let writer = child.stdin.take().zip(input).map(|(mut pipe, text)| {
            // If the program exits early, its error output has the reason.
            thread::spawn(move || drop(pipe.write_all(text.as_bytes())))
        });
        let result = self.wait(&mut child);
        if result.is_err() {
            kill_group(&mut child);
        }
        let (output, stderr) = (join_output(output), join_output(stderr));
        if let Some(writer) = writer {
            let _ = writer.join();
        }
        match result? {
            true => Ok(output),
            false => Err(self.classify(&stderr)),
        }
    }

    /// Waits within the limits of time and size. Returns whether the program succeeded.
    fn wait(&self, child: &mut Child) -> Result<bool, GitError> {
        let before = pack_bytes(self.dir);
        let mut rounds = 0_u32;
        loop {
            let exit = child.try_wait().map_err(GitError::file(self.program))?;
            if let Some(status) = exit {
                return Ok(status.success());
            }
            if Instant::now() > self.deadline {
                return Err(GitError::Timeout(
                    self.options.limits.fetch_timeout.as_secs(),
                ));
            }
            let max = self.options.limits.max_fetch_bytes;
            if rounds.is_multiple_of(16) && pack_bytes(self.dir).saturating_sub(before) > max {
                return Err(GitError::TooLarge {
                    max,
                    what: "bytes to fetch",
                });
            }
            rounds = rounds.wrapping_add(1);
            thread::sleep(POLL_INTERVAL);
        }
    }

    fn classify(&self, stderr: &str) -> GitError {
        let contains = |text: &str| stderr.to_ascii_lowercase().contains(text);
        let host = match self.remote {
            RemoteUrl::Http(url) => url.host_str().unwrap_or_default().to_owned(),
            RemoteUrl::Ssh(ssh) => return classify_ssh(stderr, &ssh.host),
            RemoteUrl::Local(_) => String::new(),
        };
        if contains("cannot lock ref")
            || contains("bad object")
            || contains("corrupt")
            || contains("unable to read")
        {
            return GitError::Corrupt(crate::error::sanitize_line(stderr));
        }
        if contains("authentication failed")
            || contains("could not read username")
            || contains("could not read password")
            || contains("error: 403")
        {
            return GitError::Unauthorized {
                host,
                response: "authentication failed".to_owned(),
                hint: "set `token_file` or `token_env` to a token that can read the repository",
            };
        }
        if contains("not found") {
            return GitError::NotFound(crate::error::sanitize_line(stderr));
        }
        GitError::Program {
            program: self.program.display().to_string(),
            reason: crate::error::sanitize_line(stderr),
        }
    }
}

/// Kills a program with all its child processes.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = i32::try_from(child.id()).ok();
        if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

type OutputReader = Option<thread::JoinHandle<String>>;

/// Reads the beginning of an output in a background thread and discards the rest.
fn read_in_background(from: Option<impl Read + Send + 'static>, max: u64) -> OutputReader {
    from.map(|mut from| {
        thread::spawn(move || {
            let mut output = Vec::new();
            let _ = from.by_ref().take(max).read_to_end(&mut output);
            let _ = io::copy(&mut from, &mut io::sink());
            String::from_utf8_lossy(&output).into_owned()
        })
    })
}

fn join_output(reader: OutputReader) -> String {
    let text = reader.and_then(|reader| reader.join().ok());
    text.unwrap_or_default()
}

/// Size of all packs in bytes, including incomplete ones.
fn pack_bytes(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir.join("objects/pack"));
    let sizes = entries.into_iter().flatten().flatten();
    sizes
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .sum()
}

/// Quotes an argument for the shell that runs `ssh`.
fn shell_quote(argument: &str) -> String {
    format!("'{}'", argument.replace('\'', r"'\''"))
}
