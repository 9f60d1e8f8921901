//! The tools: one module for each, and the list of them.
//!
//! Results are texts without structured content. A tool with an output schema must repeat its text
//! as JSON, which doubles what many clients put into the context of the model, and other clients
//! show the model only the JSON. Programs have the JSON search of the site and the Markdown
//! versions of its pages.

mod api;
mod grep;
mod list;
mod read;
mod search;

use serde_json::{Map, Value, json};
use svc_site::Site;

use crate::arguments::Arguments;
use crate::bounded_text::{fit, quoted};
use crate::protocol::Context;
use crate::protocol::error::{INVALID_PARAMS, RpcError};

/// Maximum number of tokens of an answer unless the client sets it.
pub const DEFAULT_MAX_TOKENS: usize = 3_000;
/// Maximum number of tokens of an answer that a client can set.
pub const MAX_MAX_TOKENS: usize = 20_000;
/// Minimum number of tokens of an answer that a client can set.
const MIN_MAX_TOKENS: usize = 200;

/// A tool.
struct Tool {
    name: &'static str,
    title: &'static str,
    /// What the tool does, for language models.
    description: &'static str,
    /// Properties of the input schema. `max_tokens` is added.
    properties: fn() -> Value,
    required: &'static [&'static str],
    /// Whether the tool is useful for a site.
    is_listed: fn(&Site) -> bool,
    /// Calls the tool. An error is a sentence for the model.
    call: fn(&ToolCall<'_>) -> Result<String, String>,
}

/// A call of a tool.
struct ToolCall<'a> {
    site: &'a Site,
    arguments: Arguments<'a>,
    max_tokens: usize,
}

/// All tools in the order of `tools/list`.
static TOOLS: [&Tool; 5] = [
    &search::TOOL,
    &read::TOOL,
    &list::TOOL,
    &grep::TOOL,
    &api::TOOL,
];

impl Tool {
    fn to_json(&self) -> Value {
        let mut properties = (self.properties)();
        properties["max_tokens"] = json!({
            "type": "integer",
            "minimum": MIN_MAX_TOKENS,
            "maximum": MAX_MAX_TOKENS,
            "default": DEFAULT_MAX_TOKENS,
            "description": "Limit of the answer, in estimated tokens."
        });
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": self.required,
                "additionalProperties": false
            },
            "annotations": {
                "title": self.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false
            }
        })
    }
}

/// The tools of a site as in the result of `tools/list`.
pub fn tool_definitions(site: &Site) -> Vec<Value> {
    let tools = TOOLS.iter().filter(|tool| (tool.is_listed)(site));
    tools.map(|tool| tool.to_json()).collect()
}

/// The result of `tools/call`.
///
/// # Errors
/// If there is no such tool. What a tool refuses is a result, which the model sees.
pub(crate) fn call(cx: &Context<'_>, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let invalid = |message: String| RpcError::new(INVALID_PARAMS, message);
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| invalid("`name` is missing".to_owned()))?;
    let tool = TOOLS
        .iter()
        .find(|tool| tool.name == name && (tool.is_listed)(cx.site));
    let tool = tool.ok_or_else(|| invalid(format!("Unknown tool: {}", quoted(name, 60))))?;
    let none = Map::new();
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(invalid("`arguments` must be an object".to_owned())),
    };
    let mut max_tokens = DEFAULT_MAX_TOKENS;
    let answer = run(cx.site, tool, arguments, &mut max_tokens);
    let is_error = answer.is_err();
    let text = answer.unwrap_or_else(|message| message);
    // Tools count themselves; this holds for everything else, such as messages.
    let text = fit(&text, max_tokens);
    Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
}

fn run(
    site: &Site,
    tool: &Tool,
    arguments: &Map<String, Value>,
    max_tokens: &mut usize,
) -> Result<String, String> {
    let properties = (tool.properties)();
    let names = properties.as_object().into_iter().flat_map(Map::keys);
    let names: Vec<&str> = names.map(String::as_str).chain(["max_tokens"]).collect();
    let arguments = Arguments::new(arguments, &names)?;
    *max_tokens = arguments.number(
        "max_tokens",
        MIN_MAX_TOKENS..=MAX_MAX_TOKENS,
        DEFAULT_MAX_TOKENS,
    )?;
    (tool.call)(&ToolCall {
        site,
        arguments,
        max_tokens: *max_tokens,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_site;

    #[test]
    fn tools_are_listed_with_valid_schemas() {
        let site = test_site::api();
        let all = tool_definitions(&site);
        let names: Vec<&str> = all
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(names, ["search", "read", "list", "grep", "api"]);
        for tool in &all {
            let schema = &tool["inputSchema"];
            jsonschema::draft202012::new(schema).unwrap();
            assert!(schema["properties"]["max_tokens"]["description"].is_string());
            assert_eq!(tool["annotations"]["readOnlyHint"], true);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{name}");
            }
        }
        let site = test_site::guides();
        assert_eq!(tool_definitions(&site).len(), 4, "the site has no API");
    }

    #[test]
    fn the_definitions_are_short() {
        let text = Value::Array(tool_definitions(&test_site::api())).to_string();
        let tokens = svc_site::estimated_tokens(&text);
        assert!(tokens < 2_000, "{tokens}");
    }
}
