//! Clients of other authors list the tools of the MCP server, search and read.

use std::error::Error;
use std::process::Command;

use serde_json::Value;
use svc_tests::server::RunningServer;
use svc_tests::{server, sites, tools};

use super::node;

/// A query, and a page that is among its results.
const QUERY: &str = "roll back a deployment";
const PAGE: &str = "/guides/deployments";
/// Text of the page.
const TEXT: &str = "rollback";

#[test]
fn the_npm_client_of_2026_lists_searches_and_reads() -> Result<(), Box<dyn Error>> {
    let server = server::start(&sites::docs())?;
    if let Some(report) = node::script("client.mjs", &[&endpoint(&server), QUERY, PAGE])? {
        check(&report);
    }
    Ok(())
}

#[test]
fn the_older_npm_sdk_lists_searches_and_reads() -> Result<(), Box<dyn Error>> {
    let server = server::start(&sites::docs())?;
    if let Some(report) = node::script("sdk.mjs", &[&endpoint(&server), QUERY, PAGE])? {
        check(&report);
    }
    Ok(())
}

#[test]
fn the_python_client_lists_searches_and_reads() -> Result<(), Box<dyn Error>> {
    let Some(python) = tools::python("python-mcp") else {
        return Ok(());
    };
    let server = server::start(&sites::docs())?;
    let output = Command::new(python)
        .arg(sites::workspace().join("tests/python/mcp/client.py"))
        .args([&*endpoint(&server), QUERY, PAGE])
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout)?;
    let reports: Vec<&str> = text.lines().collect();
    assert_eq!(reports.len(), 2, "one for each kind of connection: {text}");
    for report in reports {
        check(&serde_json::from_str(report)?);
    }
    Ok(())
}

#[test]
fn the_inspector_lists_searches_and_reads() -> Result<(), Box<dyn Error>> {
    let Some((node, packages)) = tools::agents() else {
        return Ok(());
    };
    let server = server::start(&sites::docs())?;
    let inspector = packages.join("node_modules/.bin/mcp-inspector");
    let inspector = std::fs::canonicalize(inspector)?;
    let url = endpoint(&server);
    let call = |arguments: &[&str]| -> Result<Value, Box<dyn Error>> {
        let base = ["--cli", &url, "--transport", "http"];
        let output = node::run(&node, &inspector, &[&base, arguments].concat())?;
        let out = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {out}{errors}");
        Ok(serde_json::from_str(&out)?)
    };
    let listed = call(&["--method", "tools/list"])?;
    let names = listed["tools"].as_array().ok_or("no tools")?.iter();
    let names: Vec<&str> = names.filter_map(|tool| tool["name"].as_str()).collect();
    let argument = |name: &str, value: &str| format!("{name}={value}");
    let search = call(&[
        "--method",
        "tools/call",
        "--tool-name",
        "search",
        "--tool-arg",
        &argument("query", QUERY),
    ])?;
    let read = call(&[
        "--method",
        "tools/call",
        "--tool-name",
        "read",
        "--tool-arg",
        &argument("path", PAGE),
    ])?;
    check_texts(&names, &search, &read);
    Ok(())
}

fn endpoint(server: &RunningServer) -> String {
    server.url("/mcp")
}

fn check(report: &Value) {
    let names = report["tools"].as_array().into_iter().flatten();
    let names: Vec<&str> = names.filter_map(Value::as_str).collect();
    check_texts(&names, &report["search"], &report["read"]);
    assert!(report["resources"].as_u64() > Some(0), "{report}");
}

/// Checks the names of the tools and the results of `search` and `read`.
pub(super) fn check_texts(names: &[&str], search: &Value, read: &Value) {
    for name in ["search", "read", "list", "grep"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let text = |result: &Value| {
        result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(text(search).contains(PAGE), "{search}");
    assert!(text(read).to_lowercase().contains(TEXT), "{read}");
}
