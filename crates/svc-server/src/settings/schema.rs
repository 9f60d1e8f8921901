//! Describes the settings as a JSON Schema, which editors also use for TOML, and as plain data.

use serde_json::{Map, Value, json};

use super::server;
use super::table::{DefaultValue, KeySchema, TableSchema, ValueType};
use super::values;

/// A table of the settings for the documentation.
#[derive(Debug, Clone)]
pub struct SettingsTable {
    /// Header, such as `[projects.source]`; empty for the top-level keys.
    pub header: String,
    /// Description in Markdown.
    pub about: &'static str,
    /// Keys of the table.
    pub keys: Vec<SettingsKey>,
    /// Sentences in Markdown about keys that exclude each other; empty if there are none.
    pub rules: Vec<String>,
}

/// A key of the settings for the documentation.
#[derive(Debug, Clone)]
pub struct SettingsKey {
    /// Name of the key.
    pub name: &'static str,
    /// Name of the value type, such as `string` or `duration`.
    pub kind: &'static str,
    /// Whether the key is required.
    pub required: bool,
    /// Default value in Markdown; `None` if there is no default.
    pub default: Option<String>,
    /// Example value in TOML.
    pub example: Option<&'static str>,
    /// Description in Markdown.
    pub about: String,
}

/// All tables, in the order of the documentation.
pub fn settings_tables() -> Vec<SettingsTable> {
    server::tables().into_iter().map(describe_table).collect()
}

fn describe_table(table: &'static TableSchema) -> SettingsTable {
    let header = match table.name {
        "" => String::new(),
        "projects" => "[[projects]]".to_owned(),
        name => format!("[{name}]"),
    };
    let is_documented = |key: &&KeySchema| {
        !matches!(
            key.value_type,
            ValueType::Forbidden | ValueType::Table(_) | ValueType::Tables(_)
        )
    };
    SettingsTable {
        header,
        about: table.about,
        keys: table
            .keys
            .iter()
            .filter(is_documented)
            .map(describe_key)
            .collect(),
        rules: table
            .choices
            .iter()
            .map(|choice| {
                let keys = super::decode::list(choice.keys);
                let amount = if choice.required {
                    "exactly"
                } else {
                    "at most"
                };
                format!("Set {amount} one of {keys}.")
            })
            .collect(),
    }
}

fn describe_key(key: &'static KeySchema) -> SettingsKey {
    let mut about = key.about.to_owned();
    if !key.with.is_empty() {
        about = format!("{about} Only with `{}`.", key.with);
    }
    SettingsKey {
        name: key.name,
        kind: kind(key.value_type),
        required: key.required,
        default: match key.default {
            DefaultValue::None => None,
            DefaultValue::Boolean(value) => Some(format!("`{value}`")),
            DefaultValue::Count(value) => Some(format!("`{value}`")),
            DefaultValue::Text(text) => Some(format!("`\"{text}\"`")),
            DefaultValue::Described(text) => Some(text.to_owned()),
        },
        example: Some(key.example).filter(|example| !example.is_empty()),
        about,
    }
}

const fn kind(form: ValueType) -> &'static str {
    match form {
        ValueType::Text(_) | ValueType::Forbidden => "string",
        ValueType::Texts(_) => "list of strings",
        ValueType::Boolean => "boolean",
        ValueType::Count(..) => "number",
        ValueType::Duration(_) => "duration",
        ValueType::Size => "size",
        ValueType::Path => "path",
        ValueType::Table(_) | ValueType::Reserved => "table",
        ValueType::Tables(_) => "tables",
    }
}

/// The JSON Schema of `server.toml`.
pub fn settings_schema() -> Value {
    let mut out = Map::new();
    out.insert(
        "$schema".into(),
        "https://json-schema.org/draft/2020-12/schema".into(),
    );
    out.insert("title".into(), "Settings of an svc server".into());
    out.extend(object(&server::TABLE));
    Value::Object(out)
}

fn object(table: &TableSchema) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut needs = Map::new();
    for key in table.keys {
        properties.insert(key.name.into(), property(key));
        if !key.with.is_empty() {
            needs.insert(key.name.into(), json!([key.with]));
        }
    }
    let required = table.keys.iter().filter(|key| key.required);
    let required: Vec<&str> = required.map(|key| key.name).collect();
    let mut out = Map::new();
    out.insert("type".into(), "object".into());
    out.insert("properties".into(), properties.into());
    out.insert("required".into(), required.into());
    out.insert("additionalProperties".into(), false.into());
    if !needs.is_empty() {
        out.insert("dependentRequired".into(), needs.into());
    }
    let rules: Vec<Value> = table
        .choices
        .iter()
        .map(|choice| {
            let alternatives = choice.keys.iter().map(|key| json!({ "required": [key] }));
            let alternatives: Vec<Value> = alternatives.collect();
            if choice.required {
                return json!({ "oneOf": alternatives });
            }
            let none = json!({ "not": { "anyOf": alternatives } });
            json!({ "oneOf": alternatives.into_iter().chain([none]).collect::<Vec<_>>() })
        })
        .collect();
    if !rules.is_empty() {
        out.insert("allOf".into(), rules.into());
    }
    out
}

fn property(key: &KeySchema) -> Value {
    let text = |pattern: &str| match pattern {
        "" => json!({ "type": "string", "pattern": "\\S" }),
        pattern => json!({ "type": "string", "pattern": pattern }),
    };
    let form = match key.value_type {
        ValueType::Text(pattern) => text(pattern),
        ValueType::Texts(pattern) => {
            let least = u32::from(key.required);
            let list = json!({ "type": "array", "minItems": least, "items": text(pattern) });
            json!({ "anyOf": [text(pattern), list] })
        }
        ValueType::Boolean => json!({ "type": "boolean" }),
        ValueType::Count(least, max) => {
            json!({ "type": "integer", "minimum": least, "maximum": max })
        }
        ValueType::Duration(_) => text(values::DURATION),
        ValueType::Size => text(values::SIZE),
        ValueType::Path => text(""),
        ValueType::Table(table) => Value::Object(object(table)),
        ValueType::Tables(table) => {
            json!({ "type": "array", "minItems": 1, "items": object(table) })
        }
        ValueType::Reserved => json!({}),
        ValueType::Forbidden => return json!(false),
    };
    let mut out = Map::new();
    out.insert("description".into(), key.about.replace('`', "").into());
    if let Value::Object(form) = form {
        out.extend(form);
    }
    match key.default {
        DefaultValue::Boolean(value) => out.insert("default".into(), value.into()),
        DefaultValue::Count(value) => out.insert("default".into(), value.into()),
        DefaultValue::Text(value) => out.insert("default".into(), value.into()),
        DefaultValue::None | DefaultValue::Described(_) => None,
    };
    Value::Object(out)
}
