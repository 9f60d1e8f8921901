//! Runs programs of npm packages.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use svc_tests::{sites, tools};

/// Runs a program of `target/npm-agents` in an empty directory. Its output goes to files: Node ends
/// before a pipe has been read completely.
///
/// # Errors
/// If the program cannot be started.
pub(super) fn run(
    node: &Path,
    program: &Path,
    arguments: &[&str],
) -> Result<Output, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let file = |name: &str| dir.path().join(name);
    let status = Command::new(node)
        .arg(program)
        .args(arguments)
        .current_dir(dir.path())
        .env("HOME", dir.path())
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null())
        .stdout(std::fs::File::create(file("out"))?)
        .stderr(std::fs::File::create(file("err"))?)
        .status()?;
    Ok(Output {
        status,
        stdout: std::fs::read(file("out"))?,
        stderr: std::fs::read(file("err"))?,
    })
}

/// Runs a script of `tests/npm/agents` with the packages of `target/npm-agents`, and returns the
/// JSON that it prints; `None` if Node or the packages are missing.
///
/// # Errors
/// If the script fails.
pub(super) fn script(name: &str, arguments: &[&str]) -> Result<Option<Value>, Box<dyn Error>> {
    let Some((node, packages)) = tools::agents() else {
        return Ok(None);
    };
    // Packages are found from the directory of the script.
    let from = sites::workspace().join("tests/npm/agents").join(name);
    let script = packages.join(name);
    std::fs::copy(from, &script)?;
    let output = run(&node, &script, arguments)?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(Some(serde_json::from_slice(&output.stdout)?))
}
