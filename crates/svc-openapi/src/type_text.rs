//! Schemas as types in a notation like that of TypeScript, which language models read with fewer
//! tokens than JSON Schema.

use std::fmt::Write as _;

use svc_data::{Node, Value};

use crate::reference;
use crate::{ApiDocument, SchemaRef};

/// Maximum number of characters of a comment.
const MAX_COMMENT_CHARS: usize = 200;
/// Maximum number of values of an `enum`.
const MAX_VALUES: usize = 60;
/// Maximum number of characters of a value or a pattern.
const MAX_VALUE_CHARS: usize = 80;

/// Keywords that limit values, and their names in comments.
const LIMITS: [(&str, &str); 7] = [
    ("minimum", "min"),
    ("maximum", "max"),
    ("minLength", "min length"),
    ("maxLength", "max length"),
    ("minItems", "min items"),
    ("maxItems", "max items"),
    ("pattern", "pattern"),
];

/// Schemas as types. References are names, so that the text of a schema is not longer than its
/// source.
///
/// # Example
///
/// ```
/// use svc_openapi::{SourceFile, TypeWriter, parse};
/// let text = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": {
///     "Pet": {"type": "object", "required": ["name"], "properties": {
///         "name": {"type": "string", "maxLength": 9, "description": "Its name"},
///         "kind": {"enum": ["cat", "dog"], "default": "cat"},
///         "friends": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}}"##;
/// let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// let mut types = TypeWriter::new(&document, &str::to_owned);
/// let pet = types.text(document.schema_node("Pet").expect("it exists"), 0);
/// assert_eq!(pet, r#"{
///   name: string  // max length 9. Its name
///   kind?: "cat" | "dog"  // default "cat"
///   friends?: Pet[]
/// }"#);
/// let references: Vec<&str> = types.references().iter().map(|to| to.pointer()).collect();
/// assert_eq!(references, ["/components/schemas/Pet"]);
/// ```
pub struct TypeWriter<'a> {
    document: &'a ApiDocument,
    /// Converts a description to plain text.
    plain: &'a dyn Fn(&str) -> String,
    references: Vec<SchemaRef>,
}

impl std::fmt::Debug for TypeWriter<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("TypeWriter")
            .field("references", &self.references)
            .finish_non_exhaustive()
    }
}

impl<'a> TypeWriter<'a> {
    /// Creates a writer. `plain` converts a description to plain text.
    pub fn new(document: &'a ApiDocument, plain: &'a dyn Fn(&str) -> String) -> Self {
        Self {
            document,
            plain,
            references: Vec::new(),
        }
    }

    /// The schemas that the types so far refer to, in the order of the text and with repetitions.
    pub fn references(&self) -> &[SchemaRef] {
        &self.references
    }

    /// The name of a schema: that of a component, or else its pointer.
    pub fn name(schema: &SchemaRef) -> String {
        let reference = format!("#{}", schema.pointer());
        match reference::schema_name(&reference) {
            Some(name) => identifier(&name),
            None => identifier(&reference),
        }
    }

    /// The type of a schema; its further lines are indented by `indent` levels. The limits of the
    /// tree bound the depth of the recursion.
    pub fn text(&mut self, schema: &Node, indent: usize) -> String {
        if let Some(reference) = reference::of(schema) {
            return match reference::target(&self.document.root, reference) {
                Ok((_, pointer)) => {
                    let target = SchemaRef::new(&*pointer);
                    let name = Self::name(&target);
                    self.references.push(target);
                    name
                }
                Err(_) => "unknown".to_owned(),
            };
        }
        if let Value::Bool(is_any) = schema.value {
            return if is_any { "any" } else { "never" }.to_owned();
        }
        if let Some(value) = schema.get("const") {
            return literal(value);
        }
        if let Some(values) = schema.get("enum").and_then(Node::as_array) {
            return values_text(values);
        }
        let mut parts = Vec::new();
        let own = self.own(schema, indent);
        let all: Vec<String> = members(schema, "allOf")
            .iter()
            .map(|part| self.grouped(part, indent))
            .collect();
        let choices = ["oneOf", "anyOf"].map(|key| {
            let options = members(schema, key).iter();
            let options: Vec<String> = options.map(|part| self.grouped(part, indent)).collect();
            options.join(" | ")
        });
        parts.extend(own);
        parts.extend(all);
        let several = parts.len() + choices.iter().filter(|text| !text.is_empty()).count() > 1;
        for choice in choices.into_iter().filter(|text| !text.is_empty()) {
            let is_choice = several && choice.contains(" | ");
            parts.push(if is_choice {
                format!("({choice})")
            } else {
                choice
            });
        }
        let mut text = parts.join(" & ");
        if text.is_empty() {
            text.push_str("any");
        }
        if schema.get("nullable").and_then(Node::as_bool) == Some(true) {
            text.push_str(" | null");
        }
        text
    }

