//! Replacement of older names; the rest of the text is preserved.

use std::collections::BTreeMap;

use svc_data::{Node, Value};
use svc_diagnostics::{Diagnostic, SourceFile, Span};

use super::DUPLICATE_SPELLING;
use crate::{
    SCHEMA_URL, aliases,
    tree::{self, Tree},
};

/// Schema URLs of Mintlify. These schemas reject the name of the first svc theme.
const SCHEMAS: &[&str] = &[
    "https://mintlify.com/docs.json",
    "https://mintlify.com/schema.json",
];

/// Replacements by the start of their span.
type Edits = BTreeMap<u32, (Span, String)>;

/// `docs.json`: replaces the theme and the schema.
pub(super) fn config(file: &SourceFile, root: &Node) -> String {
    let mut edits = Edits::new();
    let mut replace = |node: &Node, value: &str| {
        let text = serde_json::Value::from(value).to_string();
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

/// Replaces the Mintlify schema of a converted document by the svc schema.
pub(super) fn schema(mut new: Tree) -> Tree {
    if let tree::Value::Object(map) = &mut new.value
        && let Some(member) = map.get_mut("$schema")
        && member.value.as_str().is_some_and(is_old_schema)
    {
        member.value = Tree::string(member.value.span, SCHEMA_URL);
    }
    new
}

fn is_old_schema(url: &str) -> bool {
    SCHEMAS.contains(&url.trim())
}

/// OpenAPI documents: replaces the extension key at every position.
pub(super) fn extensions(
    file: &SourceFile,
    root: &Node,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let mut edits = Edits::new();
    // A YAML alias can refer to one node many times; it is edited once.
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
        let diagnostic = Diagnostic::new(
            &DUPLICATE_SPELLING,
            format!("`{old}` and `{new}` are both set"),
        )
        .at(file.location(span))
        .hint(format!("merge them; `{old}` is not migrated"));
        if !diagnostics.contains(&diagnostic) {
            diagnostics.push(diagnostic);
        }
        return;
    }
    let written = file.slice(span);
    // A key that is written with escapes is not changed.
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
