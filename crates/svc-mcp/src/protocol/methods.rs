//! The methods of the server.

use serde_json::{Value, json};

use super::Context;
use super::error::{INVALID_PARAMS, METHOD_NOT_FOUND, RpcError};
use super::message::Call;
use super::version::Era;
use super::{server_info, version};
use crate::{resources, tools};

/// How long clients may use lists of tools and resources.
const LIST_TTL_MS: u32 = 300_000;
/// How long clients may use the text of a resource.
const READ_TTL_MS: u32 = 60_000;
/// How long clients may use the description of the server.
const DISCOVER_TTL_MS: u32 = 3_600_000;

/// Calls a method.
pub(crate) fn call(cx: &Context<'_>, call: &Call) -> Result<Value, RpcError> {
    let (result, ttl) = match (call.method.as_str(), cx.era) {
        ("server/discover", Era::Modern) => (server_info::discover(cx), Some(DISCOVER_TTL_MS)),
        ("initialize", Era::Legacy) => {
            let proposed = call
                .text("protocolVersion")
                .ok_or_else(|| RpcError::new(INVALID_PARAMS, "`protocolVersion` is missing"))?;
            let version = version::negotiate(proposed);
            (server_info::initialize(cx, version), None)
        }
        ("ping", Era::Legacy) => (json!({}), None),
        ("tools/list", _) => {
            no_cursor(call)?;
            (
                json!({"tools": tools::tool_definitions(cx.site)}),
                Some(LIST_TTL_MS),
            )
        }
        ("tools/call", _) => (tools::call(cx, &call.params)?, None),
        ("resources/list", _) => (resources::list(cx, cursor(call)?)?, Some(LIST_TTL_MS)),
        ("resources/templates/list", _) => {
            no_cursor(call)?;
            (resources::templates(), Some(LIST_TTL_MS))
        }
        ("resources/read", _) => {
            let uri = call.text("uri");
            let uri = uri.ok_or_else(|| RpcError::new(INVALID_PARAMS, "`uri` is missing"))?;
            (resources::read(cx, uri)?, Some(READ_TTL_MS))
        }
        (method, era) => {
            let name: String = method.chars().take(100).collect();
            let error = RpcError::new(METHOD_NOT_FOUND, format!("Method not found: {name}"));
            return Err(match era {
                Era::Modern => error.status(404),
                Era::Legacy => error,
            });
        }
    };
    Ok(match cx.era {
        Era::Modern => {
            let info = match call.method.as_str() {
                "server/discover" => server_info::full(cx),
                _ => server_info::short(cx.site),
            };
            modern(result, ttl, &info)
        }
        Era::Legacy => result,
    })
}

/// Adds the fields that results have since version 2026-07-28.
fn modern(mut result: Value, ttl: Option<u32>, info: &Value) -> Value {
    result["resultType"] = json!("complete");
    if let Some(ttl) = ttl {
        result["ttlMs"] = json!(ttl);
        // The site is the same for everybody.
        result["cacheScope"] = json!("public");
    }
    result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": info});
    result
}

fn cursor(call: &Call) -> Result<Option<&str>, RpcError> {
    match call.params.get("cursor") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(cursor)) => Ok(Some(cursor)),
        Some(_) => Err(invalid_cursor()),
    }
}

/// Lists that have one page give out no cursors.
fn no_cursor(call: &Call) -> Result<(), RpcError> {
    match cursor(call)? {
        Some(_) => Err(invalid_cursor()),
        None => Ok(()),
    }
}

pub(crate) fn invalid_cursor() -> RpcError {
    RpcError::new(INVALID_PARAMS, "Invalid cursor")
}
