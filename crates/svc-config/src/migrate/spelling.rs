//! Replacement of older names; the rest of the text is preserved.

use std::collections::BTreeMap;

use svc_data::{Node, Value};
use svc_diagnostics::{Diagnostic, SourceFile, Span};

use crate::{Document, EditError, SCHEMA_URL, aliases, codes::DUPLICATE_SPELLING, tree};

/// Schema URLs of Mintlify. These schemas reject the name of the first svc theme.
const SCHEMAS: &[&str] = &[
    "https://mintlify.com/docs.json",
    "https://mintlify.com/schema.json",
];

/// `docs.json`: replaces the theme and the schema.
pub(super) fn config(document: &mut Document) -> Result<(), EditError> {
    let text = |document: &Document, pointer| {
        let node = document.get(pointer)?;
        node.as_str().map(str::to_owned)
    };
    if text(document, "/theme").as_deref() == Some(aliases::THEME.old) {
        document.set("/theme", &aliases::THEME.new.into())?;
    }
    if text(document, "/$schema").is_some_and(|url| is_old_schema(&url)) {
        document.set("/$schema", &SCHEMA_URL.into())?;
    }
    Ok(())
}

/// Replaces the Mintlify schema of a converted document by the svc schema.
pub(super) fn schema(mut new: Node) -> Node {
    if let Some(map) = new.as_map_mut()
        && let Some(member) = map.get_mut("$schema")
        && member.value.as_str().is_some_and(is_old_schema)
    {
        member.value = tree::string(member.value.span, SCHEMA_URL);
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
    // A YAML alias can refer to one node many times; it is edited once.
    let mut edits = BTreeMap::new();
    collect(file, root, &mut edits, diagnostics);
    // From the end, so that the other spans stay valid.
    let mut text = file.text().to_string();
    for span in edits.values().rev() {
        let new = file
            .slice(*span)
            .replace(aliases::EXTENSION.old, aliases::EXTENSION.new);
        text.replace_range(span.range(), &new);
    }
    text
}

/// Spans of keys by their start.
type Edits = BTreeMap<u32, Span>;

fn collect(file: &SourceFile, node: &Node, edits: &mut Edits, diagnostics: &mut Vec<Diagnostic>) {
    match &node.value {
        Value::Object(object) => {
            for (key, member) in object.members() {
                if key == aliases::EXTENSION.old {
                    rename(file, object, member.key_span, edits, diagnostics);
                }
                collect(file, &member.value, edits, diagnostics);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(file, item, edits, diagnostics);
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
    // A key that is written with escapes is not changed.
    if file.slice(span).trim_matches(['"', '\'']) == old {
        edits.insert(span.start, span);
    }
}
