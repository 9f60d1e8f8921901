//! The tools of the MCP server.

use serde_json::{Value, json};
use svc_mcp::{McpHeaders, McpRequest};
use svc_site::Site;

use crate::agent::{ResultHead, Tools};

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
    /// With the default limit as long as the budget allows it.
    fn search(&self, query: &str, offset: usize, max_tokens: usize) -> String {
        let max_tokens = max_tokens.clamp(200, svc_mcp::DEFAULT_MAX_TOKENS);
        let arguments = json!({"query": query, "offset": offset, "max_tokens": max_tokens});
        self.call("search", &arguments)
    }

    /// A result begins with its address in brackets, followed by facts.
    fn results(&self, text: &str) -> Vec<ResultHead> {
        let heads = text.lines().filter_map(|line| line.strip_prefix("[/"));
        let heads = heads.filter_map(|line| line.split_once(" · "));
        heads
            .map(|(path, facts)| ResultHead {
                address: format!("/{path}"),
                is_whole: facts.starts_with("whole section"),
            })
            .collect()
    }

    fn next_offset(&self, text: &str) -> Option<usize> {
        let (_, rest) = text.rsplit_once("More results: `offset` ")?;
        rest.split('.').next()?.parse().ok()
    }

    fn read(&self, address: &str, max_tokens: usize) -> String {
        let max_tokens = max_tokens.clamp(200, svc_mcp::DEFAULT_MAX_TOKENS);
        self.call("read", &json!({"path": address, "max_tokens": max_tokens}))
    }
}