    /// The type by the keywords of the schema itself, without its alternatives.
    fn own(&mut self, schema: &Node, indent: usize) -> Option<String> {
        let types: Vec<&str> = match schema.get("type").map(|node| &node.value) {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Node::as_str).collect(),
            _ if schema.get("properties").is_some() => vec!["object"],
            _ if schema.get("additionalProperties").is_some() => vec!["object"],
            _ if schema.get("items").is_some() => vec!["array"],
            _ => return None,
        };
        let texts = types.into_iter().map(|name| match name {
            "object" => self.object(schema, indent),
            "array" => self.array(schema, indent),
            "string" | "integer" | "number" | "boolean" | "null" => {
                match schema.get("format").and_then(Node::as_str) {
                    Some(format) if name != "null" => format!("{name}({})", shorten(format)),
                    _ => name.to_owned(),
                }
            }
            other => identifier(other),
        });
        let texts: Vec<String> = texts.collect();
        Some(texts.join(" | "))
    }

    fn array(&mut self, schema: &Node, indent: usize) -> String {
        let prefix = members(schema, "prefixItems");
        if !prefix.is_empty() {
            let items: Vec<String> = prefix.iter().map(|item| self.text(item, indent)).collect();
            return format!("[{}]", items.join(", "));
        }
        match schema.get("items") {
            Some(items) => format!("{}[]", self.grouped(items, indent)),
            None => "any[]".to_owned(),
        }
    }

    fn object(&mut self, schema: &Node, indent: usize) -> String {
        let required = members(schema, "required");
        let is_required = |name: &str| required.iter().any(|node| node.as_str() == Some(name));
        let mut lines = Vec::new();
        for (key, before, after) in [("properties", "", ""), ("patternProperties", "[/", "/]")] {
            let properties = schema.get(key).and_then(Node::as_object);
            for (name, property) in properties.into_iter().flat_map(|all| all.iter()) {
                let optional = if before.is_empty() && !is_required(name) {
                    "?"
                } else {
                    ""
                };
                let name = format!("{before}{}{after}{optional}", identifier(name));
                lines.push(self.field(&name, property, indent + 1));
            }
        }
        match schema.get("additionalProperties") {
            Some(node) if node.as_bool() != Some(false) => {
                lines.push(self.field("[key]", node, indent + 1));
            }
            _ => {}
        }
        if lines.is_empty() {
            return "object".to_owned();
        }
        let indent = "  ".repeat(indent);
        format!("{{\n{}{indent}}}", lines.concat())
    }

    /// A line, or several for an object: `name: type  // comment`.
    pub fn field(&mut self, name: &str, schema: &Node, indent: usize) -> String {
        let text = self.text(schema, indent);
        let comment = self.comment(schema, &[]);
        let indent = "  ".repeat(indent);
        format!("{indent}{name}: {}\n", with_comment(&text, &comment))
    }

    /// What a reader should know about the values of a schema, in one line. `parts` come first.
    pub fn comment(&self, schema: &Node, parts: &[&str]) -> String {
        let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        for (key, name) in [
            ("deprecated", "deprecated"),
            ("readOnly", "read-only"),
            ("writeOnly", "write-only"),
        ] {
            if schema.get(key).and_then(Node::as_bool) == Some(true) {
                parts.push(name.to_owned());
            }
        }
        if let Some(default) = schema.get("default") {
            parts.push(format!("default {}", literal(default)));
        }
        for (key, name) in LIMITS {
            if let Some(value) = schema.get(key).and_then(Node::to_text) {
                parts.push(format!("{name} {}", shorten(&value)));
            }
        }
        let facts = parts.join(", ");
        let description = schema.get("description").and_then(Node::as_str);
        let description = description.map(|text| self.line(text)).unwrap_or_default();
        match (facts.is_empty(), description.is_empty()) {
            (false, false) => format!("{facts}. {description}"),
            _ => facts + &description,
        }
    }

    /// A description as one line of plain text, shortened if it is long.
    pub fn line(&self, text: &str) -> String {
        let text = (self.plain)(text);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        cut(&line, MAX_COMMENT_CHARS)
    }

    /// A type that can be followed by `[]`.
    fn grouped(&mut self, schema: &Node, indent: usize) -> String {
        let text = self.text(schema, indent);
        let is_object = text.starts_with('{') && text.ends_with('}');
        match text.contains([' ']) && !is_object {
            true => format!("({text})"),
            false => text,
        }
    }
}

