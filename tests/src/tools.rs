//! External checkers of rendered pages, if the machine has them.

use std::path::PathBuf;

use crate::sites;

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
