//! `cargo xtask release --dry-run`: checks what a release needs, and builds the packages of the crates
//! that other programs depend on.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::sh;

/// Crates that are published, lowest layer first.
pub(crate) const PUBLISHED: &[&str] = &[
    "svc-diagnostics",
    "svc-data",
    "svc-mdx",
    "svc-source",
    "svc-config",
    "svc-openapi",
    "svc-nav",
    "svc-search",
];

/// Fields of a manifest that crates.io shows.
const FIELDS: &[&str] = &[
    "description",
    "documentation",
    "license",
    "readme",
    "rust_version",
];

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments != ["--dry-run"] {
        let text = "publishing cannot be undone, so it is left to you: run with `--dry-run`, and then the commands that it prints";
        return Err(text.to_owned());
    }
    let version = version()?;
    let problems = problems()?;
    if !problems.is_empty() {
        return Err(format!("not ready:\n  {}", problems.join("\n  ")));
    }
    let packages: Vec<&str> = PUBLISHED.iter().flat_map(|name| ["-p", name]).collect();
    let changes = sh::output("git", &["status", "--porcelain"])?;
    let dirty: &[&str] = if changes.is_empty() {
        &[]
    } else {
        eprintln!("The packages contain changes that are not committed.");
        &["--allow-dirty"]
    };
    // Builds each crate from its package.
    sh::run(
        "cargo",
        &[&["package", "--locked"], &packages[..], dirty].concat(),
    )?;
    for name in PUBLISHED {
        let path = sh::target().join(format!("package/{name}-{version}.crate"));
        let size = fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{name} {version}: {:.0} kB", size.len() as f64 / 1e3);
    }
    println!("\nReady. To release:\n");
    println!("  git tag v{version} && git push origin v{version}");
    println!("  cargo publish --locked {}", packages.join(" "));
    println!("  cargo xtask dist");
    Ok(())
}

/// Version of the workspace.
fn version() -> Result<String, String> {
    let metadata = metadata()?;
    let version = package(&metadata, "svc-diagnostics").and_then(|found| found["version"].as_str());
    version
        .map(str::to_owned)
        .ok_or_else(|| "svc-diagnostics is not in the workspace".to_owned())
}

fn metadata() -> Result<Value, String> {
    let arguments = [
        "metadata",
        "--format-version",
        "1",
        "--no-deps",
        "--offline",
        "--locked",
    ];
    let text = sh::output("cargo", &arguments)?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

fn package<'a>(metadata: &'a Value, name: &str) -> Option<&'a Value> {
    let packages = metadata["packages"].as_array()?;
    packages.iter().find(|package| package["name"] == name)
}

/// Everything that keeps the crates from being published.
pub(crate) fn problems() -> Result<Vec<String>, String> {
    let metadata = metadata()?;
    let mut problems = Vec::new();
    for name in PUBLISHED {
        let Some(package) = package(&metadata, name) else {
            problems.push(format!("{name}: not in the workspace"));
            continue;
        };
        let dir = sh::root().join("crates").join(name);
        let found = manifest_problems(package)
            .into_iter()
            .chain(text_problems(package, &dir));
        problems.extend(found.map(|problem| format!("{name}: {problem}")));
    }
    problems.extend(chart_problems(&version()?));
    Ok(problems)
}

fn manifest_problems(package: &Value) -> Vec<String> {
    let missing = FIELDS.iter().filter(|field| package[**field].is_null());
    let mut problems: Vec<String> = missing
        .map(|field| format!("`{field}` is missing in Cargo.toml"))
        .collect();
    for list in ["keywords", "categories"] {
        if package[list].as_array().is_none_or(Vec::is_empty) {
            problems.push(format!("`{list}` is missing in Cargo.toml"));
        }
    }
    if package["metadata"]["docs"]["rs"]["all-features"] != true {
        problems.push("`package.metadata.docs.rs` does not set `all-features`".to_owned());
    }
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    for dependency in dependencies.filter(|found| found["kind"].is_null()) {
        let name = dependency["name"].as_str().unwrap_or_default();
        if name.starts_with("svc-") && !PUBLISHED.contains(&name) {
            problems.push(format!("depends on `{name}`, which is not published"));
        }
    }
    problems
}

