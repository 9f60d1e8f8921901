//! Parsing of a single message.

use serde_json::{Map, Value};

use super::error::{INVALID_REQUEST, RpcError};

/// A message of a client.
#[derive(Debug)]
pub(crate) enum Message {
    /// A request, which needs a response.
    Call(Call),
    /// A notification.
    Notification,
    /// A response.
    Response,
}

/// A request.
#[derive(Debug)]
pub(crate) struct Call {
    /// A string or an integer.
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Map<String, Value>,
}

impl Call {
    /// A string of the parameters.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.params.get(name)?.as_str()
    }

    /// A value of `_meta`.
    pub(crate) fn meta(&self, name: &str) -> Option<&Value> {
        self.params.get("_meta")?.get(name)
    }
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    /// With the id of the request, if it has a valid one.
    pub(crate) fn parse(message: Value) -> Result<Self, (Option<Value>, RpcError)> {
        let invalid = |id: Option<Value>, message: &str| {
            (id, RpcError::new(INVALID_REQUEST, message).status(400))
        };
        let Value::Object(mut fields) = message else {
            return Err(invalid(None, "a message must be a JSON object"));
        };
        let id = fields.remove("id");
        let valid = id.clone().filter(is_id);
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(invalid(valid, "`jsonrpc` must be \"2.0\""));
        }
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return Err(invalid(valid, "`method` must be a string")),
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Ok(Self::Response);
            }
            None => return Err(invalid(valid, "`method` is missing")),
        };
        let params = match fields.remove("params") {
            Some(Value::Object(params)) => params,
            None => Map::new(),
            Some(_) => return Err(invalid(valid, "`params` must be an object")),
        };
        match id {
            None => Ok(Self::Notification),
            Some(id) if is_id(&id) => Ok(Self::Call(Call { id, method, params })),
            Some(_) => Err(invalid(None, "`id` must be a string or an integer")),
        }
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}
