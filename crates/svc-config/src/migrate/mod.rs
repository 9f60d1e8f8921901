//! Files of the reference platform in our spelling.
//!
//! Text goes in and comes out; who calls decides whether it is shown or written.

mod dropped_settings;
mod print;
mod spelling;

use svc_data::Limits;
use svc_diagnostics::{Checked, DiagnosticCode, Diagnostic, Severity, SourceFile};

use crate::{
    aliases, legacy,
    tree::{Member, FileSpan, Tree, Value},
};

/// A setting of `mint.json` that nothing stands for any more.
pub(crate) static DROPPED: DiagnosticCode = DiagnosticCode::info(
    "config-migrate-dropped",
    "a setting of mint.json has no counterpart",
);
/// `$ref` in `mint.json`.
pub(crate) static JSON_REF: DiagnosticCode = DiagnosticCode::warning(
    "config-migrate-reference",
    "a `$ref` in mint.json is not migrated",
);
/// Both spellings of one key in one object.
pub(crate) static DUPLICATE_SPELLING: DiagnosticCode = DiagnosticCode::warning(
    "config-migrate-both",
    "a key is set in its old and in its new spelling",
);

/// The text of a file in our spelling; the same text where nothing is to be done.
///
/// `mint.json` becomes the text of a `docs.json` that [`parse`](crate::parse()) reads as the same
/// site; values that keep their form keep their text. In `docs.json` the theme and the schema get
/// their names here, and in any other JSON or YAML file the extension key of OpenAPI documents. A
/// file that cannot be read completely is left alone, and its problems are listed.
///
/// ```
/// use svc_diagnostics::SourceFile;
/// let old = SourceFile::new("docs.json", r#"{ "theme": "mint", "name": "Acme" }"#);
/// assert_eq!(svc_config::migrate(&old).value, r#"{ "theme": "svc", "name": "Acme" }"#);
/// ```
pub fn migrate(file: &SourceFile) -> Checked<String> {
    let name = file.path().rsplit('/').next().unwrap_or_default();
    let untouched = || file.text().to_string();
    let extension = name != aliases::FILE.old && name != aliases::FILE.new;
    // Reading a large document only to find nothing would be a waste.
    if extension && !file.text().contains(aliases::EXTENSION.old) {
        return Checked::clean(untouched());
    }
    let limits = Limits::default();
    let read = if extension {
        svc_data::parse(file, &limits)
    } else {
        svc_data::parse_json(file, &limits)
    };
    let object = read.value.as_object().is_some();
    if read.has(Severity::Error) || !object {
        return Checked {
            value: untouched(),
            diagnostics: read.diagnostics,
        };
    }
    let mut diagnostics = Vec::new();
    let value = if extension {
        spelling::extensions(file, &read.value, &mut diagnostics)
    } else if name == aliases::FILE.old {
        let old = tree(&read.value);
        references(file, &old, &mut String::new(), &mut diagnostics);
        let new = legacy::convert(old.clone());
        dropped_settings::report(file, &old, &new, &mut diagnostics);
        print::print(file.text(), &old, &spelling::schema(new))
    } else {
        spelling::config(file, &read.value)
    };
    Checked { value, diagnostics }
}

/// The tree of a single file; `$ref` is a key like any other.
fn tree(node: &svc_data::Node) -> Tree {
    let place = FileSpan { offsets: node.span };
    let value = match &node.value {
        svc_data::Value::Null => Value::Null,
        svc_data::Value::Bool(value) => Value::Bool(*value),
        svc_data::Value::Number(number) => Value::Number(*number),
        svc_data::Value::String(text) => Value::String(text.clone()),
        svc_data::Value::Array(items) => Value::Array(items.iter().map(tree).collect()),
        svc_data::Value::Object(object) => Value::Object(
            object
                .members()
                .map(|(key, member)| {
                    let key_place = FileSpan {
                        offsets: member.key_span,
                    };
                    let value = tree(&member.value);
                    let member = Member {
                        key: key_place,
                        value,
                    };
                    (key.into(), member)
                })
                .collect(),
        ),
    };
    Tree { span: place, value }
}

/// Settings in other files are not moved: this function sees one file.
fn references(file: &SourceFile, tree: &Tree, pointer: &mut String, into: &mut Vec<Diagnostic>) {
    let mark = pointer.len();
    match &tree.value {
        Value::Object(map) => {
            if let Some(target) = map.get("$ref").and_then(|member| member.value.as_str()) {
                let found = Diagnostic::new(
                    &JSON_REF,
                    format!(
                        "`$ref` to `{}` is kept as it is",
                        crate::decode::shorten(target)
                    ),
                )
                .at(file.location(tree.span.offsets))
                .pointer(pointer.clone())
                .hint("move older settings in that file by hand");
                into.push(found);
            }
            for (key, member) in map {
                pointer.push('/');
                pointer.push_str(&svc_data::escape_pointer(key));
                references(file, &member.value, pointer, into);
                pointer.truncate(mark);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointer.push_str(&format!("/{index}"));
                references(file, item, pointer, into);
                pointer.truncate(mark);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
