//! The packages that are compiled into the programs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::programs::TARGETS;
use crate::sh;

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// SPDX expression; empty if the package names none.
    pub(super) license: String,
    pub(super) description: String,
    /// Path of `Cargo.toml`.
    pub(super) manifest: String,
    /// Whether it comes from a registry, instead of from this workspace.
    pub(super) is_external: bool,
    /// IDs of the packages that it uses.
    pub(super) dependencies: BTreeSet<String>,
}

/// Packages by ID.
#[derive(Debug, Default)]
pub(super) struct Packages(pub(super) BTreeMap<String, Package>);

impl Packages {
    /// Reads the packages of both programs for all targets.
    pub(super) fn read() -> Result<Self, String> {
        let mut arguments = vec!["metadata", "--locked", "--format-version", "1"];
        for target in TARGETS {
            arguments.extend(["--filter-platform", target.triple]);
        }
        let text = sh::output("cargo", &arguments)?;
        let metadata = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Self::of_programs(&metadata, &["svc-cli", "svc-server"]))
    }

    /// The packages that some packages of `cargo metadata` need at run time, and themselves.
    pub(super) fn of_programs(metadata: &Value, names: &[&str]) -> Self {
        let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let all: BTreeMap<String, Value> = array(&metadata["packages"])
            .into_iter()
            .map(|package| (text(&package["id"]), package))
            .collect();
        let nodes: BTreeMap<String, BTreeSet<String>> = array(&metadata["resolve"]["nodes"])
            .iter()
            .map(|node| {
                let used = array(&node["deps"]).into_iter().filter(is_used_at_run_time);
                let used = used.map(|used| text(&used["pkg"])).collect();
                (text(&node["id"]), used)
            })
            .collect();
        let roots = all.iter().filter(|(_, package)| {
            package["source"].is_null() && names.contains(&package["name"].as_str().unwrap_or(""))
        });
        let mut queue: Vec<String> = roots.map(|(id, _)| id.clone()).collect();
        let mut packages = BTreeMap::new();
        while let Some(id) = queue.pop() {
            let Some(package) = all.get(&id).filter(|_| !packages.contains_key(&id)) else {
                continue;
            };
            let dependencies = nodes.get(&id).cloned().unwrap_or_default();
            queue.extend(dependencies.iter().cloned());
            let package = Package {
                name: text(&package["name"]),
                version: text(&package["version"]),
                license: text(&package["license"]),
                description: text(&package["description"]),
                manifest: text(&package["manifest_path"]),
                is_external: !package["source"].is_null(),
                dependencies,
            };
            packages.insert(id, package);
        }
        Self(packages)
    }
}

/// Whether a dependency is more than one of tests or build scripts.
fn is_used_at_run_time(dependency: &Value) -> bool {
    let kinds = dependency["dep_kinds"].as_array();
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}
