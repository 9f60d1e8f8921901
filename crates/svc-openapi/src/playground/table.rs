//! The schemas of an operation as table rows.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Number, Value};
use svc_data::Node;

use super::text;
use crate::view::{Choice, FileKind, Level, Levels, Seeds};
use crate::{ApiDocument, Direction};

/// Maximum number of rows; further schemas use the first row.
const MAX_ROWS: usize = 1_500;
/// Maximum number of properties of a row, and of values of an `enum`.
const MAX_MEMBERS: usize = 400;
/// Maximum size in bytes of a single value (`default`, `example`, a value of `enum`).
const MAX_VALUE_BYTES: usize = 4_000;

/// The rows, and the schemas that have none yet.
pub(super) struct SchemaTable<'a> {
    levels: Levels<'a>,
    known: HashMap<Vec<usize>, usize>,
    open: VecDeque<(usize, Seeds<'a>)>,
    rows: Vec<Value>,
    /// Remaining bytes.
    remaining: usize,
}

impl<'a> SchemaTable<'a> {
    pub(super) fn new(document: &'a ApiDocument, bytes: usize) -> Self {
        Self {
            levels: Levels::new(document, Direction::Request),
            known: HashMap::new(),
            open: VecDeque::new(),
            rows: vec![Value::Object(Map::new())],
            remaining: bytes,
        }
    }

    pub(super) fn get(&self, row: usize) -> Option<&Value> {
        self.rows.get(row)
    }

    pub(super) fn into_rows(self) -> Vec<Value> {
        self.rows
    }

