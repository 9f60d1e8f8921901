//! Whether agents can connect to an MCP server of the site.

use serde_json::Value;

use super::super::check::{Check, LOW, MEDIUM, Outcome};
use super::super::crawl::Crawl;
use super::super::response::path_of;

/// The checks in the order of reports.
pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "mcp-endpoint",
        weight: MEDIUM,
        hint: "Serve the documentation over MCP at `/mcp` below the URL of the site.",
        run: endpoint,
    },
    Check {
        id: "mcp-tool-annotations",
        weight: LOW,
        hint: "Give every tool a description, an input schema and `readOnlyHint`, so that clients can call it without a question.",
        run: annotations,
    },
    Check {
        id: "mcp-server-card",
        weight: LOW,
        hint: "Serve a card with the same tools as `tools/list` at `/.well-known/mcp/server-card.json`.",
        run: card,
    },
];

const NO_ENDPOINT: &str = "there is no MCP endpoint";

fn endpoint(crawl: &Crawl) -> Outcome {
    match crawl.mcp.version {
        None => Outcome::failure(format!("{NO_ENDPOINT}: {}", crawl.mcp.error)),
        Some(version) if crawl.mcp.tools.is_empty() => {
            Outcome::warning(format!("the endpoint speaks {version}, but has no tools"))
        }
        Some(version) => {
            let count = crawl.mcp.tools.len();
            Outcome::pass(format!(
                "the endpoint speaks {version} and has {count} tools"
            ))
        }
    }
}

fn annotations(crawl: &Crawl) -> Outcome {
    if crawl.mcp.tools.is_empty() {
        return Outcome::skipped(NO_ENDPOINT);
    }
    let is_complete = |tool: &Value| {
        tool.get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.is_empty())
            && tool.pointer("/inputSchema/type").and_then(Value::as_str) == Some("object")
            && tool
                .pointer("/annotations/readOnlyHint")
                .and_then(Value::as_bool)
                .is_some()
    };
    let incomplete: Vec<&str> = crawl
        .mcp
        .tools
        .iter()
        .filter(|tool| !is_complete(tool))
        .map(|tool| tool.get("name").and_then(Value::as_str).unwrap_or("?"))
        .collect();
    match incomplete.is_empty() {
        true => Outcome::pass("all tools have a description, a schema and annotations"),
        false => Outcome::warning(format!(
            "tools lack a description, a schema or annotations: {}",
            incomplete.join(", ")
        )),
    }
}

fn card(crawl: &Crawl) -> Outcome {
    if crawl.mcp.version.is_none() {
        return Outcome::skipped(NO_ENDPOINT);
    }
    let response = &crawl.server_card;
    let card: Option<Value> = match response.is_success() {
        true => serde_json::from_str(&response.body).ok(),
        false => None,
    };
    let Some(card) = card else {
        return Outcome::warning("there is no server card");
    };
    match card.get("tools").and_then(Value::as_array) {
        Some(tools) if *tools == crawl.mcp.tools => Outcome::pass(format!(
            "{} has the tools of the endpoint",
            path_of(&response.final_url)
        )),
        Some(_) => {
            Outcome::failure("the tools of the server card differ from those of the endpoint")
        }
        None => Outcome::warning("the server card has no tools"),
    }
}
