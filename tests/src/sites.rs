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

/// Returns the directory of a real repository; reports a skipped check and returns `None` if it is
/// missing.
pub fn site(name: &str) -> Option<PathBuf> {
    svc_test_support::reference_path(&format!("corpus/sites/{name}"))
}

/// Returns `count` of the items at equal distances; the result is deterministic.
pub fn sample<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    let step = items.len().div_ceil(count.max(1)).max(1);
    items.iter().step_by(step)
}
