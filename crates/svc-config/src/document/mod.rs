//! The raw form of a configuration: what is written, with the place of every value.

mod edit;
mod encoding;
mod layout;

use svc_data::{Limits, Node, at_pointer};
use svc_diagnostics::{Checked, Location, Severity, SourceFile};

pub use edit::EditError;

/// A configuration file as it is written: the text and the tree of its values with their places.
///
/// Nothing is checked, filled in or left out here: unknown keys and `$ref`s stay, and the text is
/// kept to the last byte. [`Document::text`] is what to save. The checked form is
/// [`SiteConfig`](crate::SiteConfig), which [`parse`](crate::parse) gives.
///
/// Edits ([`set`](Self::set), [`insert`](Self::insert), [`remove`](Self::remove)) name a value by
/// its JSON pointer and change only its bytes; what is new follows the layout around it.
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
    /// Whether the text breaks the grammar, so that places after the break are guesses, or holds
    /// values that the tree does not.
    broken: bool,
}

impl Document {
    /// Reads a text. What breaks the grammar of JSON is reported; the rest is there.
    pub fn read(file: &SourceFile) -> Checked<Self> {
        let read = svc_data::parse_json(file, &Limits::default());
        let broken = read
            .diagnostics
            .iter()
            .any(|found| found.severity >= Severity::Error);
        Checked {
            value: Self {
                file: file.clone(),
                root: read.value,
                broken,
            },
            diagnostics: read.diagnostics,
        }
    }

    /// Reads the bytes of a file. A text in UTF-16 or in an old one-byte encoding is reported as an
    /// error and read all the same, so that its other problems are found in the same pass.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Checked<Self> {
        let decoded = encoding::decode(path, bytes);
        let mut diagnostics = decoded.diagnostics;
        let value = Self::read(&decoded.value).drain_into(&mut diagnostics);
        Checked { value, diagnostics }
    }

    /// The file.
    pub const fn file(&self) -> &SourceFile {
        &self.file
    }

    /// The text, to the last byte: what to save.
    pub fn text(&self) -> &str {
        self.file.text()
    }

    pub(crate) fn into_root(self) -> Node {
        self.root
    }

    /// All values with their places.
    pub const fn root(&self) -> &Node {
        &self.root
    }

    /// The value that a JSON pointer names; the empty pointer is the whole document.
    pub fn get(&self, pointer: &str) -> Option<&Node> {
        at_pointer(&self.root, pointer)
    }

    /// Where the value that a JSON pointer names is written.
    pub fn location(&self, pointer: &str) -> Option<Location> {
        Some(self.file.location(self.get(pointer)?.span))
    }
}

#[cfg(test)]
mod tests;
