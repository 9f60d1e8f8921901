//! A minimal MCP client: asks an endpoint for its tools.

use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use svc_fetch::Url;

use super::fetcher::{Fetcher, Query};
use super::response::Response;

/// The version without sessions, and the newest one with `initialize`.
const STATELESS_VERSION: &str = "2026-07-28";
const SESSION_VERSION: &str = "2025-11-25";
/// Media types that clients must accept.
const ACCEPT: &str = "application/json, text/event-stream";
static PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");

/// What an endpoint answered.
#[derive(Debug, Clone, Default)]
pub(super) struct McpEndpoint {
    /// Protocol version at which the tools were listed; `None` if they were not.
    pub(super) version: Option<&'static str>,
    /// The tools of `tools/list`.
    pub(super) tools: Vec<Value>,
    /// Why there are no tools.
    pub(super) error: String,
}

/// Lists the tools of an endpoint without a session, and with one if that fails.
pub(super) async fn list_tools(fetcher: &Fetcher, url: &Url) -> McpEndpoint {
    let listed = fetcher.send(stateless(url, "tools/list")).await;
    match tools(&listed) {
        Ok(tools) => return endpoint(STATELESS_VERSION, tools),
        // An endpoint that does not exist has no older version either.
        Err(error) if matches!(listed.status, 0 | 404 | 405) => {
            return McpEndpoint {
                error,
                ..McpEndpoint::default()
            };
        }
        Err(_) => {}
    }
    match list_tools_in_session(fetcher, url).await {
        Ok(tools) => endpoint(SESSION_VERSION, tools),
        Err(error) => McpEndpoint {
            error,
            ..McpEndpoint::default()
        },
    }
}

fn endpoint(version: &'static str, tools: Vec<Value>) -> McpEndpoint {
    McpEndpoint {
        version: Some(version),
        tools,
        error: String::new(),
    }
}

async fn list_tools_in_session(fetcher: &Fetcher, url: &Url) -> Result<Vec<Value>, String> {
    let parameters = json!({
        "protocolVersion": SESSION_VERSION, "capabilities": {}, "clientInfo": client_info(),
    });
    let message = request("initialize", parameters);
    let initialized = fetcher.send(post(url, &message)).await;
    result(&initialized)?;
    let session = HeaderValue::from_str(initialized.header("mcp-session-id")).ok();
    let in_session = |message: &Value| {
        let query = post(url, message).with(
            PROTOCOL_VERSION.clone(),
            HeaderValue::from_static(SESSION_VERSION),
        );
        match session.clone().filter(|id| !id.is_empty()) {
            Some(id) => query.with(SESSION_ID.clone(), id),
            None => query,
        }
    };
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    fetcher.send(in_session(&notification)).await;
    let listed = fetcher
        .send(in_session(&request("tools/list", json!({}))))
        .await;
    tools(&listed)
}

fn client_info() -> Value {
    json!({"name": "svc-score", "version": env!("CARGO_PKG_VERSION")})
}

fn request(method: &str, parameters: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})
}

fn post(url: &Url, message: &Value) -> Query {
    Query::post(url.clone(), message.to_string()).accept(ACCEPT)
}

/// A request of the version without sessions: all it needs is in the message and its headers.
fn stateless(url: &Url, method: &'static str) -> Query {
    let parameters = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
        "io.modelcontextprotocol/clientInfo": client_info(),
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    post(url, &request(method, parameters))
        .with(
            PROTOCOL_VERSION.clone(),
            HeaderValue::from_static(STATELESS_VERSION),
        )
        .with(METHOD.clone(), HeaderValue::from_static(method))
}

fn tools(response: &Response) -> Result<Vec<Value>, String> {
    match result(response)?.get("tools") {
        Some(Value::Array(tools)) => Ok(tools.clone()),
        _ => Err("the result has no `tools`".to_owned()),
    }
}

/// The result of a JSON-RPC response, from JSON or from the first message of an event stream.
fn result(response: &Response) -> Result<Value, String> {
    if !response.is_success() {
        return Err(response.describe());
    }
    let message = match response.media_type().as_str() {
        "text/event-stream" => first_event(&response.body),
        _ => response.body.clone(),
    };
    let mut message: Value =
        serde_json::from_str(&message).map_err(|_| "the response is not JSON".to_owned())?;
    match message.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => {
            let text = message.pointer("/error/message").and_then(Value::as_str);
            Err(text.unwrap_or("the response has no result").to_owned())
        }
    }
}

/// Data of the first event that has any.
fn first_event(stream: &str) -> String {
    let mut data = String::new();
    for line in stream.lines() {
        match line.strip_prefix("data:") {
            Some(text) => data.push_str(text.trim_start()),
            None if line.is_empty() && !data.is_empty() => break,
            None => {}
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_an_event_is_read() {
        assert_eq!(
            first_event("event: message\ndata: {\"a\":\ndata: 1}\n\ndata: 2\n"),
            "{\"a\":1}"
        );
        assert_eq!(first_event(": ping\n\n"), "");
    }
}
