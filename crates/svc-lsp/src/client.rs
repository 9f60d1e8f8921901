//! What the client supports.

use lsp_types::{ClientCapabilities, InitializeParams, MarkupKind, ResourceOperationKind};

use crate::position::Encoding;

/// Capabilities of the client that change responses.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// Whether inserted texts can have tab stops.
    pub(crate) has_snippets: bool,
    /// Whether hovers and descriptions can be Markdown.
    pub(crate) has_markdown: bool,
    /// Whether symbols can have children.
    pub(crate) has_nested_symbols: bool,
    /// Whether the client can report changes of files that the server registers.
    pub(crate) can_watch_files: bool,
    /// Whether edits can state the version of their document.
    pub(crate) has_document_changes: bool,
    /// Whether edits can rename files. Neovim offers this without document changes, which are the
    /// only edits that can.
    pub(crate) can_rename_files: bool,
    /// Whether diagnostics can have related locations.
    pub(crate) has_related_information: bool,
}

impl Client {
    pub(crate) fn new(params: &InitializeParams) -> Self {
        let ClientCapabilities {
            workspace,
            text_document: document,
            general,
            ..
        } = &params.capabilities;
        let (workspace, document) = (workspace.as_ref(), document.as_ref());
        let offered = general
            .as_ref()
            .and_then(|general| general.position_encodings.as_deref());
        let item = document
            .and_then(|document| document.completion.as_ref())
            .and_then(|completion| completion.completion_item.as_ref());
        let formats = document
            .and_then(|document| document.hover.as_ref())
            .and_then(|hover| hover.content_format.as_deref());
        let symbols = document.and_then(|document| document.document_symbol.as_ref());
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let published = document.and_then(|document| document.publish_diagnostics.as_ref());
        let is_set = |flag: Option<bool>| flag.unwrap_or(false);
        Self {
            encoding: Encoding::negotiate(offered),
            has_snippets: is_set(item.and_then(|item| item.snippet_support)),
            has_markdown: formats.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown)),
            has_nested_symbols: is_set(
                symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support),
            ),
            can_watch_files: is_set(watching.and_then(|watching| watching.dynamic_registration)),
            has_document_changes: is_set(edits.and_then(|edits| edits.document_changes)),
            can_rename_files: edits.is_some_and(|edits| {
                let operations = edits.resource_operations.as_deref().unwrap_or_default();
                operations.contains(&ResourceOperationKind::Rename)
            }),
            has_related_information: is_set(
                published.and_then(|published| published.related_information),
            ),
        }
    }
}
