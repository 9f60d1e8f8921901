//! Real documentation repositories, if the machine has them.

use std::path::{Path, PathBuf};

/// Names of the five repositories that the tests use.
pub const NAMES: &[&str] = &["mcp", "fastmcp", "trigger", "polar", "mintlify"];

/// Returns the root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
        .to_path_buf()
}

/// Returns the directory of the documentation of this project.
pub fn docs() -> PathBuf {
    workspace().join("docs")
}

/// Returns a file or directory of the shared material next to the checkout; `None` if it is
/// missing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = workspace().parent()?.join("shared").join(path);
    path.exists().then_some(path)
}

/// Returns the directory of a real repository; `None`, with a note on standard error, if it is
/// missing.
#[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
pub fn site(name: &str) -> Option<PathBuf> {
    let path = shared(&format!("corpus/sites/{name}"));
    if path.is_none() {
        eprintln!("skipped: the repository {name} is not on this machine");
    }
    path
}

/// Returns `count` of the items at equal distances; the result is deterministic.
pub fn sample<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    let step = items.len().div_ceil(count.max(1)).max(1);
    items.iter().step_by(step)
}
