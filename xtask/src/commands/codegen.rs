//! `cargo xtask codegen`: generates reference pages from the code. A test generates them, so that
//! this program needs no crates of the workspace and builds in seconds.

use crate::sh;

/// Writes the files, or with `--check` lists the stale ones.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let check = arguments.iter().any(|argument| argument == "--check");
    let variables: &[(&str, &str)] = match check {
        true => &[],
        false => &[("SVC_CODEGEN", "write")],
    };
    let test = ["test", "--quiet", "--workspace", "--test", "codegen"];
    sh::run_with("cargo", &test, variables)
}
