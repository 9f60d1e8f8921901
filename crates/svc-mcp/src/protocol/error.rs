//! Errors of JSON-RPC and of MCP.

use serde_json::{Value, json};

/// The body is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The body is not a message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// The server has no such method.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters do not fit the method.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// The resource does not exist, in versions before 2026-07-28.
pub(crate) const LEGACY_RESOURCE_NOT_FOUND: i32 = -32002;
/// The headers do not match the body.
pub(crate) const HEADER_MISMATCH: i32 = -32020;
/// The server does not implement the protocol version.
pub(crate) const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RpcError {
    code: i32,
    message: String,
    data: Option<Box<Value>>,
    /// HTTP status.
    pub(crate) status: u16,
}

impl RpcError {
    /// An error with status 200: the transport worked.
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
            status: 200,
        }
    }

    #[must_use]
    pub(crate) const fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    #[must_use]
    pub(crate) fn data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// The message. Without `id` if the request has none that can be read.
    pub(crate) fn to_json(&self, id: Option<&Value>) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = Value::clone(data);
        }
        match id {
            Some(id) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            None => json!({"jsonrpc": "2.0", "error": error}),
        }
    }
}
