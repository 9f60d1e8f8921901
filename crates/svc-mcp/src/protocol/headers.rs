//! The headers that repeat fields of the body, by which proxies route.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::error::{HEADER_MISMATCH, RpcError};
use super::message::Call;
use crate::http::McpHeaders;

/// Checks that the headers equal the fields of the body.
///
/// # Errors
/// If a header is missing, has another value or invalid characters.
pub(crate) fn check(headers: &McpHeaders<'_>, call: &Call) -> Result<(), RpcError> {
    let method = text("Mcp-Method", headers.mcp_method)?;
    equal("Mcp-Method", method, &call.method)?;
    let source = match call.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    // A missing field is reported as an invalid parameter.
    let Some(expected) = call.text(source) else {
        return Ok(());
    };
    let name = text("Mcp-Name", headers.mcp_name)?;
    let decoded = decode(name).ok_or_else(|| mismatch("`Mcp-Name` is not valid Base64"))?;
    equal("Mcp-Name", &decoded, expected)
}

fn text<'a>(name: &str, value: Option<&'a [u8]>) -> Result<&'a str, RpcError> {
    let value = value.ok_or_else(|| mismatch(&format!("`{name}` is missing")))?;
    let value = value.trim_ascii();
    let is_text = value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let value = std::str::from_utf8(value).ok().filter(|_| is_text);
    value.ok_or_else(|| mismatch(&format!("`{name}` has invalid characters")))
}

fn equal(name: &str, value: &str, expected: &str) -> Result<(), RpcError> {
    match value == expected {
        true => Ok(()),
        false => Err(mismatch(&format!(
            "`{name}` is `{value}`, and the body has `{expected}`"
        ))),
    }
}

fn mismatch(reason: &str) -> RpcError {
    RpcError::new(HEADER_MISMATCH, format!("Header mismatch: {reason}")).status(400)
}

/// Decodes a value that clients encode because it is not plain ASCII. `None` if it is not valid.
fn decode(value: &str) -> Option<Cow<'_, str>> {
    let encoded = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(encoded) = encoded else {
        return Some(Cow::Borrowed(value));
    };
    let bytes = STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_values_are_decoded() {
        assert_eq!(decode("search").as_deref(), Some("search"));
        assert_eq!(decode("=?base64?6Kqe?=").as_deref(), Some("語"));
        assert_eq!(decode("=?base64?!?="), None);
        assert_eq!(decode("=?base64?/w==?="), None);
        assert_eq!(decode("=?base64?6Kqe").as_deref(), Some("=?base64?6Kqe"));
    }
}
