//! `cargo xtask semver [REVISION]`: breaking changes of the published crates since a release.

use super::release::PUBLISHED;
use crate::sh;

/// Compares the public API of the published crates with that of a revision, by default the last
/// release that is an ancestor of this commit.
///
/// Without a release there is nothing to compare with, and without `cargo-semver-checks` nothing is
/// compared; both are said.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let baseline = match arguments {
        [] => last_release(),
        [revision] => Some(revision.clone()),
        _ => return Err("takes one revision at most".to_owned()),
    };
    let Some(baseline) = baseline else {
        eprintln!("There is no release yet, so there is no API to compare with.");
        return Ok(());
    };
    if !sh::has("cargo-semver-checks") {
        eprintln!(
            "cargo-semver-checks is missing: the API is not compared with {baseline}. Install it with `cargo install cargo-semver-checks --locked`."
        );
        return Ok(());
    }
    let packages = PUBLISHED.iter().flat_map(|name| ["--package", name]);
    let arguments = ["semver-checks", "--baseline-rev", &baseline];
    let all: Vec<&str> = arguments.into_iter().chain(packages).collect();
    sh::run("cargo", &all)
}

/// The tag of the last release.
fn last_release() -> Option<String> {
    let arguments = ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"];
    sh::output("git", &arguments)
        .ok()
        .filter(|tag| !tag.is_empty())
}
