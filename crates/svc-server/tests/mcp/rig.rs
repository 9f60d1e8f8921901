//! A site with an MCP server, and clients.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};
use svc_server::{Mcp, McpLimits, SiteHandle};
use svc_site::{LoadOptions, SiteOptions, assemble};
use svc_source::SourceTree;

use crate::relay::rig::{TestResponse, exchange};
use crate::serving::{self, RunningServer};

pub(crate) const MODERN: &str = "2026-07-28";

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "listed", "unsearchable", "noindex", "hidden", "secret", "staff"]},
    {"group": "Hidden", "hidden": true, "pages": ["inside", "shown"]}]}}"##;

pub(crate) struct TestSite {
    serving: RunningServer,
    base: &'static str,
}

pub(crate) fn serve(base: &'static str) -> TestSite {
    serve_with(base, McpLimits::default(), &[])
}

pub(crate) fn serve_files(files: &[(&str, &str)]) -> TestSite {
    serve_with("", McpLimits::default(), files)
}

/// Serves a site with a page of every visibility and some other files.
pub(crate) fn serve_with(base: &'static str, limits: McpLimits, more: &[(&str, &str)]) -> TestSite {
    let page = |name: &str, fields: &str| {
        let text = format!("---\ntitle: The {name} page\n{fields}\n---\nThe needle of {name}.\n");
        (format!("{name}.mdx"), text)
    };
    let mut files = vec![
        ("docs.json".to_owned(), CONFIG.to_owned()),
        (
            "index.mdx".to_owned(),
            "---\ntitle: Home\n---\nWelcome.\n".to_owned(),
        ),
        page("listed", ""),
        page("unsearchable", "searchable: false"),
        page("noindex", "noindex: true"),
        page("hidden", "hidden: true"),
        page("secret", "public: false"),
        page("staff", "groups: [\"staff\"]"),
        page("inside", ""),
        page("shown", "hidden: false"),
        page("orphan", ""),
    ];
    for (path, text) in more {
        files.push(((*path).to_owned(), (*text).to_owned()));
    }
    let options = LoadOptions::from(SiteOptions {
        base_path: base.to_owned(),
        ..SiteOptions::default()
    });
    let site = assemble(SourceTree::from_files(files), &options)
        .unwrap()
        .value;
    let current = SiteHandle::new(Arc::new(site));
    let mcp = Mcp::new(current.clone(), limits);
    let router = Some(mcp.body_router());
    TestSite {
        serving: RunningServer::start(serving::limits(), current.responder(), router),
        base,
    }
}

impl TestSite {
    pub(crate) fn addr(&self) -> SocketAddr {
        self.serving.addr
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        lines: &[&str],
        body: &str,
    ) -> TestResponse {
        let mut head = format!(
            "{method} {}{path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n",
            self.base,
            self.addr()
        );
        for line in lines {
            head.push_str(&format!("{line}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
            if !lines.iter().any(|line| line.starts_with("content-type")) {
                head.push_str("content-type: application/json\r\n");
            }
        }
        exchange(self.addr(), format!("{head}\r\n{body}").as_bytes())
    }

    pub(crate) fn get(&self, path: &str, lines: &[&str]) -> TestResponse {
        self.send("GET", path, lines, "")
    }

    pub(crate) fn post(&self, lines: &[&str], body: &str) -> TestResponse {
        self.send("POST", "/mcp", lines, body)
    }

    /// A request of version 2026-07-28.
    pub(crate) fn message(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {}
        });
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    }

    /// Status and body of a request of version 2026-07-28.
    pub(crate) fn modern(&self, method: &str, params: Value) -> (u16, Value) {
        let message = self.message(method, params);
        let name = ["name", "uri"]
            .iter()
            .find_map(|name| message["params"][name].as_str());
        let version = format!("MCP-Protocol-Version: {MODERN}");
        let method = format!("Mcp-Method: {method}");
        let name = name.map(|name| format!("Mcp-Name: {name}"));
        let mut lines = vec![&*version, &*method];
        lines.extend(name.as_deref());
        let response = self.post(&lines, &message.to_string());
        let body = serde_json::from_str(&response.body).unwrap_or_default();
        (response.status, body)
    }

    pub(crate) fn tool(&self, name: &str, arguments: Value) -> (u16, Value) {
        self.modern("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// The text of an answer, and whether the tool refused the call.
    pub(crate) fn text(&self, name: &str, arguments: Value) -> (String, bool) {
        let (_, body) = self.tool(name, arguments);
        let text = body["result"]["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{body}")).to_owned();
        (text, body["result"]["isError"] == true)
    }
}
