//! Keeping the agent apart from the server.
//!
//! The agent runs in `bwrap` (bubblewrap): it sees the programs of the system, read-only, and the
//! folders of its run; nothing else of the disk, no process outside, and the network.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::Options;
use crate::messages::sanitize_line;
use crate::workspace::Workspace;

/// Whether agents are kept apart from the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// In a sandbox; where there is none, no agent runs.
    #[default]
    Auto,
    /// Not at all: the agent may do what the account of the server may do.
    None,
}

/// The program that makes a sandbox.
const BWRAP: &str = "bwrap";
/// Time in which it has to show that it works.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// Folders of programs and of what they need; links stay links.
static SYSTEM_DIRS: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
];
/// What programs read of `/etc`; most of the rest is no business of an agent.
static ETC_FILES: [&str; 23] = [
    "alternatives",
    "ca-certificates",
    "crypto-policies",
    "fonts",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "passwd",
    "pki/ca-trust",
    "pki/tls/cert.pem",
    "pki/tls/certs",
    "pki/tls/openssl.cnf",
    "protocols",
    "resolv.conf",
    "services",
    "ssl/cert.pem",
    "ssl/certs",
    "ssl/openssl.cnf",
];

/// The command of the agent, in its sandbox where one is wanted.
///
/// # Errors
/// A sentence that says what is missing.
pub(crate) async fn command(
    options: &Options,
    workspace: &Workspace,
) -> Result<(OsString, Vec<OsString>), String> {
    let Some((program, arguments)) = options.command.split_first() else {
        return Err("there is no command of an agent".to_owned());
    };
    let arguments = arguments.iter().map(OsString::from);
    if options.sandbox == Sandbox::None {
        return Ok((program.into(), arguments.collect()));
    }
    let bwrap = find_program(BWRAP).ok_or_else(|| {
        format!(
            "agents run in a sandbox, and the program `{BWRAP}` is not there; install bubblewrap on the server, or set `sandbox = \"none\"` in `[agent]` to give the agent all rights of the server's account"
        )
    })?;
    probe(&bwrap).await?;
    // A name is looked up here, as the agent may not see the folder that it is in.
    let own = find_program(program).unwrap_or_else(|| PathBuf::from(program));
    let mut all = bwrap_args(options, workspace, &own);
    all.push("--".into());
    all.push(own.into());
    all.extend(arguments);
    Ok((bwrap.into(), all))
}

/// A program of the search path, or at a path.
fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return std::path::absolute(program).ok();
    }
    let path = std::env::var_os("PATH")?;
    let all = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    all.map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// Whether the system lets it work: some forbid the namespaces that it makes.
async fn probe(bwrap: &Path) -> Result<(), String> {
    let mut command = Command::new(bwrap);
    command
        .args(ISOLATION_ARGS)
        .args(["--ro-bind", "/", "/", "--proc", "/proc", "--", "true"])
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(PROBE_TIMEOUT, command.output()).await;
    let why = match output {
        Ok(Ok(output)) if output.status.success() => return Ok(()),
        Ok(Ok(output)) => sanitize_line(&String::from_utf8_lossy(&output.stderr)),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it takes too long".to_owned(),
    };
    Err(format!(
        "agents run in a sandbox, and `{BWRAP}` does not work here ({}); let the server make user namespaces, or set `sandbox = \"none\"` in `[agent]` to give the agent all rights of the server's account",
        why.trim()
    ))
}

/// New namespaces of everything but the network. It ends with the program that started it.
static ISOLATION_ARGS: [&str; 4] = [
    "--unshare-all",
    "--share-net",
    "--die-with-parent",
    "--new-session",
];

/// What the sandbox shows.
fn bwrap_args(options: &Options, workspace: &Workspace, program: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = ISOLATION_ARGS.iter().map(OsString::from).collect();
    let mut add = |parts: &[&dyn AsRef<OsStr>]| {
        for part in parts {
            let part: &OsStr = part.as_ref();
            all.push(part.to_owned());
        }
    };
    for path in SYSTEM_DIRS {
        match std::fs::read_link(path) {
            Ok(target) => add(&[&"--symlink", &target, &path]),
            Err(_) => add(&[&"--ro-bind-try", &path, &path]),
        }
    }
    for name in ETC_FILES {
        let path = format!("/etc/{name}");
        add(&[&"--ro-bind-try", &path, &path]);
    }
    add(&[&"--proc", &"/proc", &"--dev", &"/dev", &"--tmpfs", &"/tmp"]);
    if !SYSTEM_DIRS.iter().any(|folder| program.starts_with(folder)) {
        add(&[&"--ro-bind-try", &program, &program]);
    }
    // The data of the server may lie in one of these folders.
    let private = options.data_dir.canonicalize();
    let private = private.as_deref().unwrap_or(&options.data_dir);
    if SYSTEM_DIRS.iter().any(|folder| private.starts_with(folder)) {
        add(&[&"--tmpfs", &private]);
    }
    for folder in [
        workspace.files(),
        workspace.home_dir(),
        workspace.temp_dir(),
    ] {
        add(&[&"--bind", &folder, &folder]);
    }
    let prompts = workspace.prompts();
    add(&[&"--ro-bind", &prompts, &prompts]);
    add(&[&"--chdir", &workspace.files()]);
    all
}
