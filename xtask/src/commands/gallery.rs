//! `cargo xtask gallery`: every component in every theme, from an example in the tests.

use crate::sh;

/// Exports a site per theme and a page with links to them; with `--serve`, serves one theme.
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
