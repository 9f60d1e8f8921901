//! Requests and responses of the Streamable HTTP transport, without sockets.

use serde_json::Value;
use svc_site::Site;

use crate::protocol::error::{INVALID_REQUEST, PARSE_ERROR, RpcError};
use crate::protocol::{self, Reply};

/// Maximum size of a request body in bytes.
pub const MAX_BODY_BYTES: usize = 64 << 10;
/// Maximum number of messages of a batch.
const MAX_BATCH_MESSAGES: usize = 16;

/// A request to the MCP server.
#[derive(Debug, Clone, Copy)]
pub struct McpRequest<'a> {
    /// HTTP method.
    pub method: &'a str,
    /// The headers that matter.
    pub headers: McpHeaders<'a>,
    /// The body.
    pub body: &'a [u8],
    /// Origin at which the client reaches the site, such as `https://docs.example.com`; may be
    /// empty. The canonical URL in `docs.json` takes precedence in URLs of responses.
    pub origin: &'a str,
}

/// Headers of a request. A header that occurs several times is given as its values joined with
/// commas, as in HTTP.
#[derive(Debug, Clone, Copy, Default)]
pub struct McpHeaders<'a> {
    /// `Content-Type`.
    pub content_type: Option<&'a [u8]>,
    /// `Origin`.
    pub origin: Option<&'a [u8]>,
    /// `MCP-Protocol-Version`.
    pub protocol_version: Option<&'a [u8]>,
    /// `Mcp-Method`.
    pub mcp_method: Option<&'a [u8]>,
    /// `Mcp-Name`.
    pub mcp_name: Option<&'a [u8]>,
}

/// The response of the MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpResponse {
    /// HTTP status.
    pub status: u16,
    /// Names in lower case and values.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body; empty for status 202.
    pub body: Vec<u8>,
}

impl McpResponse {
    fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json")],
            body: body.to_string().into_bytes(),
        }
    }

    fn error(error: &RpcError) -> Self {
        Self::json(error.status, &error.to_json(None))
    }

    const fn accepted() -> Self {
        Self {
            status: 202,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }
}

/// Handles a request. Every message of a client results in a response, also an invalid one; the
/// status is never 500 or above.
///
/// Example: [crate](crate#example).
pub fn handle(site: &Site, request: &McpRequest<'_>) -> McpResponse {
    if request.method != "POST" {
        let error = RpcError::new(INVALID_REQUEST, "the MCP server accepts only POST").status(405);
        let mut response = McpResponse::error(&error);
        response.headers.push(("allow", "POST"));
        return response;
    }
    if !is_own_origin(site, request) {
        let error = RpcError::new(INVALID_REQUEST, "the `Origin` is not that of this site");
        return McpResponse::error(&error.status(403));
    }
    if !is_json(request.headers.content_type) {
        let error = RpcError::new(INVALID_REQUEST, "`Content-Type` must be `application/json`");
        return McpResponse::error(&error.status(415));
    }
    if request.body.len() > MAX_BODY_BYTES {
        let message = format!("the request must be at most {MAX_BODY_BYTES} bytes long");
        let error = RpcError::new(INVALID_REQUEST, message);
        return McpResponse::error(&error.status(413));
    }
    // The parser limits the depth of nested values to 128.
    let Ok(body) = serde_json::from_slice::<Value>(request.body) else {
        let error = RpcError::new(PARSE_ERROR, "the body is not valid JSON");
        return McpResponse::error(&error.status(400));
    };
    match body {
        Value::Array(messages) => batch(site, request, messages),
        message => match protocol::reply(site, request, message) {
            Reply::None => McpResponse::accepted(),
            Reply::Message { status, body } => McpResponse::json(status, &body),
        },
    }
}

/// Handles a JSON-RPC batch, which only version 2025-03-26 has.
fn batch(site: &Site, request: &McpRequest<'_>, messages: Vec<Value>) -> McpResponse {
    let refuse = |message: String| {
        let error = RpcError::new(INVALID_REQUEST, message).status(400);
        McpResponse::error(&error)
    };
    if !protocol::version::has_batches(request.headers.protocol_version) {
        return refuse("this protocol version has no batches; send one message".to_owned());
    }
    if messages.is_empty() || messages.len() > MAX_BATCH_MESSAGES {
        return refuse(format!(
            "a batch must have 1 to {MAX_BATCH_MESSAGES} messages"
        ));
    }
    let replies =
        messages
            .into_iter()
            .filter_map(|message| match protocol::reply(site, request, message) {
                Reply::None => None,
                Reply::Message { body, .. } => Some(body),
            });
    let replies: Vec<Value> = replies.collect();
    match replies.is_empty() {
        true => McpResponse::accepted(),
        false => McpResponse::json(200, &Value::Array(replies)),
    }
}

/// Whether the request is not from a page of another site. Programs send no `Origin`.
fn is_own_origin(site: &Site, request: &McpRequest<'_>) -> bool {
    let Some(origin) = request.headers.origin else {
        return true;
    };
    let Ok(origin) = std::str::from_utf8(origin) else {
        return false;
    };
    let Some(host) = host_of(origin) else {
        return false;
    };
    let canonical = site.public_url(request.origin, "/");
    let own = [request.origin, &canonical];
    let mut own = own.into_iter().filter_map(host_of);
    own.any(|own| own.eq_ignore_ascii_case(host))
}

/// Host and port of a URL. The scheme does not count, because a proxy may end the encryption.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    (!host.is_empty()).then_some(host)
}

fn is_json(content_type: Option<&[u8]>) -> bool {
    let Some(content_type) = content_type else {
        return true;
    };
    let name = content_type.split(|byte| *byte == b';').next();
    let name = name.unwrap_or_default().trim_ascii();
    name.eq_ignore_ascii_case(b"application/json")
}
