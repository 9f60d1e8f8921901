//! The tools of an MCP server: the result of `tools/list` (Model Context Protocol).

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use svc_data::{KeyMap, Limits, Member, Node, Value, escape_pointer};
use svc_diagnostics::{Checked, Diagnostic, SourceFile, Span};

use super::check::PathSegment;
use super::{Reader, below, start_of, text};
use crate::example::Memo;
use crate::{ApiDocument, SchemaRef, Tool, codes, reference};

/// Maximum number of tools of a document.
const MAX_TOOLS: usize = 2_000;

/// Limits of the document. Servers send it to language models, so real ones are much smaller.
const LIMITS: Limits = Limits {
    bytes: 16 << 20,
    depth: 100,
    nodes: 500_000,
};

/// The keys that lead to the list of tools: those of a JSON-RPC response, of its result, or none
/// for the list itself.
const LISTS: [&[&str]; 3] = [&["result", "tools"], &["tools"], &[]];

/// The keys of the schemas of a tool.
const SCHEMAS: [&str; 2] = ["inputSchema", "outputSchema"];

/// Parses the tools of an MCP server: the result of `tools/list`, the JSON-RPC response that
/// contains it, or only the array of tools. The value is None if there are no tools; all other
/// problems are reported and the invalid parts left out.
///
/// References in a schema are resolved inside of that schema (JSON Schema 2020-12, 8.2).
///
/// # Example
///
/// ```
/// use svc_openapi::{SourceFile, parse_tools};
/// let text = r#"{"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}"#;
/// let checked = parse_tools(&SourceFile::new("tools.json", text));
/// assert!(checked.diagnostics.is_empty());
/// let document = checked.value.expect("it has a tool");
/// let tool = document.tool("add").expect("it is there");
/// assert_eq!(tool.title, "add");
/// assert!(tool.input.is_some() && tool.output.is_none());
/// ```
pub fn parse_tools(file: &SourceFile) -> Checked<Option<ApiDocument>> {
    let mut diagnostics = Vec::new();
    let root = svc_data::parse_json(file, &LIMITS).drain_into(&mut diagnostics);
    let keys = LISTS
        .into_iter()
        .find(|keys| list_at(&root, keys).is_some());
    let root = Arc::new(match keys {
        Some(keys) => rebase_list(root, keys, String::new()),
        None => root,
    });
    let is_syntax_error = root.is_null() && !diagnostics.is_empty();
    let mut reader = Reader::new(&root, file, diagnostics);
    reader.tool_list = true;
    let tools = match keys {
        Some(keys) => reader.tools(keys),
        None if is_syntax_error => Vec::new(),
        None => {
            let message = "the file has no list of MCP tools";
            let hint = "save the response of the server to `tools/list`: `{\"tools\": […]}`";
            reader.report(&codes::TOOL_LIST, "", start_of(&root), message, hint);
            Vec::new()
        }
    };
    let diagnostics = reader.finish();
    let value = (!tools.is_empty()).then(|| document(file, &root, tools));
    Checked { value, diagnostics }
}

fn document(file: &SourceFile, root: &Arc<Node>, tools: Vec<Tool>) -> ApiDocument {
    let stem = file.path().rsplit('/').next().unwrap_or("");
    let stem = stem.split('.').next().unwrap_or(stem).to_owned();
    let by_tool = tools.iter().enumerate();
    let by_tool = by_tool.map(|(at, tool)| (tool.name.clone(), at)).collect();
    ApiDocument {
        path: file.path().to_string(),
        version: String::new(),
        title: stem,
        description: String::new(),
        api_version: String::new(),
        servers: Vec::new(),
        tags: Vec::new(),
        operations: Vec::new(),
        webhooks: Vec::new(),
        tools,
        security_schemes: IndexMap::new(),
        root: Arc::clone(root),
        file: file.clone(),
        badge_keys: Arc::default(),
        children: IndexMap::new(),
        by_path: IndexMap::new(),
        by_tag: IndexMap::new(),
        by_tool,
        tag_groups: IndexMap::new(),
        memo: Arc::new(Memo::new(root)),
    }
}

fn list_at<'a>(root: &'a Node, keys: &[&str]) -> Option<&'a [Node]> {
    let mut node = root;
    for key in keys {
        node = node.get(key)?;
    }
    node.as_array()
}

/// Changes the references in the schemas of all tools so that they are resolved from the root of
/// the document.
fn rebase_list(node: Node, keys: &[&str], mut pointer: String) -> Node {
    let span = node.span;
    let value = match (keys, node.value) {
        ([key, rest @ ..], Value::Object(object)) => {
            pointer.push('/');
            pointer.push_str(key);
            let members = object.into_members().map(|(name, mut member)| {
                if *name == **key {
                    member.value = rebase_list(member.value, rest, pointer.clone());
                }
                (name, member)
            });
            Value::Object(members.collect::<KeyMap<Member>>().into())
        }
        ([], Value::Array(tools)) => {
            let tools = tools.into_iter().enumerate();
            Value::Array(
                tools
                    .map(|(at, tool)| rebase_tool(tool, &format!("{pointer}/{at}")))
                    .collect(),
            )
        }
        (_, value) => value,
    };
    Node::new(span, value)
}

fn rebase_tool(tool: Node, pointer: &str) -> Node {
    let span = tool.span;
    let value = match tool.value {
        Value::Object(object) => {
            let members = object.into_members().map(|(name, mut member)| {
                if SCHEMAS.contains(&&*name) {
                    let base = format!("{pointer}/{name}");
                    member.value = rebase(&member.value, &member.value, &base);
                }
                (name, member)
            });
            Value::Object(members.collect::<KeyMap<Member>>().into())
        }
        value => value,
    };
    Node::new(span, value)
}

