//! The checker of the agent-docs specification, npm `afdocs`, has nothing to object to that a server
//! can change.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::error::Error;
use std::path::Path;

use serde_json::Value;
use svc_tests::{server, sites, tools};

use super::node;

/// Site, check, and why the site is the reason and not the server.
const ALLOWED: &[Exception] = &[
    (
        "docs",
        "page-size-html",
        "the reference of docs.json is one page, for searching in it",
    ),
    (
        "docs",
        "markdown-content-parity",
        "words of controls on the page of components: the button that shows fields, a tooltip",
    ),
    ("mcp", "page-size-markdown", "a long page of the site"),
    ("mcp", "page-size-html", "a long page of the site"),
    (
        "fastmcp",
        "page-size-markdown",
        "the change log is one page",
    ),
    ("fastmcp", "page-size-html", "the change log is one page"),
    ("trigger", "page-size-markdown", "a long page of the site"),
    ("trigger", "page-size-html", "a long page of the site"),
];

type Exception = (&'static str, &'static str, &'static str);

#[test]
fn afdocs_accepts_the_documentation() -> Result<(), Box<dyn Error>> {
    check("docs", &sites::docs())
}

#[test]
fn afdocs_accepts_mcp() -> Result<(), Box<dyn Error>> {
    check_real("mcp")
}

#[test]
fn afdocs_accepts_fastmcp() -> Result<(), Box<dyn Error>> {
    check_real("fastmcp")
}

#[test]
fn afdocs_accepts_trigger() -> Result<(), Box<dyn Error>> {
    check_real("trigger")
}

fn check_real(name: &str) -> Result<(), Box<dyn Error>> {
    match sites::site(name) {
        Some(root) => check(name, &root),
        None => Ok(()),
    }
}

/// Every check passes or is skipped, except those in [`ALLOWED`]. Which pages are compared depends on
/// the lists, so that these may pass, too.
fn check(name: &str, root: &Path) -> Result<(), Box<dyn Error>> {
    let Some((node, packages)) = tools::agents() else {
        return Ok(());
    };
    let server = server::start(root)?;
    let program = packages.join("node_modules/afdocs/bin/afdocs.mjs");
    let url = server.url("/");
    let arguments = [
        "check",
        url.trim_end_matches('/'),
        "--format",
        "json",
        "--score",
        "--sampling",
        "deterministic",
        "--max-links",
        "50",
        "--max-concurrency",
        "4",
        "--request-delay",
        "0",
        "--quiet",
    ];
    let output = node::run(&node, &program, &arguments)?;
    // The exit status is nonzero if a check fails.
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|reason| format!("{reason}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let results = report["results"].as_array().ok_or("no results")?;
    assert!(results.len() >= 28, "only {} checks", results.len());
    let (mut problems, mut allowed) = (Vec::new(), Vec::new());
    for result in results {
        let text = |field: &str| result[field].as_str().unwrap_or_default();
        if matches!(text("status"), "pass" | "skip") {
            continue;
        }
        let id = text("id");
        match ALLOWED
            .iter()
            .find(|entry| entry.0 == name && entry.1 == id)
        {
            Some(entry) => allowed.push(entry.1),
            None => problems.push(format!("{} {id}: {}", text("status"), text("message"))),
        }
    }
    eprintln!(
        "{name}: {} of 100, allowed: {allowed:?}",
        report["scoring"]["overall"]
    );
    assert!(problems.is_empty(), "{name}:\n{}", problems.join("\n"));
    Ok(())
}
