//! Checkers of finished pages that are not part of the build, where the machine has them.

use std::path::PathBuf;

use crate::sites;

/// A file of the npm packages that `cargo xtask ci install` puts into `target/npm`, or that stand
/// in the folder that `SVC_TEST_TOOLS` names; says on standard error that a check is skipped
/// without it.
#[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
pub fn npm(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SVC_TEST_TOOLS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| sites::workspace().join("target/npm"));
    let found = folder.join("node_modules").join(file);
    if !found.is_file() {
        eprintln!(
            "skipped: there is no {}; `cargo xtask ci install` fetches it with npm",
            found.display()
        );
        return None;
    }
    Some(found)
}
