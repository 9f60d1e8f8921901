//! The MCP server card: a description of the MCP endpoint for clients that are not connected yet
//! (SEP-2127).
//!
//! The card has a list of tools in addition to the fields of the draft, so that clients and people
//! see what the endpoint offers.

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
        let home = self.public_url(origin, "/");
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
                "url": self.public_url(origin, endpoint.path),
                "supportedProtocolVersions": endpoint.protocol_versions,
            }],
            "capabilities": endpoint.capabilities,
            "tools": endpoint.tools,
        })
    }
}

/// URL paths of the card, without base path. The last one is a list of all cards of the host.
const PATHS: [&str; 4] = [
    "/.well-known/mcp",
    "/.well-known/mcp.json",
    "/.well-known/mcp/server-card.json",
    LIST_PATH,
];
const LIST_PATH: &str = "/.well-known/mcp/server-cards.json";

/// A file about the MCP endpoint of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpDiscoveryFile {
    /// Media type.
    pub content_type: &'static str,
    /// JSON.
    pub text: String,
}

impl Site {
    /// The file about the MCP endpoint at a URL path without base path: the server card, or the
    /// list of server cards. `origin` is as for [`Self::generated_file`]. `None` for other paths.
    ///
    /// Only for sites with such an endpoint.
    pub fn mcp_discovery_file(
        &self,
        path: &str,
        endpoint: &McpEndpoint<'_>,
        origin: &str,
    ) -> Option<McpDiscoveryFile> {
        // The location that the draft recommends: below the endpoint.
        let is_below = path.strip_prefix(endpoint.path) == Some("/server-card");
        if !is_below && !PATHS.contains(&path) {
            return None;
        }
        let card = self.mcp_server_card(endpoint, origin);
        let (content_type, file) = match path {
            LIST_PATH => ("application/json", json!([card])),
            _ if is_below => ("application/mcp-server-card+json", card),
            _ => ("application/json", card),
        };
        let text = format!("{file:#}\n");
        Some(McpDiscoveryFile { content_type, text })
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
    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, assemble};

    #[test]
    fn the_files_contain_the_card_with_the_tools_of_the_endpoint() {
        let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#112233"}, "navigation": {"pages": ["index"]}}"##;
        let files = [("docs.json", config), ("index.mdx", "")];
        let site = assemble(SourceTree::from_files(files), &LoadOptions::default());
        let site = site.unwrap().value;
        let tools = vec![json!({ "name": "search", "inputSchema": { "type": "object" } })];
        let endpoint = McpEndpoint {
            path: "/mcp",
            protocol_versions: &["2026-07-28", "2025-11-25"],
            capabilities: json!({ "tools": {} }),
            tools: tools.clone(),
            version: "1.2.3",
        };
        let file = |path: &str| site.mcp_discovery_file(path, &endpoint, "https://docs.acme.dev");
        let card = file("/.well-known/mcp/server-card.json").unwrap();
        assert_eq!(card.content_type, "application/json");
        let value: Value = serde_json::from_str(&card.text).unwrap();
        assert_eq!(value["name"], "dev.acme.docs/docs");
        assert_eq!(value["version"], "1.2.3");
        assert_eq!(value["tools"], json!(tools));
        let remote = &value["remotes"][0];
        assert_eq!(remote["url"], "https://docs.acme.dev/mcp");
        assert_eq!(remote["supportedProtocolVersions"][1], "2025-11-25");
        for same in ["/.well-known/mcp", "/.well-known/mcp.json"] {
            assert_eq!(file(same).unwrap(), card, "{same}");
        }
        let below = file("/mcp/server-card").unwrap();
        assert_eq!(below.content_type, "application/mcp-server-card+json");
        assert_eq!(below.text, card.text);
        let list: Value = serde_json::from_str(&file(LIST_PATH).unwrap().text).unwrap();
        assert_eq!(list, json!([value]));
        assert!(file("/mcp").is_none() && file("/.well-known/mcp/other").is_none());
    }

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
