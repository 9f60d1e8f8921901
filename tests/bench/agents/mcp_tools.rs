//! The tools of the MCP server.

use serde_json::{Value, json};
use svc_mcp::{McpHeaders, McpRequest};
use svc_site::Site;

use crate::agent::Tools;

/// Calls the MCP server of a site with its default limits.
#[derive(Debug)]
pub(crate) struct McpTools<'a> {
    site: &'a Site,
}

impl<'a> McpTools<'a> {
    pub(crate) const fn new(site: &'a Site) -> Self {
        Self { site }
    }

    fn call(&self, name: &str, arguments: &Value) -> String {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        });
        let body = body.to_string();
        let response = svc_mcp::handle(
            self.site,
            &McpRequest {
                method: "POST",
                headers: McpHeaders::default(),
                body: body.as_bytes(),
                origin: "https://docs.example.com",
            },
        );
        let response: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        let text = response.pointer("/result/content/0/text");
        text.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

impl Tools for McpTools<'_> {
    /// Without `max_tokens`, as most agents call it.
    fn search(&self, query: &str, _max_tokens: usize) -> String {
        self.call("search", &json!({"query": query}))
    }

    /// An address is at the beginning of a line, before facts about its page.
    fn paths(&self, results: &str) -> Vec<String> {
        let lines = results.lines().filter(|line| line.starts_with('/'));
        let addresses = lines.filter_map(|line| line.split_once(" · "));
        addresses.map(|(address, _)| address.to_owned()).collect()
    }

    fn read(&self, address: &str, max_tokens: usize) -> String {
        let max_tokens = max_tokens.clamp(200, svc_mcp::DEFAULT_MAX_TOKENS);
        self.call("read", &json!({"path": address, "max_tokens": max_tokens}))
    }
}
