//! Keys and values of `docs.json`.

use lsp_types::CompletionItemKind;
use svc_data::{Limits, Node, Value, parse_json};
use svc_diagnostics::SourceFile;

use super::list::{Candidate, Candidates, escape_stops};
use crate::cursor::Step;
use crate::schema::Declaration;
use crate::view::FileKind;

/// Adds the keys that are allowed in an object and that it does not have.
pub(crate) fn keys(candidates: &mut Candidates<'_>, steps: &[Step]) {
    if !matches!(candidates.view.kind, FileKind::Config(_)) {
        return;
    }
    let present = keys_around(candidates);
    let declaration = Declaration::at(steps);
    for (key, schema) in declaration.keys() {
        let is_current = candidates.quoted && key == candidates.text;
        if present.iter().any(|other| other == key) && !is_current {
            continue;
        }
        let mut path = steps.to_vec();
        path.push(Step::Key(key.to_owned()));
        let value = Declaration::at(&path);
        // Quotes, and a colon with the start of the value, unless they are there.
        let snippet = (!candidates.quoted).then(|| {
            let key = escape_stops(&serde_json::Value::String(key.to_owned()).to_string());
            match candidates.after.trim_start().starts_with(':') {
                true => key,
                false => format!("{key}: {}", start_of_value(&value)),
            }
        });
        candidates.add(Candidate {
            detail: Some(value.types().join(" or ")),
            about: Some(value.describe(key)),
            snippet,
            deprecated: schema.get("deprecated") == Some(&serde_json::Value::Bool(true)),
            ..Candidate::new(key, CompletionItemKind::PROPERTY)
        });
    }
}

fn start_of_value(declaration: &Declaration) -> &'static str {
    match declaration.types().first().copied() {
        Some("string") => "\"$1\"",
        Some("array") => "[$1]",
        Some("object") => "{ $1 \\}",
        _ => "$1",
    }
}

/// The keys of the innermost object around the cursor.
fn keys_around(candidates: &Candidates<'_>) -> Vec<String> {
    let text = candidates.view.text;
    let offset = text.len() - candidates.after.len();
    let file = SourceFile::new("docs.json", text);
    let root = parse_json(&file, &Limits::default()).value;
    let mut object: Option<&Node> = None;
    let mut next = Some(&root);
    while let Some(node) = next {
        if matches!(node.value, Value::Object(_)) {
            object = Some(node);
        }
        let contains = |child: &&Node| {
            let range = child.span.range();
            range.start < offset && offset <= range.end
        };
        next = match &node.value {
            Value::Object(object) => object.iter().map(|(_, value)| value).find(contains),
            Value::Array(items) => items.iter().find(contains),
            _ => None,
        };
    }
    let members = object.and_then(Node::as_object);
    let members = members.map(|object| object.iter().map(|(key, _)| key.to_owned()).collect());
    members.unwrap_or_default()
}

/// Adds the allowed values.
pub(crate) fn values(candidates: &mut Candidates<'_>, steps: &[Step]) {
    if !matches!(candidates.view.kind, FileKind::Config(_)) {
        return;
    }
    let declaration = Declaration::at(steps);
    for (value, deprecated) in declaration.values() {
        match value {
            serde_json::Value::String(text) => candidates.add(Candidate {
                deprecated,
                ..Candidate::new(text, CompletionItemKind::ENUM_MEMBER)
            }),
            other if !candidates.quoted => {
                let text = other.to_string();
                candidates.add(Candidate {
                    snippet: Some(text.clone()),
                    ..Candidate::new(&text, CompletionItemKind::KEYWORD)
                });
            }
            _ => {}
        }
    }
    if declaration.values().is_empty() {
        for text in declaration.examples().filter_map(serde_json::Value::as_str) {
            candidates.add(Candidate {
                detail: Some("example".to_owned()),
                ..Candidate::new(text, CompletionItemKind::VALUE)
            });
        }
    }
}
