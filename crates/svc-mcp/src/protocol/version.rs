//! Protocol versions: which rules apply to a request.

use serde_json::{Value, json};

use super::error::{HEADER_MISMATCH, INVALID_PARAMS, RpcError, UNSUPPORTED_PROTOCOL_VERSION};
use super::message::Call;

/// The version in which every request is complete.
const MODERN: &str = "2026-07-28";
/// Versions that begin with `initialize`, the newest first.
const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// All supported versions, the newest first.
pub const SUPPORTED_VERSIONS: [&str; 4] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2]];

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The rules that apply to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// Version 2026-07-28.
    Modern,
    /// Earlier versions.
    Legacy,
}

/// Selects the rules for a call. The version in `_meta` decides; without it, that of the header.
pub(crate) fn era(header: Option<&[u8]>, call: &Call) -> Result<Era, RpcError> {
    let header = header.map(|header| String::from_utf8_lossy(header.trim_ascii()));
    let version = match call.meta(META_VERSION) {
        None => match &header {
            // Version 2025-03-26 has no header.
            None => return Ok(Era::Legacy),
            Some(header) => header.as_ref(),
        },
        Some(Value::String(version)) => {
            if header.as_deref() != Some(version) {
                let message = format!(
                    "Header mismatch: `MCP-Protocol-Version` must be that of `_meta`, `{version}`"
                );
                return Err(RpcError::new(HEADER_MISMATCH, message).status(400));
            }
            version
        }
        Some(_) => return Err(invalid_meta(META_VERSION)),
    };
    match version {
        MODERN => Ok(Era::Modern),
        version if LEGACY.contains(&version) => Ok(Era::Legacy),
        version => {
            let data = json!({"supported": SUPPORTED_VERSIONS, "requested": version});
            let error = RpcError::new(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version");
            Err(error.data(data).status(400))
        }
    }
}

/// Checks the fields that every request of version 2026-07-28 must have.
pub(crate) fn check_meta(call: &Call) -> Result<(), RpcError> {
    if call.meta(META_VERSION).is_none() {
        return Err(invalid_meta(META_VERSION));
    }
    if !call.meta(META_CAPABILITIES).is_some_and(Value::is_object) {
        return Err(invalid_meta(META_CAPABILITIES));
    }
    if call
        .meta(META_CLIENT)
        .is_some_and(|client| !client.is_object())
    {
        return Err(invalid_meta(META_CLIENT));
    }
    Ok(())
}

fn invalid_meta(name: &str) -> RpcError {
    let message = format!("`{name}` is missing in `_meta` or has the wrong type");
    RpcError::new(INVALID_PARAMS, message).status(400)
}

/// Whether a request with this header can be a batch.
pub(crate) fn has_batches(header: Option<&[u8]>) -> bool {
    header.is_none_or(|header| header.trim_ascii() == LEGACY[2].as_bytes())
}

pub(crate) fn is_modern_header(header: Option<&[u8]>) -> bool {
    header.is_some_and(|header| header.trim_ascii() == MODERN.as_bytes())
}

/// The version of the session that a client proposes in `initialize`, or else the newest one that
/// has sessions.
pub(crate) fn negotiate(proposed: &str) -> &'static str {
    let mut known = LEGACY.into_iter();
    known
        .find(|version| *version == proposed)
        .unwrap_or(LEGACY[0])
}
