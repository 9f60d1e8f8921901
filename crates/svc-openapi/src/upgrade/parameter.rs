//! Parameters of Swagger 2.0.

use svc_data::{Node, Value};

use super::Upgrader;
use super::build::{boolean, insert, members, object, string};
use super::schema::{Dialect, upgrade_schema};

/// Keys that stay at the parameter; all others, except extensions, describe its schema.
const PARAMETER_KEYS: [&str; 6] = [
    "name",
    "in",
    "description",
    "required",
    "allowEmptyValue",
    "deprecated",
];

/// A list that is written in one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListStyle {
    pub(super) style: &'static str,
    pub(super) explode: bool,
}

impl Upgrader<'_> {
    /// A parameter in the path, query or header.
    pub(super) fn parameter(&mut self, parameter: Node) -> Node {
        let span = parameter.span;
        let place = parameter
            .get("in")
            .and_then(Node::as_str)
            .unwrap_or_default()
            .to_owned();
        let is_list = parameter.get("type").and_then(Node::as_str) == Some("array");
        let style = if is_list {
            self.list_style(&parameter, &place)
        } else {
            None
        };
        let mut new = object(span, []);
        let mut schema = object(span, []);
        let mut described = false;
        for (key, member) in members(parameter) {
            match &*key {
                "collectionFormat" => {}
                "schema" => {
                    // It is only allowed in bodies, but often written.
                    for (key, member) in members(member.value) {
                        insert(&mut schema, &key, member.value);
                        described = true;
                    }
                }
                key if PARAMETER_KEYS.contains(&key)
                    || key.starts_with("x-") && key != "x-nullable" =>
                {
                    insert(&mut new, key, member.value);
                }
                key => {
                    described = true;
                    insert(&mut schema, key, member.value);
                }
            }
        }
        if let Some(ListStyle { style, explode }) = style {
            insert(&mut new, "style", string(style, span));
            insert(&mut new, "explode", boolean(explode, span));
        }
        if described {
            self.item_schema(&mut schema);
            insert(&mut new, "schema", schema);
        }
        new
    }

    /// Converts the keys of a parameter, an item or a header to a schema.
    pub(super) fn item_schema(&mut self, schema: &mut Node) {
        self.nested_lists(schema);
        upgrade_schema(schema, &Dialect::Swagger(&self.swagger));
    }

    /// Removes `collectionFormat` of lists in lists, which version 3.1 cannot express.
    fn nested_lists(&mut self, schema: &mut Node) {
        let mut next = Some(schema);
        while let Some(node) = next {
            let Some(members) = node.as_map_mut() else {
                return;
            };
            let removed = members.remove("collectionFormat");
            if let Some(format) = removed
                && format.value.as_str() != Some("csv")
            {
                let message = "`collectionFormat` of a list in a list has no equivalent";
                self.loss(
                    format.value.span,
                    message,
                    "describe the format in `description`",
                );
            }
            next = members.get_mut("items").map(|member| &mut member.value);
        }
    }

    /// How a list is written; `None` if it is the default of its place in version 3.1.
    pub(super) fn list_style(&mut self, parameter: &Node, place: &str) -> Option<ListStyle> {
        let format = parameter.get("collectionFormat");
        let name = format.and_then(Node::as_str).unwrap_or("csv");
        let in_query = matches!(place, "query" | "formData");
        match name {
            "multi" | "csv" if !in_query => None,
            // The default is a parameter for each item.
            "multi" => None,
            "csv" => Some(ListStyle {
                style: "form",
                explode: false,
            }),
            "ssv" | "pipes" if in_query => Some(ListStyle {
                style: if name == "ssv" {
                    "spaceDelimited"
                } else {
                    "pipeDelimited"
                },
                explode: false,
            }),
            other => {
                let span = format.map_or(parameter.span, |node| node.span);
                let message = format!(
                    "`collectionFormat: {other}` in `{place}` has no equivalent; commas are used"
                );
                self.loss(span, message, "describe the format in `description`");
                in_query.then_some(ListStyle {
                    style: "form",
                    explode: false,
                })
            }
        }
    }

    /// The request body of a body parameter.
    pub(super) fn body(&mut self, parameter: Node, media_types: &[String]) -> Node {
        let span = parameter.span;
        let mut body = object(span, []);
        let mut media = object(span, []);
        let mut content = None;
        for (key, member) in members(parameter) {
            match &*key {
                "name" | "in" => {}
                "schema" => {
                    let mut schema = member.value;
                    upgrade_schema(&mut schema, &Dialect::Swagger(&self.swagger));
                    content = Some(schema);
                }
                key if key == "description" || key == "required" || key.starts_with("x-") => {
                    insert(&mut body, key, member.value);
                }
                _ => {}
            }
        }
        if let Some(schema) = content {
            insert(&mut media, "schema", schema);
        }
        insert(&mut body, "content", by_media_type(media_types, &media));
        body
    }

    /// The request body of form parameters.
    pub(super) fn form(&mut self, parameters: Vec<Node>, media_types: &[String]) -> Option<Node> {
        let span = parameters.first()?.span;
        let mut properties = object(span, []);
        let mut encoding = object(span, []);
        let mut required = Vec::new();
        let mut has_file = false;
        for parameter in parameters {
            let span = parameter.span;
            let Some(name) = parameter
                .get("name")
                .and_then(Node::as_str)
                .map(str::to_owned)
            else {
                continue;
            };
            has_file |= parameter.get("type").and_then(Node::as_str) == Some("file");
            if parameter.get("required").and_then(Node::as_bool) == Some(true) {
                required.push(string(name.clone(), span));
            }
            let is_list = parameter.get("type").and_then(Node::as_str) == Some("array");
            if is_list
                && let Some(ListStyle { style, explode }) = self.list_style(&parameter, "formData")
            {
                let members = [
                    ("style", string(style, span)),
                    ("explode", boolean(explode, span)),
                ];
                insert(&mut encoding, &name, object(span, members));
            }
            let mut schema = object(span, []);
            for (key, member) in members(parameter) {
                if !matches!(
                    &*key,
                    "name" | "in" | "required" | "collectionFormat" | "allowEmptyValue"
                ) {
                    insert(&mut schema, &key, member.value);
                }
            }
            self.item_schema(&mut schema);
            insert(&mut properties, &name, schema);
        }
        let is_required = !required.is_empty();
        let mut schema = object(
            span,
            [("type", string("object", span)), ("properties", properties)],
        );
        if is_required {
            insert(
                &mut schema,
                "required",
                Node::new(span, Value::Array(required)),
            );
        }
        let mut media = object(span, [("schema", schema)]);
        if encoding
            .as_object()
            .is_some_and(|encoding| !encoding.is_empty())
        {
            insert(&mut media, "encoding", encoding);
        }
        let forms = ["multipart/form-data", "application/x-www-form-urlencoded"];
        let mut types: Vec<String> = media_types.to_vec();
        types.retain(|name| forms.contains(&name.as_str()) && !(has_file && name != forms[0]));
        if types.is_empty() {
            types.push(forms[usize::from(!has_file)].to_owned());
        }
        let mut body = object(span, []);
        if is_required {
            insert(&mut body, "required", boolean(true, span));
        }
        insert(&mut body, "content", by_media_type(&types, &media));
        Some(body)
    }
}

/// The same content for several media types.
pub(super) fn by_media_type(media_types: &[String], media: &Node) -> Node {
    let entries = media_types
        .iter()
        .map(|name| (name.as_str(), media.clone()));
    object(media.span, entries)
}
