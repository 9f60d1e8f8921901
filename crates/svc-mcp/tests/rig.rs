//! A site and requests to it.

use serde_json::{Value, json};
use svc_mcp::{McpHeaders, McpRequest, McpResponse, handle};
use svc_site::{LoadOptions, Site, assemble};
use svc_source::SourceTree;

pub(crate) const MODERN: &str = "2026-07-28";

/// A site with guides, an API and a skill.
pub(crate) fn site() -> Site {
    let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#112233"},
        "markdown": {"instructions": ["Ask before you delete."]},
        "navigation": {"groups": [{"group": "Guides", "pages": ["index", "guides/limits"]},
            {"group": "API", "openapi": "api.json"}]}}"##;
    let api = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
        "paths": {"/pets/{id}": {"get": {"operationId": "getPet", "summary": "Get a pet", "responses": {}}}}}"##;
    let limits = format!(
        "---\ntitle: Limits\n---\n## Bursts\n\n{}\n\n## 限制\n\n{}\n",
        "A burst may exceed the limit. ".repeat(100),
        "每分钟的请求数量有限。".repeat(200)
    );
    let files = [
        ("docs.json", config),
        ("index.mdx", "---\ntitle: Start\n---\nWelcome."),
        ("guides/limits.mdx", &limits),
        ("api.json", api),
        (
            "skill.md",
            "---\nname: acme\ndescription: How to use Acme\n---\nUse it.",
        ),
    ];
    let tree = SourceTree::from_files(files);
    assemble(tree, &LoadOptions::default()).unwrap().value
}

/// Sends a body with headers.
pub(crate) fn send(site: &Site, headers: McpHeaders<'_>, body: &[u8]) -> McpResponse {
    handle(
        site,
        &McpRequest {
            method: "POST",
            headers,
            body,
            origin: "http://localhost:8080",
        },
    )
}

/// The headers of a request of version 2026-07-28.
pub(crate) fn headers<'a>(method: &'a str, name: Option<&'a str>) -> McpHeaders<'a> {
    McpHeaders {
        content_type: Some(b"application/json"),
        protocol_version: Some(MODERN.as_bytes()),
        mcp_method: Some(method.as_bytes()),
        mcp_name: name.map(str::as_bytes),
        ..McpHeaders::default()
    }
}

/// A request of version 2026-07-28.
pub(crate) fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// Status and body of a request of version 2026-07-28.
pub(crate) fn modern(site: &Site, method: &str, params: Value) -> (u16, Value) {
    let body = message(method, params);
    let name = ["name", "uri"]
        .iter()
        .find_map(|name| body["params"][name].as_str());
    let response = send(site, headers(method, name), body.to_string().as_bytes());
    (response.status, json_of(&response))
}

/// Status and body of a request of an earlier version.
pub(crate) fn legacy(site: &Site, body: &Value) -> (u16, Value) {
    let response = send(site, McpHeaders::default(), body.to_string().as_bytes());
    (response.status, json_of(&response))
}

pub(crate) fn json_of(response: &McpResponse) -> Value {
    match response.body.is_empty() {
        true => Value::Null,
        false => serde_json::from_slice(&response.body).unwrap(),
    }
}
