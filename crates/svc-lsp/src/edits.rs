//! Changes of texts as values of the protocol.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use lsp_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    RenameFile, ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use similar::TextDiff;

use crate::client::Client;
use crate::position::LineIndex;
use crate::project::Project;
use crate::uri::uri_of;
use crate::workspace::Workspace;

/// Replacements of ranges of bytes, which do not overlap.
pub(crate) type Replacements = Vec<(Range<usize>, String)>;

/// The edits of files of a site. `None` if a file has no URI or no text.
pub(crate) fn document_edits(
    workspace: &Workspace,
    project: &Project,
    files: BTreeMap<&str, Replacements>,
) -> Option<Vec<TextDocumentEdit>> {
    let documents = files.into_iter().map(|(file, replacements)| {
        let path = project.absolute(file);
        let document = workspace.documents.get(&path);
        let text = document.map(|document| &*document.text);
        let text = text.or_else(|| project.site.text_of(file))?;
        let index = LineIndex::new(text, workspace.client.encoding);
        let edits = replacements.into_iter().map(|(range, new_text)| TextEdit {
            range: index.range(range),
            new_text,
        });
        let uri = document.map(|document| document.uri.clone());
        let uri = uri.or_else(|| uri_of(&path))?;
        let version = document.map(|document| document.version);
        Some(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
            edits: edits.map(OneOf::Left).collect(),
        })
    });
    documents.collect()
}

/// Edits of documents and the rename of a file that follows, as the client supports them.
pub(crate) fn workspace_edit(
    client: Client,
    documents: Vec<TextDocumentEdit>,
    rename: Option<RenameFile>,
) -> WorkspaceEdit {
    let changes = match rename {
        None if !client.has_document_changes => {
            #[expect(
                clippy::mutable_key_type,
                reason = "the type of the protocol; nothing changes the URIs"
            )]
            let changes: HashMap<Uri, Vec<TextEdit>> = documents
                .into_iter()
                .map(|document| {
                    let edits = document.edits.into_iter().map(|edit| match edit {
                        OneOf::Left(edit) => edit,
                        OneOf::Right(annotated) => annotated.text_edit,
                    });
                    (document.text_document.uri, edits.collect())
                })
                .collect();
            return WorkspaceEdit::new(changes);
        }
        None => DocumentChanges::Edits(documents),
        Some(rename) => {
            let edits = documents.into_iter().map(DocumentChangeOperation::Edit);
            let rename = DocumentChangeOperation::Op(ResourceOp::Rename(rename));
            DocumentChanges::Operations(edits.chain([rename]).collect())
        }
    };
    WorkspaceEdit {
        document_changes: Some(changes),
        ..WorkspaceEdit::default()
    }
}

/// The replacements that make one text of another: the changed parts of changed lines.
pub(crate) fn replacements(old: &str, new: &str) -> Replacements {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::from_slices(&old_lines, &new_lines);
    let starts = |lines: &[&str]| -> Vec<usize> {
        let mut at = 0;
        let ends = lines.iter().map(|line| {
            at += line.len();
            at
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    let bytes = |starts: &[usize], lines: Range<usize>| {
        let at = |line: usize| starts.get(line).copied().unwrap_or_default();
        at(lines.start)..at(lines.end)
    };
    let changed = diff
        .ops()
        .iter()
        .filter(|op| op.tag() != similar::DiffTag::Equal);
    changed
        .map(|op| {
            let range = bytes(&old_starts, op.old_range());
            let before = old.get(range.clone()).unwrap_or_default();
            let after = new
                .get(bytes(&new_starts, op.new_range()))
                .unwrap_or_default();
            narrow(range, before, after)
        })
        .collect()
}

/// A replacement without the beginning and the end that both texts have.
fn narrow(range: Range<usize>, before: &str, after: &str) -> (Range<usize>, String) {
    let shared = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs
            .take_while(|(one, other)| one == other)
            .map(|(one, _)| one.len_utf8())
            .sum()
    };
    let prefix = shared(&mut before.chars().zip(after.chars()));
    let (before, after) = (
        before.get(prefix..).unwrap_or_default(),
        after.get(prefix..).unwrap_or_default(),
    );
    let suffix = shared(&mut before.chars().rev().zip(after.chars().rev()));
    let text = after.get(..after.len() - suffix).unwrap_or_default();
    (range.start + prefix..range.end - suffix, text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_are_the_changed_parts_of_lines() {
        let old = "one\n[é](/old#a), [b](/old)\nsame\r\nlast";
        let new = "one\n[é](/new#a), [b](/new)\nsame\r\nadded\nlast";
        let all = replacements(old, new);
        let (range, text) = &all[0];
        assert_eq!(
            (&old[range.clone()], text.as_str()),
            ("old#a), [b](/old", "new#a), [b](/new")
        );
        let mut edited = old.to_owned();
        for (range, text) in all.into_iter().rev() {
            edited.replace_range(range, &text);
        }
        assert_eq!(edited, new);
        assert!(replacements(old, old).is_empty());
    }
}
