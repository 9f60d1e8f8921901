//! Examples of calls of MCP tools.

use serde_json::{Value, json};

use crate::{ApiDocument, Direction, Tool, example_at};

/// An example of a call of a tool: a JSON-RPC request `tools/call` whose arguments are generated
/// from the input schema, like an [`example`](crate::example()).
///
/// # Example
///
/// ```
/// use svc_openapi::{SourceFile, parse_tools, tool_call};
/// let text = r#"{"tools": [{"name": "add", "inputSchema": {"type": "object",
///     "properties": {"a": {"type": "integer", "default": 3}}}}]}"#;
/// let document = parse_tools(&SourceFile::new("tools.json", text)).value.expect("it has a tool");
/// let call = tool_call(&document, &document.tools[0]);
/// assert_eq!(call["method"], "tools/call");
/// assert_eq!(call["params"]["name"], "add");
/// assert_eq!(call["params"]["arguments"]["a"], 3);
/// ```
pub fn tool_call(document: &ApiDocument, tool: &Tool) -> Value {
    let input = tool.input.as_ref();
    let arguments = input.and_then(|input| example_at(document, input, Direction::Request));
    let arguments = arguments.filter(Value::is_object);
    let arguments = arguments.unwrap_or_else(|| json!({}));
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": tool.name, "arguments": arguments },
    })
}