/// Changes the references that can be resolved in `schema`; `base` is its pointer. Others remain
/// as they are written and are reported later. The limits of the tree bound the depth.
fn rebase(node: &Node, schema: &Node, base: &str) -> Node {
    let rebased = |key: &str, value: &Node| -> Option<Node> {
        let reference = value.as_str().filter(|_| key == "$ref")?;
        let fragment = reference.strip_prefix('#')?;
        reference::target(schema, reference).ok()?;
        let absolute = format!("#{base}{fragment}");
        Some(Node::new(value.span, Value::String(absolute.into())))
    };
    let value = match &node.value {
        Value::Object(object) => {
            let members = object.members().map(|(key, member)| {
                let value = rebased(key, &member.value);
                let value = value.unwrap_or_else(|| rebase(&member.value, schema, base));
                let key_span = member.key_span;
                (Box::from(key), Member { key_span, value })
            });
            Value::Object(members.collect::<KeyMap<Member>>().into())
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| rebase(item, schema, base));
            Value::Array(items.collect())
        }
        other => other.clone(),
    };
    Node::new(node.span, value)
}

impl<'a> Reader<'a> {
    /// Reads the list of tools at the keys.
    fn tools(&mut self, keys: &[&'static str]) -> Vec<Tool> {
        let root = self.root;
        let list = list_at(root, keys).unwrap_or_default();
        let pointer = keys.iter().fold(String::new(), |at, key| below(&at, key));
        let parent = keys.split_last().and_then(|(_, keys)| {
            let at = keys.iter().try_fold(root, |node, key| node.get(key));
            at?.as_object()
        });
        if let Some(cursor) = parent.and_then(|parent| parent.member("nextCursor")) {
            let message = "the list of tools is not complete: the server has more pages";
            let hint = "request them with `cursor`, and combine all tools in one list";
            self.report(&codes::TOOL_PAGES, &pointer, cursor.key_span, message, hint);
        }
        if list.is_empty() {
            let span = keys.last().and_then(|key| parent?.member(key));
            let span = span.map_or_else(|| start_of(root), |member| member.key_span);
            let hint = "save the response of a server that has tools";
            self.report(
                &codes::EMPTY_TOOLS,
                &pointer,
                span,
                "there are no tools",
                hint,
            );
        }
        if let Some(first) = list.get(MAX_TOOLS) {
            let message = format!("there are more than {MAX_TOOLS} tools");
            let hint = "split the list; this tool and the following ones are left out";
            self.report(&codes::TOOL_LIMIT, &pointer, start_of(first), message, hint);
        }
        let mut tools: Vec<Tool> = Vec::new();
        let mut names: HashMap<&str, Span> = HashMap::new();
        let mut schemas = Vec::new();
        for (at, node) in list.iter().take(MAX_TOOLS).enumerate() {
            let pointer = format!("{pointer}/{at}");
            let name = node.get("name").and_then(Node::as_str);
            let Some(name) = name.filter(|name| !name.trim().is_empty()) else {
                let message = "a tool has no `name`";
                let span = node
                    .get("name")
                    .map_or_else(|| start_of(node), |name| name.span);
                let hint = "write an object with `name`, `description` and `inputSchema`";
                self.report(&codes::BAD_TOOL, &pointer, span, message, hint);
                continue;
            };
            let span = node.get("name").map_or(node.span, |name| name.span);
            if let Some(first) = names.insert(name, span) {
                names.insert(name, first);
                let diagnostic =
                    Diagnostic::new(&codes::SAME_TOOL, format!("two tools are called `{name}`"))
                        .at(self.line_index.location(span))
                        .pointer(below(&pointer, "name"))
                        .label(self.line_index.location(first), "the first one")
                        .hint("rename one of them; the second is left out");
                self.diagnostics.push(diagnostic);
                continue;
            }
            let mut schema = |key: &'static str| {
                let member = node.as_object()?.member(key)?;
                let path = keys.iter().map(|key| PathSegment::Key(key));
                let path = path.chain([PathSegment::Index(at), PathSegment::Key(key)]);
                schemas.push((&member.value, member.key_span, path.collect::<Vec<_>>()));
                let is_object = member.value.as_object().is_some();
                is_object.then(|| SchemaRef::new(format!("{pointer}/{key}")))
            };
            let [input, output] = SCHEMAS.map(&mut schema);
            self.check_input(node, name, &pointer, span);
            tools.push(Tool {
                name: name.to_owned(),
                title: text(node, "title")
                    .or_else(|| text(node.get("annotations")?, "title"))
                    .unwrap_or_else(|| name.to_owned()),
                description: text(node, "description"),
                input,
                output,
                source: SchemaRef::new(pointer),
                location: self.line_index.location(span),
            });
        }
        self.check_schemas(schemas);
        tools
    }

    /// Reports an input schema that is missing or not that of an object, which clients reject.
    fn check_input(&mut self, tool: &'a Node, name: &str, pointer: &str, at: Span) {
        let (span, message) = match tool.get("inputSchema") {
            None => (at, format!("tool `{name}` has no `inputSchema`")),
            Some(schema) => match schema.get("type") {
                Some(kind) if kind.as_str() == Some("object") => return,
                kind => {
                    let span = kind.map_or_else(|| start_of(schema), |kind| kind.span);
                    let message =
                        format!("the `type` of the input of tool `{name}` is not `object`");
                    (span, message)
                }
            },
        };
        let pointer = format!("{pointer}/{}", escape_pointer("inputSchema"));
        let hint = "write `\"inputSchema\": {\"type\": \"object\"}` for a tool without arguments";
        self.report(&codes::TOOL_INPUT, &pointer, span, message, hint);
    }
}
