//! The raw form of a configuration: all values as they are written, with their spans.

mod edit;
mod encoding;
mod format;
mod layout;

use svc_data::{Limits, Node, at_pointer};
use svc_diagnostics::{Checked, Location, Severity, SourceFile};

pub use edit::EditError;

/// A configuration file as it is written: its text and the tree of its values with their spans.
///
/// Values are neither checked nor filled in or left out: unknown keys and `$ref`s are retained, and
/// the text is preserved byte for byte. [`Document::text`] is the text to save. The checked form is
/// [`SiteConfig`](crate::SiteConfig), which [`parse`](crate::parse) returns.
///
/// Edits ([`set`](Self::set), [`insert`](Self::insert), [`remove`](Self::remove)) select a value by
/// its JSON pointer (RFC 6901) and change only its bytes; new text follows the layout around it.
///
/// ```
/// use svc_config::Document;
/// use svc_diagnostics::SourceFile;
/// let text = "{\n    \"name\": \"Acme\",\n    \"x-own\": [1,2]\n}\n";
/// let mut document = Document::read(&SourceFile::new("docs.json", text)).value;
/// assert_eq!(document.text(), text);
/// document.set("/name", &"Acme Cloud".into())?;
/// document.set("/interaction/drilldown", &true.into())?;
/// document.remove("/x-own/0")?;
/// assert_eq!(
///     document.text(),
///     "{\n    \"name\": \"Acme Cloud\",\n    \"x-own\": [2],\n    \"interaction\": {\n        \"drilldown\": true\n    }\n}\n"
/// );
/// # Ok::<(), svc_config::EditError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    file: SourceFile,
    root: Node,
    /// Whether the text has a syntax error or a duplicate key: spans after an error are guesses,
    /// and the tree lacks values that the text has.
    broken: bool,
}

impl Document {
    /// Reads a text. Syntax errors are reported, and the values that can be read are returned.
    /// [`Document`] has an example.
    pub fn read(file: &SourceFile) -> Checked<Self> {
        let read = svc_data::parse_json(file, &Limits::default());
        let broken = read
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity >= Severity::Error);
        Checked {
            value: Self {
                file: file.clone(),
                root: read.value,
                broken,
            },
            diagnostics: read.diagnostics,
        }
    }

    /// Reads the bytes of a file. A text in UTF-16 or in a legacy one-byte encoding is reported as
    /// an error and decoded anyway, so that its other problems are reported in the same pass.
    ///
    /// ```
    /// let read = svc_config::Document::from_bytes("docs.json", b"{}");
    /// assert_eq!((read.value.text(), read.diagnostics.len()), ("{}", 0));
    /// ```
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Checked<Self> {
        let decoded = encoding::decode(path, bytes);
        let mut diagnostics = decoded.diagnostics;
        let value = Self::read(&decoded.value).drain_into(&mut diagnostics);
        Checked { value, diagnostics }
    }

    /// The file, for example to [`parse`](crate::parse()) it.
    pub const fn file(&self) -> &SourceFile {
        &self.file
    }

    /// The text, byte for byte. [`Document`] has an example.
    pub fn text(&self) -> &str {
        self.file.text()
    }

    pub(crate) fn into_root(self) -> Node {
        self.root
    }

    /// The root of the tree of values with their spans. [`get`](Self::get) has an example.
    pub const fn root(&self) -> &Node {
        &self.root
    }

    /// The value at a JSON pointer; the empty pointer is the whole document. None if there is no
    /// such value.
    ///
    /// ```
    /// use svc_config::{Document, SourceFile};
    /// let document = Document::read(&SourceFile::new("docs.json", r#"{ "name": "Acme" }"#)).value;
    /// assert_eq!(document.get(""), Some(document.root()));
    /// assert_eq!(document.get("/name").and_then(|node| node.as_str()), Some("Acme"));
    /// assert_eq!(document.location("/name").map(|at| at.start.column), Some(11));
    /// ```
    pub fn get(&self, pointer: &str) -> Option<&Node> {
        at_pointer(&self.root, pointer)
    }

    /// The location of the value at a JSON pointer. None if there is no such value.
    /// [`get`](Self::get) has an example.
    pub fn location(&self, pointer: &str) -> Option<Location> {
        Some(self.file.location(self.get(pointer)?.span))
    }
}

#[cfg(test)]
mod tests;
