//! Generation of the JSON Schema from the tables.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    object::{members, object_schema},
    services,
};
use crate::{
    keys::{
        patterns,
        shape::{Definition, Object, Pattern, Property, Shape, ShapeFn},
    },
    navigation::tables,
};

/// The schema of a `$ref` in place of a value.
fn reference() -> Value {
    json!({ "$ref": "#/$defs/reference" })
}

/// Writes the schemas of shapes and collects the definitions.
pub(super) struct Writer {
    pub(super) definitions: BTreeMap<&'static str, Value>,
}

impl Writer {
    pub(super) fn new() -> Self {
        let reference = json!({
            "description": "The value is in another file; keys beside `$ref` override those of its object.",
            "type": "object",
            "required": ["$ref"],
            "properties": { "$ref": { "type": "string" } },
        });
        let elsewhere = json!({
            "description": "The entry is in another file or repository.",
            "anyOf": [
                { "$ref": "#/$defs/reference" },
                { "type": "object", "required": ["sourceRef"] },
            ],
        });
        let path = json!({
            "description": "Path of a file that holds the value, relative to this file.",
            "examples": ["./navigation.json"],
        });
        let mut definitions = BTreeMap::from([
            ("elsewhere", elsewhere),
            ("path", path),
            ("reference", reference),
        ]);
        for kind in ["string", "boolean", "number"] {
            let options = json!([{ "type": kind }, { "$ref": "#/$defs/reference" }]);
            definitions.insert(kind, json!({ "anyOf": options }));
        }
        definitions.extend(tables::rules());
        Self { definitions }
    }

