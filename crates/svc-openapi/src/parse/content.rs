//! Bodies, responses and their media types.

use svc_data::Node;

use indexmap::IndexMap;

use super::{Reader, below, flag, text};
use crate::codes;
use crate::reference;
use crate::{Body, Encoding, ExternalExample, Header, Link, MediaType, Response, SchemaRef};

/// Maximum number of names of one `links`, `encoding` or `examples`.
const MAX_NAMED: usize = 100;

impl<'a> Reader<'a> {
    pub(super) fn body(&mut self, operation: &'a Node, pointer: &str) -> Option<Body> {
        let node = operation
            .get("requestBody")
            .filter(|node| !node.is_null())?;
        let (node, pointer) = self.follow(node, below(pointer, "requestBody"));
        if node.as_object().is_none() || reference::of(node).is_some() {
            return None;
        }
        Some(Body {
            required: flag(node, "required"),
            description: text(node, "description"),
            content: self.content(node, &pointer),
            span: node.span,
        })
    }

    pub(super) fn responses(&mut self, operation: &'a Node, pointer: &str) -> Vec<Response> {
        let Some(node) = operation.get("responses").filter(|node| !node.is_null()) else {
            return Vec::new();
        };
        let pointer = below(pointer, "responses");
        let Some(members) = node.as_object() else {
            return Vec::new();
        };
        let mut responses = Vec::with_capacity(members.len());
        for (status, member) in members.members() {
            if status.starts_with("x-") {
                continue;
            }
            let pointer = below(&pointer, status);
            if !is_status(status) {
                let message = format!("`{status}` is not a status code, a range or `default`");
                let hint = "write a code such as `\"200\"`, a range such as `4XX`, or `default`";
                self.report(&codes::BAD_STATUS, &pointer, member.key_span, message, hint);
            } else if status.ends_with("xx") {
                let message = format!("the range `{status}` is in lower case");
                let range = status.to_ascii_uppercase();
                let hint = format!("write `{range}`");
                self.report(&codes::BAD_STATUS, &pointer, member.key_span, message, hint);
                if members.get(&range).is_none() {
                    self.fix_text(member.key_span, status, &range);
                }
            } else if self
                .file
                .slice(member.key_span)
                .starts_with(|c: char| c.is_ascii_digit())
                && status.bytes().all(|byte| byte.is_ascii_digit())
            {
                let (_, count) = self.unquoted.get_or_insert((member.key_span, 0));
                *count += 1;
            }
            let (node, pointer) = self.follow(&member.value, pointer);
            if node.as_object().is_none() && !node.is_null() {
                continue;
            }
            responses.push(Response {
                status: status.to_owned(),
                description: text(node, "description"),
                content: self.content(node, &pointer),
                headers: self.headers(node, &pointer),
                links: self.links(node),
                span: node.span,
            });
        }
        responses
    }

    fn content(&mut self, node: &'a Node, pointer: &str) -> Vec<MediaType> {
        let Some(content) = node.get("content").filter(|content| !content.is_null()) else {
            return Vec::new();
        };
        let pointer = below(pointer, "content");
        let Some(members) = content.as_object() else {
            return Vec::new();
        };
        let mut types = Vec::with_capacity(members.len());
        for (name, node) in members.iter() {
            let (node, pointer) = self.follow(node, below(&pointer, name));
            let key = ["schema", "itemSchema"]
                .into_iter()
                .find(|key| node.get(key).is_some());
            types.push(MediaType {
                name: name.to_owned(),
                schema: key.map(|key| SchemaRef::new(below(&pointer, key))),
                external_examples: self.external_examples(node),
                encodings: self.encodings(node, &pointer),
                source: SchemaRef::new(pointer),
            });
        }
        types
    }

    fn external_examples(&self, node: &'a Node) -> Vec<ExternalExample> {
        let named = node.get("examples").and_then(Node::as_object);
        let external = |(name, node): (&str, &'a Node)| {
            let node = reference::resolve(self.root, node);
            Some(ExternalExample {
                name: name.to_owned(),
                summary: text(node, "summary"),
                url: node.get("externalValue")?.as_str()?.to_owned(),
            })
        };
        let named = named.into_iter().flat_map(|named| named.iter());
        named.take(MAX_NAMED).filter_map(external).collect()
    }

    fn encodings(&self, node: &'a Node, pointer: &str) -> IndexMap<String, Encoding> {
        let Some(named) = node.get("encoding").and_then(Node::as_object) else {
            return IndexMap::new();
        };
        let pointer = below(pointer, "encoding");
        let encoding = |(name, node): (&str, &'a Node)| {
            let encoding = Encoding {
                content_type: text(node, "contentType"),
                headers: self.headers(node, &below(&pointer, name)),
                style: text(node, "style"),
                explode: node.get("explode").and_then(Node::as_bool),
                allow_reserved: flag(node, "allowReserved"),
            };
            (name.to_owned(), encoding)
        };
        named.iter().take(MAX_NAMED).map(encoding).collect()
    }

    fn links(&self, node: &'a Node) -> Vec<Link> {
        let named = node.get("links").and_then(Node::as_object);
        let expression = |node: &Node| match node.as_str() {
            Some(text) => text.to_owned(),
            None => crate::weight::bounded_json(node)
                .unwrap_or_default()
                .to_string(),
        };
        let link = |(name, node): (&str, &'a Node)| {
            let node = reference::resolve(self.root, node);
            let parameters = node.get("parameters").and_then(Node::as_object);
            let parameters = parameters
                .into_iter()
                .flat_map(|parameters| parameters.iter());
            Link {
                name: name.to_owned(),
                description: text(node, "description"),
                operation_id: text(node, "operationId"),
                operation_ref: text(node, "operationRef"),
                parameters: parameters
                    .take(MAX_NAMED)
                    .map(|(name, value)| (name.to_owned(), expression(value)))
                    .collect(),
                request_body: node.get("requestBody").map(expression),
            }
        };
        let named = named.into_iter().flat_map(|named| named.iter());
        named.take(MAX_NAMED).map(link).collect()
    }

    fn headers(&self, node: &'a Node, pointer: &str) -> Vec<Header> {
        let Some(members) = node.get("headers").and_then(Node::as_object) else {
            return Vec::new();
        };
        let pointer = below(pointer, "headers");
        let header = |(name, node): (&str, &'a Node)| {
            let (node, pointer) = self.follow(node, below(&pointer, name));
            let content = node.get("content").and_then(Node::as_object);
            let first = content.and_then(|content| content.iter().next());
            let schema = if node.get("schema").is_some() {
                Some(below(&pointer, "schema"))
            } else {
                let first = first.filter(|(_, media_type)| media_type.get("schema").is_some());
                first.map(|(name, _)| below(&below(&below(&pointer, "content"), name), "schema"))
            };
            Header {
                name: name.to_owned(),
                required: flag(node, "required"),
                deprecated: flag(node, "deprecated"),
                description: text(node, "description"),
                schema: schema.map(SchemaRef::new),
                source: SchemaRef::new(pointer),
            }
        };
        members.iter().map(header).collect()
    }
}

fn is_status(status: &str) -> bool {
    let bytes = status.as_bytes();
    status == "default"
        || matches!(bytes, [b'1'..=b'5', rest @ ..]
            if rest.len() == 2
                && (rest.iter().all(u8::is_ascii_digit) || rest.eq_ignore_ascii_case(b"xx")))
}
