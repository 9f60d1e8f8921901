//! JSON-RPC messages of MCP: from a message to a reply.

pub(crate) mod error;
mod headers;
mod message;
pub(crate) mod methods;
mod server_info;
pub(crate) mod version;

use serde_json::{Value, json};
use svc_site::{McpEndpoint, Site};

use self::error::RpcError;
use self::message::{Call, Message};
use self::version::Era;
use crate::http::McpRequest;
use crate::tools::tool_definitions;

/// What discovery files say about the MCP server of a site.
pub fn endpoint(site: &Site) -> McpEndpoint<'static> {
    McpEndpoint {
        path: "/mcp",
        protocol_versions: &version::SUPPORTED_VERSIONS,
        capabilities: server_info::capabilities(),
        tools: tool_definitions(site),
        version: env!("CARGO_PKG_VERSION"),
    }
}

/// The result of a message.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A notification or a response of the client, which has no reply.
    None,
    /// A response message.
    Message {
        /// HTTP status.
        status: u16,
        /// The message.
        body: Value,
    },
}

/// A call with what its methods need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) site: &'a Site,
    pub(crate) origin: &'a str,
    pub(crate) era: Era,
}

/// Replies to a message.
pub(crate) fn reply(site: &Site, request: &McpRequest<'_>, message: Value) -> Reply {
    let failure = |id: Option<&Value>, error: &RpcError| Reply::Message {
        status: error.status,
        body: error.to_json(id),
    };
    let call = match Message::parse(message) {
        Ok(Message::Notification) => return Reply::None,
        Ok(Message::Response) => {
            // Clients of earlier versions may respond to requests of servers, which do not exist.
            return match version::is_modern_header(request.headers.protocol_version) {
                true => {
                    let message = "a client must not send responses";
                    let error = RpcError::new(error::INVALID_REQUEST, message);
                    failure(None, &error.status(400))
                }
                false => Reply::None,
            };
        }
        Ok(Message::Call(call)) => call,
        Err((id, error)) => return failure(id.as_ref(), &error),
    };
    match result(site, request, &call) {
        Ok(result) => Reply::Message {
            status: 200,
            body: json!({"jsonrpc": "2.0", "id": call.id, "result": result}),
        },
        Err(error) => failure(Some(&call.id), &error),
    }
}

fn result(site: &Site, request: &McpRequest<'_>, call: &Call) -> Result<Value, RpcError> {
    let era = version::era(request.headers.protocol_version, call)?;
    if era == Era::Modern {
        headers::check(&request.headers, call)?;
        version::check_meta(call)?;
    }
    let cx = Context {
        site,
        origin: request.origin,
        era,
    };
    methods::call(&cx, call)
}
