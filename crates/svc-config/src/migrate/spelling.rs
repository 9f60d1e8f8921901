//! Names that are spelled otherwise: the text changes there and nowhere else.

use std::collections::BTreeMap;

use svc_data::{Node, Value};
use svc_diagnostics::{Diagnostic, SourceFile, Span};

use super::DUPLICATE_SPELLING;
use crate::{
    SCHEMA_URL, aliases,
    tree::{self, Tree},
};

/// The schemas of the reference; they refuse our name of the first theme.
const SCHEMAS: &[&str] = &[
    "https://mintlify.com/docs.json",
    "https://mintlify.com/schema.json",
];

/// Ranges of the text and what stands there instead.
type Edits = BTreeMap<u32, (Span, String)>;

/// `docs.json`: the theme and the schema.
pub(super) fn config(file: &SourceFile, root: &Node) -> String {
    let mut edits = Edits::new();
    let mut replace = |node: &Node, word: &str| {
        let text = serde_json::Value::from(word).to_string();
        edits.insert(node.span.start, (node.span, text));
    };
    if let Some(theme) = root.get("theme")
        && theme.as_str() == Some(aliases::THEME.old)
    {
        replace(theme, aliases::THEME.new);
    }
    if let Some(schema) = root.get("$schema")
        && schema.as_str().is_some_and(is_old_schema)
    {
        replace(schema, SCHEMA_URL);
    }
    apply(file.text(), &edits)
}

/// The converted document with our schema in place of the reference's.
pub(super) fn schema(mut new: Tree) -> Tree {
    if let tree::Value::Object(map) = &mut new.value
        && let Some(member) = map.get_mut("$schema")
        && member.value.as_str().is_some_and(is_old_schema)
    {
        member.value = Tree::string(member.value.span, SCHEMA_URL);
    }
    new
}

fn is_old_schema(address: &str) -> bool {
    SCHEMAS.contains(&address.trim())
}

/// OpenAPI documents: the extension key, wherever it stands.
pub(super) fn extensions(
    file: &SourceFile,
    root: &Node,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let mut edits = Edits::new();
    // Aliases of YAML lead to one place again and again; it is visited once.
    find(file, root, &mut edits, diagnostics);
    apply(file.text(), &edits)
}

fn find(file: &SourceFile, node: &Node, edits: &mut Edits, diagnostics: &mut Vec<Diagnostic>) {
    match &node.value {
        Value::Object(object) => {
            for (key, member) in object.members() {
                if key == aliases::EXTENSION.old {
                    rename(file, object, member.key_span, edits, diagnostics);
                }
                find(file, &member.value, edits, diagnostics);
            }
        }
        Value::Array(items) => {
            for item in items {
                find(file, item, edits, diagnostics);
            }
        }
        _ => {}
    }
}

fn rename(
    file: &SourceFile,
    object: &svc_data::Object,
    span: Span,
    edits: &mut Edits,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (old, new) = (aliases::EXTENSION.old, aliases::EXTENSION.new);
    if edits.contains_key(&span.start) {
        return;
    }
    if object.get(new).is_some() {
        let found = Diagnostic::new(
            &DUPLICATE_SPELLING,
            format!("`{old}` stands beside `{new}`"),
        )
        .at(file.location(span))
        .hint(format!("merge them; `{old}` is left as it is"));
        if !diagnostics.contains(&found) {
            diagnostics.push(found);
        }
        return;
    }
    let written = file.slice(span);
    // A key that is written with escapes stays.
    if written.trim_matches(['"', '\'']) == old {
        edits.insert(span.start, (span, written.replace(old, new)));
    }
}

fn apply(text: &str, edits: &Edits) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (span, new) in edits.values() {
        let range = span.range();
        let (Some(between), Some(_)) = (text.get(done..range.start), text.get(range.clone()))
        else {
            continue;
        };
        out.push_str(between);
        out.push_str(new);
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}
