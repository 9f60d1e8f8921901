//! Methods, with their parameters and results.

use lsp_server::ErrorCode;
use lsp_types::{
    CodeActionParams, CompletionItem, CompletionParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentFormattingParams,
    DocumentLinkParams, DocumentSymbolParams, GotoDefinitionParams, HoverParams, InitializeParams,
    ReferenceParams, RenameFilesParams, RenameParams, TextDocumentPositionParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::capabilities::initialize_result;
use crate::client::Client;
use crate::features::{
    actions, definition, file_moves, formatting, hover, links, references, rename, symbols,
};
use crate::view::View;
use crate::workspace::Workspace;
use crate::{complete, uri};

/// Why a method has no result.
#[derive(Debug)]
pub(crate) struct MethodError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl MethodError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

fn parse<P: DeserializeOwned>(params: Value) -> Result<P, MethodError> {
    serde_json::from_value(params)
        .map_err(|error| MethodError::new(ErrorCode::InvalidParams, error.to_string()))
}

fn print(result: impl Serialize) -> Result<Value, MethodError> {
    serde_json::to_value(result)
        .map_err(|error| MethodError::new(ErrorCode::InternalError, error.to_string()))
}

/// Handles `initialize`.
#[expect(deprecated, reason = "older clients send only `rootUri`")]
pub(crate) fn initialize(
    workspace: &mut Workspace,
    params: Value,
    version: &str,
) -> Result<Value, MethodError> {
    let params: InitializeParams = parse(params)?;
    workspace.client = Client::new(&params);
    let folders = params.workspace_folders.unwrap_or_default();
    let mut uris: Vec<_> = folders.into_iter().map(|folder| folder.uri).collect();
    if uris.is_empty() {
        uris.extend(params.root_uri);
    }
    workspace.folders = uris.iter().filter_map(uri::path_of).collect();
    print(initialize_result(workspace.client, version))
}

/// Handles a notification; unknown ones are ignored.
pub(crate) fn notify(
    workspace: &mut Workspace,
    method: &str,
    params: Value,
) -> Result<(), MethodError> {
    match method {
        "initialized" => workspace.start(),
        "textDocument/didOpen" => {
            let params: DidOpenTextDocumentParams = parse(params)?;
            workspace.open(params.text_document);
        }
        "textDocument/didChange" => {
            let params: DidChangeTextDocumentParams = parse(params)?;
            workspace.change(params);
        }
        "textDocument/didSave" => {
            let params: DidSaveTextDocumentParams = parse(params)?;
            workspace.save(&params.text_document.uri);
        }
        "textDocument/didClose" => {
            let params: DidCloseTextDocumentParams = parse(params)?;
            workspace.close(&params.text_document.uri);
        }
        "workspace/didChangeWatchedFiles" => {
            let params: DidChangeWatchedFilesParams = parse(params)?;
            workspace.change_files(&params.changes);
        }
        "workspace/didChangeWorkspaceFolders" => {
            let params: DidChangeWorkspaceFoldersParams = parse(params)?;
            workspace.change_dirs(&params.event);
        }
        _ => {}
    }
    Ok(())
}

/// Whether the response needs the site of the current texts, because it edits several documents.
pub(crate) fn needs_current_site(method: &str) -> bool {
    matches!(method, "textDocument/rename" | "workspace/willRenameFiles")
}

/// Handles a request.
pub(crate) fn respond(
    workspace: &mut Workspace,
    method: &str,
    params: Value,
) -> Result<Value, MethodError> {
    match method {
        "textDocument/completion" => {
            let params: CompletionParams = parse(params)?;
            let at = params.text_document_position;
            print(at_position(workspace, &at, complete::completion))
        }
        "completionItem/resolve" => {
            let item: CompletionItem = parse(params)?;
            print(complete::resolve(workspace, item))
        }
        "textDocument/hover" => {
            let params: HoverParams = parse(params)?;
            let at = params.text_document_position_params;
            print(at_position(workspace, &at, hover::hover).flatten())
        }
        "textDocument/definition" => {
            let params: GotoDefinitionParams = parse(params)?;
            let at = params.text_document_position_params;
            print(at_position(workspace, &at, definition::definition).flatten())
        }
        "textDocument/references" => {
            let params: ReferenceParams = parse(params)?;
            let at = params.text_document_position;
            print(at_position(workspace, &at, references::references))
        }
        "textDocument/documentSymbol" => {
            let params: DocumentSymbolParams = parse(params)?;
            let view = workspace.view(&params.text_document.uri);
            print(view.map(|view| symbols::symbols(&view)))
        }
        "textDocument/documentLink" => {
            let params: DocumentLinkParams = parse(params)?;
            let view = workspace.view(&params.text_document.uri);
            print(view.map(|view| links::links(&view)))
        }
        "textDocument/formatting" => {
            let params: DocumentFormattingParams = parse(params)?;
            let view = workspace.view(&params.text_document.uri);
            print(view.map(|view| formatting::formatting(&view)))
        }
        "textDocument/prepareRename" => {
            let at: TextDocumentPositionParams = parse(params)?;
            print(at_position(workspace, &at, rename::prepare).flatten())
        }
        "textDocument/rename" => {
            let params: RenameParams = parse(params)?;
            let at = params.text_document_position;
            let edit = at_position(workspace, &at, |view, offset| {
                rename::rename(workspace, view, offset, &params.new_name)
            });
            let edit = edit.transpose()?.flatten();
            workspace.expected_rename = edit.as_ref().and_then(file_moves::renamed_file);
            print(edit)
        }
        "workspace/willRenameFiles" => {
            let params: RenameFilesParams = parse(params)?;
            print(file_moves::will_rename(workspace, &params.files)?)
        }
        "textDocument/codeAction" => {
            let params: CodeActionParams = parse(params)?;
            let view = workspace.view(&params.text_document.uri);
            print(view.map(|view| actions::actions(workspace, &view, &params)))
        }
        _ => {
            let message = format!("there is no method `{method}`");
            Err(MethodError::new(ErrorCode::MethodNotFound, message))
        }
    }
}

/// Calls a function with the document and the byte offset of a position. `None` if the document is
/// not part of a site.
fn at_position<T>(
    workspace: &Workspace,
    at: &TextDocumentPositionParams,
    handle: impl FnOnce(&View<'_>, usize) -> T,
) -> Option<T> {
    let view = workspace.view(&at.text_document.uri)?;
    let offset = view.index.offset(at.position);
    Some(handle(&view, offset))
}
