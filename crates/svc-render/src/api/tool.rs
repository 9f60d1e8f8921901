//! Pages of the tools of MCP servers.

use serde_json::json;
use svc_openapi::{ApiDocument, Direction, SchemaPath, SchemaRef, Tool, ToolHint, example_at};

use super::parts::{FieldListContext, section};
use super::schema_budget::SchemaBudget;
use super::{examples, schema};
use crate::ctx::Ctx;
use crate::html::Html;

/// Renders the hints, the arguments and the result of a tool; an example of a call goes to the side
/// column. `at` is the index of the document in the catalog.
pub(super) fn page(cx: &mut Ctx<'_>, (document, at): (&ApiDocument, usize), tool: &Tool) -> Html {
    let mut out = hints(cx, &document.tool_hints(tool));
    let mut sheet = SchemaBudget::new(document, at, Direction::Request);
    for (title, id, part, direction) in [
        (
            cx.texts.tool_arguments,
            "arguments",
            &tool.input,
            Direction::Request,
        ),
        (
            cx.texts.tool_result,
            "result",
            &tool.output,
            Direction::Response,
        ),
    ] {
        sheet.direction = direction;
        let body = fields(cx, &mut sheet, part.as_ref(), id);
        out.add(&section(cx, (title, id), None, &body));
    }
    let call = svc_openapi::tool_call(document, tool);
    let mut aside = examples::json_block(cx, "tools/call", &call);
    let result = tool.output.as_ref();
    let result = result.and_then(|output| example_at(document, output, Direction::Response));
    if let Some(result) = result {
        let result = json!({ "structuredContent": result });
        aside.add(&examples::json_block(cx, cx.texts.tool_result, &result));
    }
    cx.out.aside.add(&aside);
    out
}

fn fields(
    cx: &mut Ctx<'_>,
    sheet: &mut SchemaBudget<'_>,
    part: Option<&SchemaRef>,
    prefix: &str,
) -> Html {
    let Some(part) = part else {
        return Html::new();
    };
    let spot = FieldListContext { prefix, depth: 0 };
    schema::top(cx, sheet, &SchemaPath::from(part.clone()), spot, ("", true))
}

fn hints(cx: &mut Ctx<'_>, hints: &[ToolHint]) -> Html {
    let mut out = Html::new();
    if hints.is_empty() {
        return out;
    }
    out.lit("<p class=\"svc-tool-hints\">");
    for hint in hints {
        let (text, color) = match hint {
            ToolHint::ReadOnly => (cx.texts.read_only, "green"),
            ToolHint::Destructive => (cx.texts.tool_destructive, "red"),
            ToolHint::Idempotent => (cx.texts.tool_idempotent, "blue"),
            ToolHint::OpenWorld => (cx.texts.tool_open_world, "gray"),
        };
        cx.out.text.push_line(text);
        out.lit("<span class=\"svc-badge\" data-badge data-size=\"md\"")
            .attr("data-color", color)
            .lit(">")
            .esc(text)
            .lit("</span> ");
    }
    out.lit("</p>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::site;

    const FILES: &str = r##"//- /tools.json
{"jsonrpc": "2.0", "id": 1, "result": {"tools": [
  {"name": "move_file", "title": "Move a file", "description": "Moves **one** file.\n\n<script>alert(1)</script>It [fails](javascript:alert(1)).",
   "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false},
   "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["from"], "properties": {
      "from": {"$ref": "#/$defs/Place", "description": "Where it <b>is</b>"}, "force": {"type": "boolean", "default": false}},
      "$defs": {"Place": {"type": "object", "properties": {"path": {"type": "string", "examples": ["/a.txt"]}, "inside": {"$ref": "#/$defs/Place"}}}}},
   "outputSchema": {"type": "object", "properties": {"moved": {"type": "integer", "minimum": 0}}}},
  {"name": "list", "annotations": {"readOnlyHint": true, "destructiveHint": true}, "inputSchema": {"type": "object"}}]}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"groups": [{"group": "Tools", "mcp": "tools.json"}]}}
"##;

    #[test]
    fn a_tool_has_its_hints_arguments_result_and_an_example() {
        let article = site(FILES, "/mcp-tools/move_file");
        let html = article.html.as_str();
        for part in [
            ">destructive</span>",
            ">idempotent</span>",
            ">Arguments</a></h2>",
            "id=\"arguments-from\"",
            "Where it <b>is</b>",
            ">Result</a></h2>",
            "id=\"result-moved\"",
            "&quot;tools/call&quot;",
            "&quot;move_file&quot;",
            "&quot;/a.txt&quot;",
            "&quot;structuredContent&quot;",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("<script>alert") && !html.contains("href=\"javascript:"));
        assert!(!html.contains("read-only") && !html.contains("external systems"));
        assert_eq!(article.toc(), ["2 arguments Arguments", "2 result Result"]);
    }

    #[test]
    fn a_tool_that_changes_nothing_is_not_destructive() {
        let html = site(FILES, "/mcp-tools/list").html;
        assert!(html.contains(">read-only</span>") && !html.contains("destructive"));
    }
}