    /// The schema of an object as members, so that titles can be put before them.
    pub(super) fn object(&mut self, object: &Object) -> Map<String, Value> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for property in object.properties() {
            properties.insert(property.name.to_owned(), self.property(property));
            if property.required {
                required.push(property.name);
            }
        }
        object_schema(
            properties,
            &required,
            &object.rules,
            object.allows_source_ref,
            object.strict,
        )
    }

    fn property(&mut self, property: &Property) -> Value {
        let mut out = Map::new();
        let mut about = property.description.clone();
        if !property.rule.is_empty() {
            about = format!("{about} {}", property.rule);
        }
        let plain = about.replace('`', "");
        let marked = about != plain;
        out.insert("description".to_owned(), plain.into());
        if marked {
            out.insert("markdownDescription".to_owned(), about.into());
        }
        if !property.deprecated.is_empty() {
            deprecate(&mut out, property.deprecated);
        }
        out.extend(self.value(&property.shape));
        if let Ok(default) = serde_json::from_str::<Value>(&property.default) {
            out.insert("default".to_owned(), default);
        }
        if let Ok(example) = serde_json::from_str::<Value>(property.example) {
            out.insert("examples".to_owned(), json!([example]));
        }
        Value::Object(out)
    }

    /// The schema of a value, which can be a `$ref` instead.
    fn value(&mut self, shape: &Shape) -> Map<String, Value> {
        let shape_itself = self.shape(shape);
        if takes_references(shape) {
            return shape_itself;
        }
        let mut options = match shape_itself.get("anyOf") {
            Some(Value::Array(options)) if shape_itself.len() == 1 => options.clone(),
            _ => vec![Value::Object(shape_itself)],
        };
        options.push(reference());
        members([("anyOf", options.into())])
    }

    fn shape(&mut self, shape: &Shape) -> Map<String, Value> {
        match shape {
            Shape::Anything => Map::new(),
            Shape::Text => definition("string"),
            Shape::NonEmpty => self.pattern(&patterns::NON_EMPTY),
            Shape::Pattern(pattern) => self.pattern(pattern),
            Shape::Boolean => definition("boolean"),
            Shape::Number => definition("number"),
            Shape::Scalar => members([("type", json!(["number", "boolean", "null"]))]),
            Shape::OneOf(values) => members([("enum", json!(values))]),
            Shape::Suggested(values) => members([(
                "anyOf",
                json!([{ "enum": values }, self.pattern(&patterns::NON_EMPTY)]),
            )]),
            Shape::CaseInsensitive(values) => {
                let spellings: Vec<String> = values
                    .iter()
                    .map(|value| patterns::any_case(value))
                    .collect();
                let spellings = format!(r"^\s*(?:{})\s*$", spellings.join("|"));
                members([(
                    "anyOf",
                    json!([{ "enum": values }, { "type": "string", "pattern": spellings }]),
                )])
            }
            Shape::List(list) => {
                let mut out = members([
                    ("type", "array".into()),
                    ("items", Value::Object(self.value(&list.item))),
                ]);
                if list.min > 0 {
                    out.insert("minItems".to_owned(), list.min.into());
                }
                if let Some(max) = list.max {
                    out.insert("maxItems".to_owned(), max.into());
                }
                if list.unique {
                    out.insert("uniqueItems".to_owned(), true.into());
                }
                out
            }
            Shape::Object(object) => self.object(object),
            Shape::Map(map) => {
                let mut out = members([
                    ("type", "object".into()),
                    (
                        "additionalProperties",
                        Value::Object(self.value(&map.value)),
                    ),
                ]);
                if let Some(names) = map.names {
                    out.insert("propertyNames".to_owned(), json!({ "pattern": names }));
                }
                out
            }
            Shape::Any(shapes) => {
                let options: Vec<Value> = shapes
                    .iter()
                    .map(|shape| Value::Object(self.shape(shape)))
                    .collect();
                members([("anyOf", options.into())])
            }
            Shape::Deprecated(shape, instead) => {
                let mut out = self.shape(shape);
                deprecate(&mut out, instead);
                out
            }
            Shape::Definition(shared, shape) => self.definition_ref(*shared, shape),
            Shape::Services => {
                let properties = services::properties();
                object_schema(properties, &[], &[], false, false)
            }
        }
    }

    /// A pattern, as a definition below `$defs`.
    fn pattern(&mut self, pattern: &Pattern) -> Map<String, Value> {
        self.definitions.entry(pattern.id).or_insert_with(|| {
            let text = json!({
                "type": "string",
                "pattern": (pattern.regex)(),
                "patternErrorMessage": pattern.hint.replace('`', ""),
            });
            json!({ "anyOf": [text, reference()] })
        });
        definition(pattern.id)
    }

    fn definition_ref(&mut self, shared: Definition, shape: &ShapeFn) -> Map<String, Value> {
        if !self.definitions.contains_key(shared.name) {
            // Elements refer to each other: the name must be reserved before the content is
            // written.
            self.definitions.insert(shared.name, Value::Null);
            let mut out = Map::new();
            if !shared.description.is_empty() {
                out.insert(
                    "description".to_owned(),
                    shared.description.replace('`', "").into(),
                );
            }
            out.extend(self.shape(&shape.0()));
            self.definitions.insert(shared.name, Value::Object(out));
        }
        definition(shared.name)
    }
}

/// Whether the schema of a shape already allows `$ref`.
fn takes_references(shape: &Shape) -> bool {
    match shape {
        Shape::Anything | Shape::Object(_) | Shape::Map(_) | Shape::Services => true,
        // Their definitions already allow it.
        Shape::Text | Shape::NonEmpty | Shape::Pattern(_) | Shape::Boolean | Shape::Number => true,
        Shape::Any(shapes) => shapes.iter().any(takes_references),
        Shape::Definition(_, shape) => takes_references(&shape.0()),
        _ => false,
    }
}

/// A reference to a definition below `$defs`.
fn definition(name: &str) -> Map<String, Value> {
    members([("$ref", format!("#/$defs/{name}").into())])
}

fn deprecate(out: &mut Map<String, Value>, instead: &str) {
    out.insert("deprecated".to_owned(), true.into());
    out.insert(
        "deprecationMessage".to_owned(),
        instead.replace('`', "").into(),
    );
}
