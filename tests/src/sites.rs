//! Real documentation repositories, where the machine has them.

use std::path::{Path, PathBuf};

/// The five repositories that the checks go over.
pub const NAMES: &[&str] = &["mcp", "fastmcp", "trigger", "polar", "mintlify"];

/// The workspace root.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
        .to_path_buf()
}

/// Our own documentation.
pub fn docs() -> PathBuf {
    workspace().join("docs")
}

/// A file or folder of the shared material beside the checkout, if it is there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = workspace().parent()?.join("shared").join(path);
    found.exists().then_some(found)
}

/// The folder of a real repository; says on standard error that a check is skipped without it.
#[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
pub fn site(name: &str) -> Option<PathBuf> {
    let found = shared(&format!("corpus/sites/{name}"));
    if found.is_none() {
        eprintln!("skipped: the repository {name} is not on this machine");
    }
    found
}

/// So many of the items, at equal distances, always the same.
pub fn sample<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    let step = items.len().div_ceil(count.max(1)).max(1);
    items.iter().step_by(step)
}
