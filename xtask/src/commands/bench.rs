//! `cargo xtask bench`: the benchmarks of `tests/bench`.

use crate::sh;

/// Builds with the release profile and runs the named benchmarks, or all.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments
        .iter()
        .any(|name| name == "edit" || name == "cold")
    {
        // They run the program itself.
        sh::run("cargo", &["build", "--release", "--package", "svc-cli"])?;
    }
    let mut all = vec!["bench", "--package", "svc-tests", "--bench", "svc", "--"];
    all.extend(arguments.iter().map(String::as_str));
    sh::run("cargo", &all)?;
    if arguments.is_empty() || arguments.iter().any(|name| name == "mdx") {
        // Fresh blocks cost page faults, and from which size on blocks are fresh is the choice of
        // the allocator; it keeps them here, so that the growth is that of the parser.
        let keep = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4000000000";
        let bombs = [
            "bench",
            "--package",
            "svc-tests",
            "--bench",
            "svc",
            "--",
            "bombs",
        ];
        sh::run_with("cargo", &bombs, &[("GLIBC_TUNABLES", keep)])?;
        // A program of its own: its allocator counts, which costs time.
        let memory = ["bench", "--package", "svc-tests", "--bench", "memory"];
        sh::run("cargo", &memory)?;
    }
    Ok(())
}