/// Adds a comment at the end of the first line.
pub fn with_comment(text: &str, comment: &str) -> String {
    match (comment.is_empty(), text.split_once('\n')) {
        (true, _) => text.to_owned(),
        (false, None) => format!("{text}  // {comment}"),
        (false, Some((first, rest))) => format!("{first}  // {comment}\n{rest}"),
    }
}

fn members<'n>(schema: &'n Node, key: &str) -> &'n [Node] {
    let members = schema.get(key).and_then(Node::as_array);
    members.unwrap_or_default()
}

fn values_text(values: &[Node]) -> String {
    let shown: Vec<String> = values.iter().take(MAX_VALUES).map(literal).collect();
    let mut text = shown.join(" | ");
    if let Some(more) = values
        .len()
        .checked_sub(MAX_VALUES)
        .filter(|more| *more > 0)
    {
        // Writing to a String cannot fail.
        let _ = write!(text, " | … ({more} more)");
    }
    text
}

/// A value as JSON.
fn literal(value: &Node) -> String {
    match crate::weight::bounded_json(value) {
        Some(value) => shorten(&value.to_string()),
        None => "…".to_owned(),
    }
}

/// A name as it is, or as a JSON string if it has other characters than those of names.
fn identifier(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_$-.#/~".contains(c);
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => serde_json::Value::from(name).to_string(),
    }
}

fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&line, MAX_VALUE_CHARS)
}

fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::document;

    #[test]
    fn schemas_become_types() {
        let schema = |text: &str| {
            let text = format!(
                r##"{{"openapi": "3.1.0", "info": {{"title": "T", "version": "1"}}, "paths": {{}}, "components": {{"schemas": {{"Other": {{}}, "T": {text}}}}}}}"##
            );
            let document = document(&text);
            let node = document.schema_node("T").expect("it exists").clone();
            TypeWriter::new(&document, &str::to_owned).text(&node, 0)
        };
        for (source, expected) in [
            (
                r#"{"type": ["string", "null"], "format": "date"}"#,
                "string(date) | null",
            ),
            (r#"{"type": "string", "nullable": true}"#, "string | null"),
            (
                r#"{"type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "integer"}]}}"#,
                "(string | integer)[]",
            ),
            (
                r##"{"allOf": [{"$ref": "#/components/schemas/Other"}, {"type": "object", "properties": {"a b": {"const": 1}}}]}"##,
                "Other & {\n  \"a b\"?: 1\n}",
            ),
            (
                r##"{"type": "object", "additionalProperties": {"$ref": "#/nowhere"}}"##,
                "{\n  [key]: unknown\n}",
            ),
            (
                r#"{"type": "array", "prefixItems": [true, {"enum": ["a", null]}]}"#,
                "[any, \"a\" | null]",
            ),
            (r#"{"description": "Anything"}"#, "any"),
            (
                r#"{"type": "object", "properties": {"in": {"type": "object", "description": "Line\n```\n# one", "properties": {"x": {"readOnly": true, "type": "boolean"}}}}}"#,
                "{\n  in?: {  // Line ``` # one\n    x?: boolean  // read-only\n  }\n}",
            ),
        ] {
            assert_eq!(schema(source), expected, "{source}");
        }
        let values: Vec<String> = (0..70).map(|value| value.to_string()).collect();
        let text = schema(&format!("{{\"enum\": [{}]}}", values.join(", ")));
        assert!(text.ends_with("59 | … (10 more)"), "{text}");
    }
}
