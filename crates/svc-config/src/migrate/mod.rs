//! Migration of Mintlify files to svc names.
//!
//! The functions convert text to text. The caller shows or writes the result.

mod dropped_settings;
mod print;
mod spelling;

use svc_data::{Limits, Node, Value};
use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile};

use crate::{Document, aliases, codes::MIGRATE_REF, legacy};

/// Migrates a file to svc names. Returns the same text if it needs no change.
///
/// `mint.json` becomes the text of a `docs.json` that [`parse`](crate::parse()) reads as the same
/// site; values that keep their form keep their text. In `docs.json` the names of the theme and the
/// schema are replaced, and in any other JSON or YAML file the extension key of OpenAPI documents.
/// A file with syntax errors is returned unchanged, and its problems are reported.
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
    // Skip parsing of a large document that does not contain the old key.
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
        let old = read.value;
        references(file, &old, &mut String::new(), &mut diagnostics);
        let new = legacy::convert(old.clone());
        dropped_settings::report(file, &old, &new, &mut diagnostics);
        print::print(file.text(), &old, &spelling::schema(new))
    } else {
        let mut document = Document::read(file).value;
        // The text was read without errors above, so that all edits are possible.
        spelling::config(&mut document)
            .map_or_else(|_| untouched(), |()| document.text().to_owned())
    };
    Checked { value, diagnostics }
}

/// Reports `$ref`s: settings in other files are not moved, because only one file is available.
fn references(file: &SourceFile, tree: &Node, pointer: &mut String, into: &mut Vec<Diagnostic>) {
    let mark = pointer.len();
    match &tree.value {
        Value::Object(object) => {
            if let Some(target) = object.get("$ref").and_then(Node::as_str) {
                let diagnostic = Diagnostic::new(
                    &MIGRATE_REF,
                    format!(
                        "`$ref` to `{}` is not migrated",
                        crate::text::shorten(target)
                    ),
                )
                .at(file.location(tree.span))
                .pointer(pointer.clone())
                .hint("migrate the older settings of that file by hand");
                into.push(diagnostic);
            }
            for (key, member) in object.members() {
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
