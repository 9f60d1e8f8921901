//! A single operation as a document of its own.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value, json};
use svc_data::{Node, Object, at_pointer, unescape_pointer};

use crate::grammar::{FieldType, ObjectKind};
use crate::{ApiDocument, Operation, OperationKind, reference};

/// Maximum number of visited values of an excerpt.
const MAX_VALUES: usize = 200_000;
/// Maximum depth of nested objects.
const MAX_DEPTH: usize = 60;
/// Extensions that are of interest to readers.
const EXTENSIONS: [&str; 4] = [
    "x-enumDescriptions",
    "x-enum-varnames",
    "x-enum-descriptions",
    "x-default",
];
/// Replacement for a schema that exceeds the size.
const OMITTED: &str = "Omitted, because this part of the document is large.";

/// An operation or a webhook as a complete OpenAPI document: with the parameters of its path, its
/// servers, the security schemes that it uses and the components that it reaches. Only extensions
/// that describe values are retained. If the document exceeds `bytes` of JSON, the examples are
/// left out first, then schemas, the nearest ones last. None if the operation alone exceeds the
/// size by more than a quarter.
///
/// # Example
///
/// ```
/// use svc_openapi::{SourceFile, excerpt, parse};
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get": {}, "post": {}}}}"#;
/// let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// let part = excerpt(&document, &document.operations[0], 10_000).expect("it is small");
/// assert!(part["paths"]["/pets"].get("post").is_none());
/// ```
pub fn excerpt(document: &ApiDocument, operation: &Operation, bytes: usize) -> Option<Value> {
    let source = document.node(&operation.source)?;
    let attempt =
        |examples| Excerpt::new(document, examples).of_operation(operation, source, bytes);
    let (text, complete) = attempt(true);
    if complete {
        return Some(text);
    }
    let (short, _) = attempt(false);
    (length(&short) <= bytes + bytes / 4).then_some(short)
}

/// A component schema as self-contained JSON, like [`excerpt`] for operations. None if there is no
/// such schema.
///
/// # Example
///
/// ```
/// # use svc_openapi::{SourceFile, parse};
/// # let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": {
/// #     "Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 9}}}}}}"#;
/// # let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// let excerpt = svc_openapi::schema_excerpt(&document, "Pet", 10_000).expect("it exists");
/// assert_eq!(excerpt["components"]["schemas"]["Pet"]["type"], "object");
/// ```
pub fn schema_excerpt(document: &ApiDocument, name: &str, bytes: usize) -> Option<Value> {
    let node = document.schema_node(name)?;
    let attempt = |examples| {
        let mut excerpt = Excerpt::new(document, examples);
        let mut out = excerpt.head();
        let pointer = format!("/components/schemas/{}", svc_data::escape_pointer(name));
        excerpt.names.insert(pointer, ("schemas", name.to_owned()));
        let schema = excerpt.typed_object(node, ObjectKind::Schema, 0);
        let mut components = Map::new();
        components.insert("schemas".to_owned(), json!({ name: schema }));
        out.insert("components".to_owned(), components.into());
        let complete = excerpt.components(&mut out, bytes);
        (Value::Object(out), complete)
    };
    let (text, complete) = attempt(true);
    if complete {
        return Some(text);
    }
    let (short, _) = attempt(false);
    (length(&short) <= bytes + bytes / 4).then_some(short)
}

fn length(value: &Value) -> usize {
    value.to_string().len()
}

/// A component that is to be written.
struct Component {
    section: &'static str,
    name: String,
    pointer: String,
    kind: ObjectKind,
}