/// Problems of README.md and CHANGELOG.md.
fn text_problems(package: &Value, dir: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let readme = fs::read_to_string(dir.join("README.md")).unwrap_or_default();
    if !readme.contains("```rust\n") {
        problems.push("README.md has no example".to_owned());
    }
    if readme.contains("](../") {
        problems.push("README.md has a link that crates.io cannot follow".to_owned());
    }
    let features = package["features"].as_object().into_iter().flatten();
    for (feature, _) in features {
        if !readme.contains(&format!("| `{feature}` |")) {
            problems.push(format!("README.md does not list the feature `{feature}`"));
        }
    }
    let version = package["version"].as_str().unwrap_or_default();
    let changes = fs::read_to_string(dir.join("CHANGELOG.md")).unwrap_or_default();
    let has_heading = changes
        .lines()
        .any(|line| line == "## Unreleased" || line.starts_with(&format!("## {version} ")));
    if !has_heading {
        problems.push(format!(
            "CHANGELOG.md has neither `## Unreleased` nor `## {version} `"
        ));
    }
    problems
}

/// The chart has the version of the programs.
fn chart_problems(version: &str) -> Vec<String> {
    let file = "packaging/helm/svc/Chart.yaml";
    let text = fs::read_to_string(sh::root().join(file)).unwrap_or_default();
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.map(|value| value.trim().trim_matches('"').to_owned())
    };
    ["version:", "appVersion:"]
        .into_iter()
        .filter(|key| value(key).as_deref() != Some(version))
        .map(|key| format!("{file}: `{key}` is not {version}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{chart_problems, manifest_problems, problems, text_problems};

    #[test]
    fn crates_are_ready_to_be_published() {
        assert_eq!(problems().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn missing_fields_and_unpublished_dependencies_are_named() {
        let package = json!({
            "description": "A crate.", "documentation": "https://docs.rs/a", "license": "MIT",
            "rust_version": "1.95", "keywords": ["a"], "categories": [],
            "dependencies": [
                {"name": "svc-render", "kind": null},
                {"name": "svc-data", "kind": null},
                {"name": "svc-test-support", "kind": "dev"}
            ]
        });
        assert_eq!(
            manifest_problems(&package),
            [
                "`readme` is missing in Cargo.toml",
                "`categories` is missing in Cargo.toml",
                "`package.metadata.docs.rs` does not set `all-features`",
                "depends on `svc-render`, which is not published"
            ]
        );
    }

    #[test]
    fn texts_of_a_crate_are_checked() {
        let dir = tempfile::tempdir().unwrap();
        let package = json!({"version": "1.2.3", "features": {"fast": []}});
        let readme = "# A\n\n[svc](../../README.md)\n";
        std::fs::write(dir.path().join("README.md"), readme).unwrap();
        std::fs::write(dir.path().join("CHANGELOG.md"), "## 1.2.30 - today\n").unwrap();
        assert_eq!(
            text_problems(&package, dir.path()),
            [
                "README.md has no example",
                "README.md has a link that crates.io cannot follow",
                "README.md does not list the feature `fast`",
                "CHANGELOG.md has neither `## Unreleased` nor `## 1.2.3 `"
            ]
        );
        let readme = "```rust\n```\n\n| `fast` | less checks |\n";
        std::fs::write(dir.path().join("README.md"), readme).unwrap();
        std::fs::write(dir.path().join("CHANGELOG.md"), "## 1.2.3 (today)\n").unwrap();
        assert_eq!(text_problems(&package, dir.path()), Vec::<String>::new());
    }

    #[test]
    fn another_version_of_the_chart_is_named() {
        assert_eq!(chart_problems("99.0.0").len(), 2);
    }
}
