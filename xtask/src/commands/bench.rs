//! `cargo xtask bench`: the benchmarks of `tests/bench`.

use crate::sh;

/// Builds with the settings of the profile `dist` and runs the named benchmarks, or all.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some((name, arguments)) = arguments.split_first()
        && let Some((_, feature)) = FEATURES.iter().find(|(own, _)| own == name)
    {
        return run_alone(name, feature, arguments);
    }
    if arguments
        .iter()
        .any(|name| name == "edit" || name == "lsp" || name.starts_with("cold"))
    {
        // These benchmarks run the program itself.
        sh::run(
            "cargo",
            &["build", "--profile", "bench", "--package", "svc-cli"],
        )?;
    }
    if arguments
        .iter()
        .any(|name| name == "serve" || name == "connections")
    {
        sh::run(
            "cargo",
            &["build", "--profile", "bench", "--package", "svc-server"],
        )?;
    }
    let mut all = vec!["bench", "--package", "svc-tests", "--bench", "svc", "--"];
    all.extend(arguments.iter().map(String::as_str));
    sh::run("cargo", &all)?;
    if arguments.is_empty() || arguments.iter().any(|name| name == "mdx") {
        // Fresh blocks cost page faults, and the allocator decides from which size on blocks are
        // fresh. With these settings it reuses them, so that only the growth of the parser is
        // measured.
        let tunables = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4000000000";
        let bombs = [
            "bench",
            "--package",
            "svc-tests",
            "--bench",
            "svc",
            "--",
            "bombs",
        ];
        sh::run_with("cargo", &bombs, &[("GLIBC_TUNABLES", tunables)])?;
        // A separate benchmark, because its counting allocator is slower.
        let memory = ["bench", "--package", "svc-tests", "--bench", "memory"];
        sh::run("cargo", &memory)?;
    }
    Ok(())
}

/// Benchmarks with arguments and dependencies of their own, and the feature that has these.
const FEATURES: &[(&str, &str)] = &[("agents", "agent-questions"), ("search", "search-peers")];

/// Runs a benchmark that has arguments of its own.
fn run_alone(name: &str, feature: &str, arguments: &[String]) -> Result<(), String> {
    let mut all = vec!["bench", "--package", "svc-tests", "--features", feature];
    all.extend(["--bench", name, "--"]);
    all.extend(arguments.iter().map(String::as_str));
    sh::run("cargo", &all)
}
