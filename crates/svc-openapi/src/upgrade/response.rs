//! Responses of Swagger 2.0.

use svc_data::Node;

use super::Upgrader;
use super::build::{insert, members, object, string};
use super::schema::{Dialect, upgrade_schema};

impl Upgrader<'_> {
    /// A response, or a reference to one.
    pub(super) fn response(&mut self, response: Node, media_types: &[String]) -> Node {
        let span = response.span;
        if let Some(reference) = response.get("$ref") {
            return self.reference(reference, span);
        }
        let mut new = object(span, []);
        let (mut schema, mut examples) = (None, Vec::new());
        for (key, member) in members(response) {
            match &*key {
                "schema" => {
                    let mut value = member.value;
                    upgrade_schema(&mut value, &Dialect::Swagger(&self.swagger));
                    schema = Some(value);
                }
                "examples" => examples.extend(members(member.value)),
                "headers" => {
                    let mut headers = object(member.value.span, []);
                    for (name, header) in members(member.value) {
                        insert(&mut headers, &name, self.header(header.value));
                    }
                    insert(&mut new, "headers", headers);
                }
                key => insert(&mut new, key, member.value),
            }
        }
        if new.get("description").is_none() {
            insert(&mut new, "description", string("", span));
        }
        let mut content = object(span, []);
        if let Some(schema) = &schema {
            for media_type in media_types {
                let media = object(schema.span, [("schema", schema.clone())]);
                insert(&mut content, media_type, media);
            }
        }
        for (media_type, example) in examples {
            let entry = content
                .as_map_mut()
                .and_then(|members| members.get_mut(&media_type));
            if let Some(entry) = entry {
                insert(&mut entry.value, "example", example.value);
                continue;
            }
            let mut media = object(example.value.span, []);
            if let Some(schema) = &schema {
                insert(&mut media, "schema", schema.clone());
            }
            insert(&mut media, "example", example.value);
            insert(&mut content, &media_type, media);
        }
        if content
            .as_object()
            .is_some_and(|content| !content.is_empty())
        {
            insert(&mut new, "content", content);
        }
        new
    }

    fn header(&mut self, header: Node) -> Node {
        let span = header.span;
        let (mut new, mut schema) = (object(span, []), object(span, []));
        for (key, member) in members(header) {
            match &*key {
                "collectionFormat" => {}
                key if key == "description" || (key.starts_with("x-") && key != "x-nullable") => {
                    insert(&mut new, key, member.value);
                }
                key => insert(&mut schema, key, member.value),
            }
        }
        self.item_schema(&mut schema);
        insert(&mut new, "schema", schema);
        new
    }

    /// A reference object with the new pointer.
    pub(super) fn reference(&mut self, reference: &Node, span: svc_diagnostics::Span) -> Node {
        let text = reference.as_str().unwrap_or_default();
        let new = self
            .swagger
            .reference(text)
            .unwrap_or_else(|| text.to_owned());
        object(span, [("$ref", string(new, reference.span))])
    }
}
