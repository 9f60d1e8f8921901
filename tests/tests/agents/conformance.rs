//! npm `@modelcontextprotocol/conformance` finds no failure in what the MCP server has.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::error::Error;

use svc_tests::{server, sites, tools};

use super::node;

#[test]
fn the_server_conforms_to_2026_07_28() -> Result<(), Box<dyn Error>> {
    check("2026-07-28")
}

#[test]
fn the_server_conforms_to_2025_11_25() -> Result<(), Box<dyn Error>> {
    check("2025-11-25")
}

/// The scenarios of a revision pass, except those in the list of expected failures, which must fail.
fn check(revision: &str) -> Result<(), Box<dyn Error>> {
    let Some((node, packages)) = tools::agents() else {
        return Ok(());
    };
    let server = server::start_program(&sites::docs())?;
    let program = packages.join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let expected = sites::workspace().join(format!(
        "tests/npm/agents/expected-failures-{revision}.yaml"
    ));
    let url = server.url("/mcp");
    let arguments = [
        "server",
        "--url",
        &url,
        "--requirements",
        revision,
        "--expected-failures",
        &expected.to_string_lossy(),
    ];
    let output = node::run(&node, &program, &arguments)?;
    let out = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let summary = out
        .lines()
        .chain(errors.lines())
        .filter(|line| line.contains("passed"));
    eprintln!("{revision}:\n{}", summary.collect::<Vec<_>>().join("\n"));
    assert!(output.status.success(), "{out}\n{errors}");
    Ok(())
}
