//! Isolation of the agent from the server.
//!
//! The agent runs in `bwrap` (bubblewrap): it sees the programs of the system, read-only, the
//! directories of its run, and the network; no other files and no other processes.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::messages::sanitize_line;
use crate::options::{Options, Sandbox};
use crate::workspace::Workspace;

/// The sandbox program.
const BWRAP: &str = "bwrap";
/// Timeout for the probe of the sandbox.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// Directories of programs and their dependencies. Links stay links.
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
/// Files of `/etc` that programs need; most others are not visible to agents.
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

/// The command of the agent, in a sandbox if enabled.
///
/// # Errors
/// When a program is missing or does not work, as a sentence.
pub(crate) async fn command(
    options: &Options,
    workspace: &Workspace,
) -> Result<(OsString, Vec<OsString>), String> {
    let Some((program, arguments)) = options.command.split_first() else {
        return Err("the command of the agent is missing".to_owned());
    };
    let arguments = arguments.iter().map(OsString::from);
    if options.sandbox == Sandbox::None {
        return Ok((program.into(), arguments.collect()));
    }
    let bwrap = find_program(BWRAP).ok_or_else(|| {
        format!(
            "agents run in a sandbox, but the program `{BWRAP}` is missing; install bubblewrap on the server, or set `sandbox = \"none\"` in `[agent]` to give the agent all rights of the server's account"
        )
    })?;
    probe(&bwrap).await?;
    // Resolved here, because the directory may not be visible in the sandbox.
    let path = find_program(program).unwrap_or_else(|| PathBuf::from(program));
    let mut all = bwrap_args(options, workspace, &path);
    all.push("--".into());
    all.push(path.into());
    all.extend(arguments);
    Ok((bwrap.into(), all))
}

/// Resolves a program in `PATH`, or at a path.
fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return std::path::absolute(program).ok();
    }
    let path = std::env::var_os("PATH")?;
    let all = std::env::split_paths(&path).filter(|dir| dir.is_absolute());
    all.map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Checks that the sandbox works: some systems forbid its namespaces.
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
    let reason = match output {
        Ok(Ok(output)) if output.status.success() => return Ok(()),
        Ok(Ok(output)) => sanitize_line(&String::from_utf8_lossy(&output.stderr)),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it timed out".to_owned(),
    };
    Err(format!(
        "agents run in a sandbox, and `{BWRAP}` does not work here ({}); allow the server to create user namespaces, or set `sandbox = \"none\"` in `[agent]` to give the agent all rights of the server's account",
        reason.trim()
    ))
}

/// New namespaces except for the network. The sandbox ends with the program that started it.
static ISOLATION_ARGS: [&str; 4] = [
    "--unshare-all",
    "--share-net",
    "--die-with-parent",
    "--new-session",
];

/// Arguments that define the visible files.
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
    if !SYSTEM_DIRS.iter().any(|dir| program.starts_with(dir)) {
        add(&[&"--ro-bind-try", &program, &program]);
    }
    // The data directory of the server may be in one of these directories.
    let private = options.data_dir.canonicalize();
    let private = private.as_deref().unwrap_or(&options.data_dir);
    if SYSTEM_DIRS.iter().any(|dir| private.starts_with(dir)) {
        add(&[&"--tmpfs", &private]);
    }
    for dir in [
        workspace.files(),
        workspace.home_dir(),
        workspace.temp_dir(),
    ] {
        add(&[&"--bind", &dir, &dir]);
    }
    let prompts = workspace.prompts();
    add(&[&"--ro-bind", &prompts, &prompts]);
    add(&[&"--chdir", &workspace.files()]);
    all
}
