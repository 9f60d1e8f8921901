//! Runs the program.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs `svc` in a directory until it ends.
pub(crate) fn svc(arguments: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .unwrap()
}

/// The standard output.
pub(crate) fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The standard error.
pub(crate) fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that an output contains a text, and shows the output otherwise.
#[track_caller]
pub(crate) fn assert_contains(output: &str, part: &str) {
    assert!(output.contains(part), "`{part}` is not in\n{output}");
}
