//! `cargo xtask bench`: the benchmarks of `tests/bench`.

use crate::sh;

/// Builds with the release profile and runs the named benchmarks, or all.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let mut all = vec!["bench", "--package", "svc-tests", "--bench", "svc", "--"];
    all.extend(arguments.iter().map(String::as_str));
    sh::run("cargo", &all)?;
    if arguments.is_empty() || arguments.iter().any(|name| name == "mdx") {
        // A program of its own: its allocator counts, which costs time.
        let memory = ["bench", "--package", "svc-tests", "--bench", "memory"];
        sh::run("cargo", &memory)?;
    }
    Ok(())
}
