//! `cargo xtask gallery`: every component in every theme, by an example of the tests.

use crate::sh;

/// Writes one site per theme and a page that links them; with `--serve` shows one theme.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let command = [
        "run",
        "--quiet",
        "-p",
        "svc-tests",
        "--example",
        "gallery",
        "--",
    ];
    let arguments = arguments.iter().map(String::as_str);
    sh::run(
        "cargo",
        &command.into_iter().chain(arguments).collect::<Vec<_>>(),
    )
}