struct Excerpt<'a> {
    document: &'a ApiDocument,
    root: &'a Node,
    examples: bool,
    remaining: usize,
    /// Section and name of every referenced component, by its pointer.
    names: HashMap<String, (&'static str, String)>,
    used_names: HashSet<(&'static str, String)>,
    /// Components that the current part is the first to refer to.
    new_components: Vec<Component>,
}

impl<'a> Excerpt<'a> {
    fn new(document: &'a ApiDocument, examples: bool) -> Self {
        Self {
            document,
            root: &document.root,
            examples,
            remaining: MAX_VALUES,
            names: HashMap::new(),
            used_names: HashSet::new(),
            new_components: Vec::new(),
        }
    }

    fn head(&self) -> Map<String, Value> {
        let document = self.document;
        let mut out = Map::new();
        out.insert("openapi".to_owned(), json!(document.version));
        out.insert(
            "info".to_owned(),
            json!({"title": document.title, "version": document.api_version}),
        );
        out
    }

    fn of_operation(
        mut self,
        operation: &Operation,
        source: &'a Node,
        bytes: usize,
    ) -> (Value, bool) {
        let mut out = self.head();
        let field = match operation.kind {
            OperationKind::Path => "paths",
            OperationKind::Webhook => "webhooks",
        };
        let own = |key: &str| source.get(key).filter(|node| !node.is_null()).is_some();
        let item = self
            .root
            .get(field)
            .and_then(|items| items.get(&operation.path));
        let item = item.map(|item| reference::resolve(self.root, item));
        let mut path = Map::new();
        if operation.servers.is_empty() {
            self.copy(self.root, "servers", ObjectKind::Document, &mut out);
        }
        if !own("security") && operation.kind == OperationKind::Path {
            self.copy(self.root, "security", ObjectKind::Document, &mut out);
        }
        if let Some(item) = item {
            for key in ["servers", "parameters"] {
                self.copy(item, key, ObjectKind::PathItem, &mut path);
            }
        }
        let mut inside = self.typed_object(source, ObjectKind::Operation, 0);
        // The description is at the start of the page.
        if let Some(inside) = inside.as_object_mut() {
            inside.shift_remove("description");
        }
        path.insert(operation.method.clone(), inside);
        out.insert(field.to_owned(), json!({ &operation.path: path }));
        let names = operation.security.iter().flatten();
        for name in names {
            let pointer = format!(
                "/components/securitySchemes/{}",
                svc_data::escape_pointer(name)
            );
            self.name(&pointer, ObjectKind::SecurityScheme);
        }
        let complete = self.components(&mut out, bytes);
        (Value::Object(out), complete)
    }

    fn copy(&mut self, from: &'a Node, key: &str, kind: ObjectKind, out: &mut Map<String, Value>) {
        let holds = kind.field(key).map(|field| field.1);
        if let Some((node, holds)) = from.get(key).zip(holds) {
            let value = self.field_value(node, holds, kind, 1);
            out.insert(key.to_owned(), value);
        }
    }

    /// Writes the referenced components and those that they refer to; false if some exceed the
    /// size.
    fn components(&mut self, out: &mut Map<String, Value>, bytes: usize) -> bool {
        let mut used = length(&Value::Object(out.clone()));
        let mut complete = used <= bytes;
        let mut waiting: VecDeque<Component> = self.new_components.drain(..).collect();
        let mut sections: Map<String, Value> = match out.shift_remove("components") {
            Some(Value::Object(sections)) => sections,
            _ => Map::new(),
        };
        while let Some(target) = waiting.pop_front() {
            let Some(node) = at_pointer(self.root, &target.pointer) else {
                continue;
            };
            let mut value = self.typed_object(node, target.kind, 1);
            let size = length(&value) + target.name.len();
            if used + size > bytes && target.kind == ObjectKind::Schema {
                complete = false;
                self.discard_new();
                value = json!({ "description": OMITTED });
            }
            used += length(&value) + target.name.len();
            waiting.extend(self.new_components.drain(..));
            let section = sections
                .entry(target.section)
                .or_insert_with(|| Value::Object(Map::new()));
            if let Some(section) = section.as_object_mut() {
                section.insert(target.name, value);
            }
        }
        if !sections.is_empty() {
            out.insert("components".to_owned(), sections.into());
        }
        // The text around the components counts too.
        complete && self.remaining > 0 && length(&Value::Object(out.clone())) <= bytes
    }

    /// Drops the components of a part that is left out.
    fn discard_new(&mut self) {
        for target in std::mem::take(&mut self.new_components) {
            self.names.remove(&target.pointer);
            self.used_names.remove(&(target.section, target.name));
        }
    }

    /// The reference to the component at a pointer, which becomes a component of the excerpt.
    fn name(&mut self, pointer: &str, kind: ObjectKind) -> Option<String> {
        let (pointer, kind) = component_of(pointer).unwrap_or((pointer, kind));
        let section = kind.section()?;
        at_pointer(self.root, pointer)?;
        if let Some((section, name)) = self.names.get(pointer) {
            return Some(local(section, name));
        }
        let wanted = pointer.rsplit('/').next().unwrap_or_default();
        let wanted = unescape_pointer(wanted);
        let mut name = wanted.clone();
        let mut number = 2;
        while !self.used_names.insert((section, name.clone())) {
            name = format!("{wanted}-{number}");
            number += 1;
        }
        self.names
            .insert(pointer.to_owned(), (section, name.clone()));
        let reference = local(section, &name);
        self.new_components.push(Component {
            section,
            name,
            pointer: pointer.to_owned(),
            kind,
        });
        Some(reference)
    }

    fn reference(&mut self, text: &str, kind: ObjectKind) -> String {
        let pointer = reference::pointer(text).map(std::borrow::Cow::into_owned);
        let Some(pointer) = pointer else {
            return text.to_owned();
        };
        let Some(own) = self.name(&pointer, kind) else {
            return text.to_owned();
        };
        // The inside of a component is reached through it.
        match component_of(&pointer) {
            Some((whole, _)) => own + pointer.get(whole.len()..).unwrap_or_default(),
            None => own,
        }
    }

    fn typed_object(&mut self, node: &'a Node, kind: ObjectKind, depth: usize) -> Value {
        let Some(object) = node.as_object() else {
            return self.data(node);
        };
        if depth > MAX_DEPTH {
            return json!({});
        }
        let mut out = Map::new();
        for (key, value) in object.iter() {
            let text = value.as_str().filter(|_| key == "$ref");
            if let Some(text) = text {
                let own = self.reference(text, kind);
                out.insert(key.to_owned(), json!(own));
                continue;
            }
            let known = kind.field(key);
            if (known.is_none() && key.starts_with("x-") && !EXTENSIONS.contains(&key))
                || (!self.examples && matches!(key, "example" | "examples"))
            {
                continue;
            }
            let holds = known.map_or(FieldType::Data, |field| field.1);
            let holds = match known {
                None => kind.additional().unwrap_or(holds),
                Some(_) => holds,
            };
            let value = self.field_value(value, holds, kind, depth + 1);
            out.insert(key.to_owned(), value);
        }
        Value::Object(out)
    }

    fn field_value(
        &mut self,
        node: &'a Node,
        holds: FieldType,
        kind: ObjectKind,
        depth: usize,
    ) -> Value {
        if self.remaining == 0 {
            return Value::Null;
        }
        self.remaining -= 1;
        match (holds, node.as_object(), node.as_array()) {
            (FieldType::One(inner), Some(_), _) => self.typed_object(node, inner, depth),
            (FieldType::List(inner), _, Some(items)) => {
                let items = items
                    .iter()
                    .map(|item| self.typed_object(item, inner, depth));
                items.collect()
            }
            (FieldType::Map(inner), Some(object), _) => {
                let members = object.iter();
                let members = members
                    .map(|(name, node)| (name.to_owned(), self.typed_object(node, inner, depth)));
                Value::Object(members.collect())
            }
            (FieldType::TextMap, Some(object), _) if kind == ObjectKind::Discriminator => {
                self.mapping(object)
            }
            _ => self.data(node),
        }
    }

    fn mapping(&mut self, object: &'a Object) -> Value {
        let members = object.iter().map(|(value, target)| {
            let text = target.as_str().unwrap_or_default();
            let own = match text.starts_with('#') {
                true => self.reference(text, ObjectKind::Schema),
                false => text.to_owned(),
            };
            (value.to_owned(), json!(own))
        });
        Value::Object(members.collect())
    }

    fn data(&self, node: &Node) -> Value {
        node.to_json()
    }
}

/// The component at or above a pointer, and its kind.
fn component_of(pointer: &str) -> Option<(&str, ObjectKind)> {
    let rest = pointer.strip_prefix("/components/")?;
    let (section, rest) = rest.split_once('/')?;
    let Some((_, FieldType::Map(kind), _)) = ObjectKind::Components.field(section) else {
        return None;
    };
    let name = rest.split('/').next()?;
    let end = "/components/".len() + section.len() + 1 + name.len();
    Some((pointer.get(..end)?, *kind))
}

fn local(section: &str, name: &str) -> String {
    let name = svc_data::escape_pointer(name)
        .replace('%', "%25")
        .replace(' ', "%20");
    format!("#/components/{section}/{name}")
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;
    use crate::tests::document;

    const TEXT: &str = r##"{"openapi": "3.1.0", "info": {"title": "T", "version": "1", "x-noise": 1},
        "servers": [{"url": "https://a.test"}], "security": [{"key": []}],
        "paths": {
          "/tasks/{id}": {"parameters": [{"$ref": "#/components/parameters/id"}],
            "get": {"summary": "Get", "description": "Long.", "x-readme": {"code": []}, "tags": ["t"],
              "responses": {"200": {"description": "ok", "headers": {"x-rate": {"schema": {"type": "integer"}}},
                "content": {"application/json": {"example": {"x-own": 1, "$ref": "data"}, "schema": {"$ref": "#/components/schemas/Task"}}}}}},
            "post": {"security": [], "responses": {"200": {"$ref": "#/paths/~1tasks~1{id}/get/responses/200"}}}}},
        "webhooks": {"done": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Task"}}}}}}},
        "components": {
          "parameters": {"id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}},
          "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "other": {"type": "http", "scheme": "basic"}},
          "schemas": {
            "Task": {"x-internal-name": "T", "properties": {"x-shown": {"type": "string"}, "parent": {"$ref": "#/components/schemas/Task"},
              "owner": {"$ref": "#/components/schemas/User/properties/id"}}},
            "User": {"properties": {"id": {"type": "integer"}}},
            "Unused": {"type": "string"}}}}"##;

    #[test]
    fn an_excerpt_is_a_complete_document() {
        let all = document(TEXT);
        let get = excerpt(&all, all.operation("get", "/tasks/{id}").unwrap(), 100_000).unwrap();
        let text = get.to_string();
        let file = SourceFile::new("a.json", text.clone());
        let reparsed = crate::parse(&file);
        assert!(
            reparsed.diagnostics.is_empty(),
            "{:?}",
            reparsed.diagnostics
        );
        let reparsed = reparsed.value.unwrap();
        let own = reparsed.operation("get", "/tasks/{id}").unwrap();
        assert_eq!(own.parameters[0].name, "id");
        assert_eq!(reparsed.servers[0].url, "https://a.test");
        assert_eq!(own.security, [["key"]]);
        assert_eq!(
            get["components"]["securitySchemes"]
                .as_object()
                .unwrap()
                .len(),
            1
        );
        assert!(get.pointer("/components/schemas/User").is_some());
        for absent in [
            "Unused",
            "x-readme",
            "x-noise",
            "x-internal-name",
            "Long.",
            "post",
        ] {
            assert!(!text.contains(absent), "{absent}");
        }
        assert!(text.contains("x-shown") && text.contains("x-rate") && text.contains("x-own"));
    }

    #[test]
    fn references_into_other_paths_become_components() {
        let all = document(TEXT);
        let post = excerpt(&all, all.operation("post", "/tasks/{id}").unwrap(), 100_000).unwrap();
        let at = post
            .pointer("/paths/~1tasks~1{id}/post/responses/200/$ref")
            .unwrap();
        assert_eq!(at, "#/components/responses/200");
        assert!(post.pointer("/components/responses/200/content").is_some());
        assert!(post.get("security").is_none());
        assert!(post.pointer("/components/securitySchemes").is_none());
        let hook = excerpt(&all, all.webhook("done").unwrap(), 100_000).unwrap();
        assert!(hook.pointer("/webhooks/done/post").is_some());
        assert!(hook.get("security").is_none());
        let task = schema_excerpt(&all, "Task", 100_000).unwrap();
        assert!(task.pointer("/components/schemas/User").is_some());
        assert!(
            task.pointer("/components/schemas/Task/properties/parent")
                .is_some()
        );
    }

    #[test]
    fn an_excerpt_is_cut_to_its_size() {
        let all = document(TEXT);
        let operation = all.operation("get", "/tasks/{id}").unwrap();
        let whole = excerpt(&all, operation, 100_000).unwrap();
        let short = excerpt(&all, operation, length(&whole) - 10).unwrap();
        assert!(!short.to_string().contains("x-own"), "examples go first");
        let tight = excerpt(&all, operation, 600).unwrap();
        let task = tight.pointer("/components/schemas/Task").unwrap();
        assert_eq!(task["description"], OMITTED);
        assert!(tight.pointer("/components/schemas/User").is_none());
        assert!(tight.pointer("/components/parameters/id").is_some());
        assert!(excerpt(&all, operation, 50).is_none());
    }
}
