//! Open documents: what the client shows, which may not be saved.

use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::position::{Encoding, LineIndex};

/// Maximum size of an open document in bytes. It is the limit for files of a site, too.
const MAX_DOCUMENT_BYTES: usize = 32 << 20;

/// A document that a client has opened.
#[derive(Debug)]
pub(crate) struct Document {
    /// The URI as the client writes it.
    pub(crate) uri: Uri,
    /// Version of the client.
    pub(crate) version: i32,
    /// Current text; empty if the document is too large.
    pub(crate) text: Arc<str>,
    /// Whether the text exceeds the limit, so that the document is not part of the site.
    pub(crate) is_too_large: bool,
    /// Whether the file is part of the site although it may not be saved yet.
    pub(crate) is_part: bool,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String) -> Self {
        let mut document = Self {
            uri,
            version,
            text: Arc::default(),
            is_too_large: false,
            is_part: true,
        };
        document.set(text);
        document
    }

    fn set(&mut self, text: String) {
        self.is_too_large = text.len() > MAX_DOCUMENT_BYTES;
        self.text = match self.is_too_large {
            true => Arc::default(),
            false => text.into(),
        };
    }

    /// Applies changes in order. A change without a range replaces the text. A document that is too
    /// large stays empty until its whole text is replaced.
    pub(crate) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            let Some(range) = change.range else {
                self.set(change.text);
                continue;
            };
            if self.is_too_large {
                continue;
            }
            let index = LineIndex::new(&self.text, encoding);
            let (start, end) = (index.offset(range.start), index.offset(range.end));
            let (start, end) = (start.min(end), start.max(end));
            let before = self.text.get(..start).unwrap_or_default();
            let after = self.text.get(end..).unwrap_or_default();
            let text = [before, &change.text, after].concat();
            self.set(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use lsp_types::{Position, Range};

    use super::*;

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent {
            range: Some(Range::new(
                Position::new(from.0, from.1),
                Position::new(to.0, to.1),
            )),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn changes_are_applied_in_order() {
        let uri = Uri::from_str("file:///a.mdx").expect("a URI");
        let mut document = Document::new(uri, 1, "one 😀\r\ntwo\r\n".to_owned());
        let changes = vec![
            change((0, 4), (0, 6), "smile"),
            change((1, 0), (1, 3), "2"),
            // Ranges from the end to the start, and out of bounds.
            change((0, 3), (0, 0), "1"),
            change((9, 9), (99, 99), "end"),
        ];
        document.change(2, changes, Encoding::Utf16);
        assert_eq!(&*document.text, "1 smile\r\n2\r\nend");
        assert_eq!(document.version, 2);
    }
}