    /// The row of a schema: its existing one, or a new one.
    pub(super) fn row(&mut self, seeds: &[&'a Node]) -> usize {
        let resolved = self.levels.resolved(seeds);
        // Nodes live as long as the document, so their addresses are identities. The order does not
        // depend on them.
        let key: Vec<usize> = resolved
            .iter()
            .map(|node| std::ptr::from_ref::<Node>(node).addr())
            .collect();
        let is_constrained =
            |node: &&Node| node.as_object().is_none_or(|object| !object.is_empty());
        if !resolved.iter().any(is_constrained)
            || (self.rows.len() >= MAX_ROWS && !self.known.contains_key(&key))
        {
            return 0;
        }
        let next = self.rows.len();
        let row = *self.known.entry(key).or_insert(next);
        if row == next {
            self.rows.push(Value::Object(Map::new()));
            self.open.push_back((row, seeds.to_vec()));
        }
        row
    }

    /// A row for the content of a file.
    pub(super) fn file(&mut self) -> usize {
        if self.rows.len() >= MAX_ROWS {
            return 0;
        }
        self.rows
            .push(serde_json::json!({"type": ["string"], "file": "binary"}));
        self.rows.len() - 1
    }

    /// Writes all rows, outer ones first.
    pub(super) fn fill(&mut self) {
        while let Some((row, seeds)) = self.open.pop_front() {
            let level = self.levels.level(&seeds);
            let mut own = own_keywords(&level);
            let size = Value::Object(own.clone()).to_string().len();
            let names: usize = level
                .properties
                .iter()
                .take(MAX_MEMBERS)
                .map(|(name, _)| name.len() + 12)
                .sum();
            let choices = level.choices.iter().flatten().take(MAX_MEMBERS).count() * 48;
            match self.remaining.checked_sub(size + names + choices) {
                Some(left) => {
                    self.remaining = left;
                    self.subschemas(level, &mut own);
                }
                None => {
                    own.retain(|key, _| matches!(key.as_str(), "type" | "nullable" | "file"));
                    own.insert("cut".into(), true.into());
                }
            }
            if let Some(slot) = self.rows.get_mut(row) {
                *slot = Value::Object(own);
            }
        }
    }

    /// The subschemas of a row as row numbers.
    fn subschemas(&mut self, level: Level<'a>, out: &mut Map<String, Value>) {
        if !level.properties.is_empty() {
            let rows = level.properties.iter().take(MAX_MEMBERS);
            let rows = rows.map(|(name, seeds)| ((*name).to_owned(), self.row(seeds).into()));
            let rows: Map<String, Value> = rows.collect();
            out.insert("properties".into(), rows.into());
        }
        if !level.items.is_empty() {
            out.insert("items".into(), self.row(&level.items).into());
        }
        if !level.prefix_items.is_empty() {
            let rows = level.prefix_items.iter().map(|seeds| self.row(seeds));
            let rows: Vec<usize> = rows.collect();
            out.insert("prefixItems".into(), rows.into());
        }
        if !level.additional.is_empty() {
            out.insert("additional".into(), self.row(&level.additional).into());
        } else if level.view.additional_allowed == Some(false) {
            out.insert("additional".into(), false.into());
        }
        let mut sets = level.choices.into_iter().map(|set| {
            let set = set.into_iter().take(MAX_MEMBERS);
            set.map(|choice| self.variant(choice)).collect::<Value>()
        });
        let first = sets.next();
        let further: Vec<Value> = sets.take(8).collect();
        if let Some(first) = first {
            out.insert("variants".into(), first);
        }
        if !further.is_empty() {
            out.insert("further".into(), further.into());
        }
    }

    fn variant(&mut self, choice: Choice<'a>) -> Value {
        let mut out = Map::new();
        out.insert("title".into(), text::short(&choice.title, 200).into());
        out.insert("schema".into(), self.row(&[choice.schema]).into());
        if let Some(value) = choice.value {
            out.insert("value".into(), value.into());
        }
        Value::Object(out)
    }
}

/// The keywords of a schema without its subschemas.
fn own_keywords(level: &Level<'_>) -> Map<String, Value> {
    let view = &level.view;
    let mut out = Map::new();
    let mut set = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    if !level.types.is_empty() {
        set("type", level.types.clone().into());
    }
    let texts = [
        ("name", &view.ref_name, 200),
        ("title", &view.title, 200),
        ("format", &view.format, 100),
        ("discriminator", &view.discriminator, 200),
    ];
    for (key, text, limit) in texts {
        if let Some(text) = text {
            set(key, text::short(text, limit).into());
        }
    }
    let description = text::plain(view.description.as_deref(), 400);
    if !description.is_empty() {
        set("description", description.into());
    }
    let flags = [
        ("nullable", view.nullable),
        ("readOnly", view.read_only),
        ("writeOnly", view.write_only),
        ("deprecated", view.deprecated),
    ];
    for (key, _) in flags.iter().filter(|(_, is)| *is) {
        set(key, true.into());
    }
    match level.file {
        Some(FileKind::Binary) => set("file", "binary".into()),
        Some(FileKind::Base64) => set("file", "base64".into()),
        None => {}
    }
    if let Some(media) = &view.media_type {
        set("mediaType", text::short(media, 200).into());
    }
    if view.constant.is_none() && !view.enum_values.is_empty() {
        let values = view.enum_values.iter().take(MAX_MEMBERS);
        set(
            "enum",
            values.filter(|value| fits(value)).cloned().collect(),
        );
    }
    let values = [
        ("const", &view.constant),
        ("default", &view.default),
        ("prefill", &view.prefill),
        ("example", &view.example),
    ];
    for (key, value) in values {
        if let Some(value) = value.as_ref().filter(|value| fits(value)) {
            set(key, value.clone());
        }
    }
    let mut patterns: Vec<&str> = Vec::new();
    for constraint in &view.constraints {
        match constraint.keyword {
            "pattern" => patterns.push(&constraint.value),
            "uniqueItems" => set("uniqueItems", true.into()),
            keyword => {
                let number: Option<Number> = serde_json::from_str(&constraint.value).ok();
                let float = || constraint.value.parse().ok().and_then(Number::from_f64);
                if let Some(number) = number.or_else(float) {
                    set(keyword, Value::Number(number));
                }
            }
        }
    }
    if let Some(first) = patterns.first() {
        set("pattern", (*first).into());
    }
    if patterns.len() > 1 {
        set("patterns", patterns.into());
    }
    if !view.required.is_empty() {
        let names = view.required.iter().take(MAX_MEMBERS);
        set("required", names.map(String::as_str).collect());
    }
    let mut xml = Map::new();
    for key in ["name", "prefix", "namespace"] {
        if let Some(text) = level.xml(key).and_then(Node::as_str) {
            xml.insert(key.into(), text::short(text, 500).into());
        }
    }
    for key in ["attribute", "wrapped"] {
        if level.xml(key).and_then(Node::as_bool) == Some(true) {
            xml.insert(key.into(), true.into());
        }
    }
    if !xml.is_empty() {
        set("xml", xml.into());
    }
    out
}

fn fits(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= MAX_VALUE_BYTES,
        Value::Array(_) | Value::Object(_) => value.to_string().len() <= MAX_VALUE_BYTES,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}
