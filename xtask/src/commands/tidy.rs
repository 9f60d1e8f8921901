//! `cargo xtask tidy`: rules of this code base that the compiler does not check.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::sh;

/// Layers, lowest first: a crate may only depend on crates of lower layers. Planned crates are
/// included.
static LAYERS: &[(&str, u8)] = &[
    ("svc-diagnostics", 0),
    ("svc-data", 1),
    ("svc-mdx", 1),
    ("svc-media", 1),
    ("svc-search", 1),
    ("svc-source", 2),
    ("svc-config", 2),
    ("svc-openapi", 2),
    ("svc-fetch", 2),
    ("svc-migrate", 3),
    ("svc-test-support", 3),
    ("svc-git", 3),
    ("svc-admin-api", 3),
    ("svc-nav", 3),
    ("svc-store", 4),
    ("svc-objects", 4),
    ("svc-agent", 4),
    ("svc-render", 4),
    ("svc-site", 5),
    ("svc-mcp", 6),
    ("svc-lsp", 6),
    ("svc-server", 7),
    ("svc-cli", 8),
    ("xtask", 9),
    ("svc-tests", 10),
];

/// Crates that other programs embed: they may depend only on these crates of the workspace.
static STANDALONE: &[(&str, &[&str])] = &[
    ("svc-diagnostics", &[]),
    ("svc-data", &["svc-diagnostics"]),
    ("svc-mdx", &["svc-diagnostics"]),
    ("svc-config", &["svc-diagnostics", "svc-data"]),
    ("svc-openapi", &["svc-diagnostics", "svc-data"]),
    ("svc-admin-api", &[]),
    ("svc-search", &[]),
];

/// External crates that only some crates may use.
static RESTRICTED_CRATES: &[(&str, &[&str])] = &[
    ("askama", &["svc-render", "svc-server"]),
    (
        "hyper",
        &[
            "svc-fetch",
            "svc-store",
            "svc-agent",
            "svc-server",
            "svc-cli",
            "svc-tests",
        ],
    ),
    (
        "tokio",
        &[
            "svc-fetch",
            "svc-store",
            "svc-objects",
            "svc-agent",
            "svc-server",
            "svc-cli",
            "svc-tests",
        ],
    ),
    ("gix", &["svc-git"]),
    ("gix-pack", &["svc-git"]),
    ("sqlx", &["svc-store"]),
    ("object_store", &["svc-objects"]),
    // Programs choose where events go; every crate may use `tracing`.
    (
        "tracing-subscriber",
        &["svc-cli", "svc-server", "svc-test-support"],
    ),
];

/// Files and directories allowed at the top level, besides hidden files and licenses.
static TOP_LEVEL: &[&str] = &[
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "crates",
    "deny.toml",
    "docs",
    "packaging",
    "tests",
    "xtask",
];

