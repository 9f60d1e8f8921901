//! The MCP server card: a description of the MCP endpoint for clients that are not connected yet
//! (SEP-2127).

use serde_json::{Value, json};

use crate::Site;

/// Identifier of the format.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/// Maximum number of characters of the description.
const MAX_DESCRIPTION_CHARS: usize = 100;

/// What the card contains besides the site: the properties of the endpoint.
#[derive(Debug, Clone)]
pub struct McpEndpoint<'a> {
    /// URL path of the endpoint, without base path.
    pub path: &'a str,
    /// The protocol versions that the endpoint accepts.
    pub protocol_versions: &'a [&'a str],
    /// The capabilities that the endpoint declares.
    pub capabilities: Value,
    /// The tools, as `tools/list` returns them.
    pub tools: Vec<Value>,
    /// Version of the server.
    pub version: &'a str,
}

impl Site {
    /// The server card of the MCP endpoint. `origin` is as for [`Self::generated_file`].
    pub fn mcp_server_card(&self, endpoint: &McpEndpoint<'_>, origin: &str) -> Value {
        let home = self.public(origin, "/");
        let title: String = self
            .config
            .name
            .chars()
            .take(MAX_DESCRIPTION_CHARS)
            .collect();
        let description = format!("Search and read the documentation of {title}");
        let description: String = description.chars().take(MAX_DESCRIPTION_CHARS).collect();
        json!({
            "$schema": SCHEMA,
            "name": format!("{}/docs", reversed_host(&home)),
            "version": endpoint.version,
            "title": title,
            "description": description,
            "websiteUrl": home,
            "remotes": [{
                "type": "streamable-http",
                "url": self.public(origin, endpoint.path),
                "supportedProtocolVersions": endpoint.protocol_versions,
            }],
            "capabilities": endpoint.capabilities,
            "tools": endpoint.tools,
        })
    }
}

/// The host of a URL in reverse order, `com.example.docs`; `localhost` if it has none.
fn reversed_host(url: &str) -> String {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let is_valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    if host.is_empty() || !host.chars().all(is_valid) {
        return "localhost".to_owned();
    }
    let labels: Vec<&str> = host
        .split('.')
        .filter(|label| !label.is_empty())
        .rev()
        .collect();
    labels.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_reversed_host() {
        for (url, expected) in [
            ("https://docs.example.com/x", "com.example.docs"),
            ("http://localhost:3000/", "localhost"),
            ("http://[::1]:3000/", "localhost"),
            ("/docs/", "localhost"),
        ] {
            assert_eq!(reversed_host(url), expected, "{url}");
        }
    }
}
