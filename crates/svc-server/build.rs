//! Passes the commit and the enabled features to the compiler, for `--version`.
//!
//! Builds of the same commit are equal: nothing of the time, the machine or the folder gets in.
//! Development builds have no commit, because each new commit would compile this crate again.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=SVC_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let is_optimized = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = given().or_else(|| is_optimized.then(commit).flatten());
    println!("cargo::rustc-env=SVC_COMMIT={}", commit.unwrap_or_default());
    println!("cargo::rustc-env=SVC_FEATURES={}", features());
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=SVC_TARGET={target}");
}

/// The commit that a packager names, for sources without Git.
fn given() -> Option<String> {
    shortened(&env::var("SVC_COMMIT").ok()?)
}

/// The commit of the workspace; `None` outside of its repository.
fn commit() -> Option<String> {
    let root = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("../..");
    // The workspace must be the root of the repository: a copy inside of another repository does
    // not have the commit of that one. In a linked work tree, `.git` is a file.
    if !root.join(".git").exists() {
        return None;
    }
    for name in [".git/HEAD", ".git/logs/HEAD"] {
        let file = root.join(name);
        if file.is_file() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    let output = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .current_dir(&root)
        .output();
    match output {
        Ok(output) if output.status.success() => {
            shortened(&String::from_utf8_lossy(&output.stdout))
        }
        // Without Git, a detached head still names the commit.
        _ => shortened(&fs::read_to_string(root.join(".git/HEAD")).ok()?),
    }
}

/// The first 12 digits of a commit; `None` for any other text.
fn shortened(text: &str) -> Option<String> {
    let text = text.trim();
    let is_commit = text.len() >= 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| text[..12].to_ascii_lowercase())
}

/// The enabled features in alphabetical order, separated by spaces.
fn features() -> String {
    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_owned))
        .map(|name| name.to_ascii_lowercase().replace('_', "-"))
        .filter(|name| name != "default")
        .collect();
    features.sort();
    features.join(" ")
}
