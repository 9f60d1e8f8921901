//! `cargo xtask codegen`: reference pages that are products of the code. A test makes them, so that
//! this program needs none of our crates and is built in seconds.

use crate::sh;

/// Writes the files, or with `--check` names the stale ones.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let check = arguments.iter().any(|argument| argument == "--check");
    let variables: &[(&str, &str)] = match check {
        true => &[],
        false => &[("SVC_CODEGEN", "write")],
    };
    let test = ["test", "--quiet", "--workspace", "--test", "codegen"];
    sh::run_with("cargo", &test, variables)
}