/// Runs all checks and reports all findings.
pub(crate) fn run(_arguments: &[String]) -> Result<(), String> {
    let mut findings = Vec::new();
    layers(&mut findings)?;
    top_level(&mut findings)?;
    let mut files = Vec::new();
    for dir in ["crates", "xtask", "tests"] {
        files.append(&mut sh::files(&sh::root().join(dir))?);
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    for file in &files {
        source_file(file, &mut findings)?;
    }
    components(&mut findings)?;
    if findings.is_empty() {
        eprintln!("tidy: {} files, no findings", files.len());
        Ok(())
    } else {
        Err(format!(
            "{} findings\n{}",
            findings.len(),
            findings.join("\n")
        ))
    }
}

fn layers(findings: &mut Vec<String>) -> Result<(), String> {
    let text = sh::output("cargo", &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let layer = |name: &str| {
        LAYERS
            .iter()
            .find(|entry| entry.0 == name)
            .map(|entry| entry.1)
    };
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(own) = layer(name) else {
            findings.push(format!(
                "{name}: not in the layer table of xtask/src/commands/tidy.rs"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let other = dependency["name"].as_str().unwrap_or_default();
            let dev = dependency["kind"].as_str() == Some("dev");
            if other == "svc-test-support" && !dev && name != "svc-tests" {
                findings.push(format!("{name}: svc-test-support is for tests only"));
            }
            if let Some(theirs) = layer(other)
                && theirs >= own
                // Tests may depend on their own crate, to enable features.
                && !(dev && (other == "svc-test-support" || other == name))
            {
                findings.push(format!(
                    "{name} (layer {own}) depends on {other} (layer {theirs})"
                ));
            }
            let alone = STANDALONE.iter().find(|entry| entry.0 == name);
            if let Some((_, allowed)) = alone
                && other.starts_with("svc-")
                && !dev
                && !allowed.contains(&other)
            {
                findings.push(format!(
                    "{name} is embedded by other programs and must not depend on {other}"
                ));
            }
            let guarded = RESTRICTED_CRATES.iter().find(|entry| entry.0 == other);
            if let Some((_, users)) = guarded
                && !dev
                && !users.contains(&name)
            {
                findings.push(format!("{name} must not depend on {other}"));
            }
        }
    }
    Ok(())
}

fn top_level(findings: &mut Vec<String>) -> Result<(), String> {
    let listed = sh::output("git", &["ls-files"])?;
    let mut tops: Vec<&str> = listed
        .lines()
        .filter_map(|path| path.split('/').next())
        .collect();
    tops.dedup();
    for name in tops {
        if !name.starts_with('.') && !name.starts_with("LICENSE") && !TOP_LEVEL.contains(&name) {
            findings.push(format!("{name}: not allowed at the top level"));
        }
    }
    Ok(())
}

fn source_file(path: &Path, findings: &mut Vec<String>) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let shown = path.strip_prefix(sh::root()).unwrap_or(path).display();
    if !text.starts_with("//!") && !text.starts_with("#![doc") {
        findings.push(format!(
            "{shown}: the `//!` line at the beginning is missing"
        ));
    }
    super::vocabulary::check(&shown.to_string(), &text, findings);
    let lines = text.lines().count();
    if lines > 700 && !text.contains("// Long because ") {
        findings.push(format!(
            "{shown}: {lines} lines; split it or add `// Long because …`"
        ));
    }
    // Split in two parts so that this file does not match.
    for marker in [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("todo", "!("),
    ] {
        if text.contains(marker) {
            findings.push(format!("{shown}: contains `{marker}`"));
        }
    }
    Ok(())
}

/// Checks that every component has a module, documentation, and declared tokens in its style.
fn components(findings: &mut Vec<String>) -> Result<(), String> {
    let components_dir = sh::root().join("crates/svc-render/src/components");
    let tokens =
        fs::read_to_string(sh::root().join("crates/svc-render/src/themes/base/tokens.css"))
            .map_err(|error| error.to_string())?;
    let entries = fs::read_dir(&components_dir).map_err(|error| error.to_string())?;
    for entry in entries {
        let component = entry.map_err(|error| error.to_string())?.path();
        if !component.is_dir() {
            continue;
        }
        let name = component
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_owned();
        for file in ["mod.rs".to_owned(), format!("{name}.md")] {
            if !component.join(&file).is_file() {
                findings.push(format!("components/{name}: {file} is missing"));
            }
        }
        if let Ok(css) = fs::read_to_string(component.join(format!("{name}.css"))) {
            for token in css.split("var(--svc-").skip(1) {
                let end = token.find([')', ',']).unwrap_or(0);
                let token = format!("--svc-{}", token[..end].trim());
                // Tokens with the prefix of the component are set by a style attribute or a script.
                let own = token.starts_with(&format!("--svc-{}", name.replace('_', "-")));
                if !own && !tokens.contains(&format!("{token}:")) {
                    findings.push(format!(
                        "components/{name}: the token {token} is not declared"
                    ));
                }
            }
        }
    }
    Ok(())
}
