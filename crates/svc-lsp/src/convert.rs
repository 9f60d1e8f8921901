//! Diagnostics and locations as values of the protocol.

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, MarkupContent, MarkupKind,
    NumberOrString,
};
use svc_diagnostics::{Diagnostic, Severity, Span};

use crate::client::Client;
use crate::position::LineIndex;
use crate::project::Project;
use crate::uri::uri_of;
use crate::workspace::Workspace;

/// Name of the source of diagnostics.
pub(crate) const SOURCE: &str = "svc";

pub(crate) fn diagnostic(
    workspace: &Workspace,
    project: Option<&Project>,
    index: &LineIndex<'_>,
    diagnostic: &Diagnostic,
) -> lsp_types::Diagnostic {
    let span = diagnostic.location.as_ref().map(|location| location.span);
    let severity = match diagnostic.severity {
        Severity::Fatal | Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    };
    let message = match &diagnostic.hint {
        Some(hint) => format!("{}\n{hint}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let labels = diagnostic.labels.iter().filter_map(|label| {
        let at = &label.location;
        Some(DiagnosticRelatedInformation {
            location: location(workspace.client, project?, &at.file, at.span)?,
            message: label.message.clone(),
        })
    });
    let related: Vec<_> = match workspace.client.has_related_information {
        true => labels.collect(),
        false => Vec::new(),
    };
    lsp_types::Diagnostic {
        range: index.range_of(span.unwrap_or_default()),
        severity: Some(severity),
        code: Some(NumberOrString::String(diagnostic.code.id.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}

/// A location in a file of a site. `None` for remote documents, which no editor can open.
pub(crate) fn location(
    client: Client,
    project: &Project,
    file: &str,
    span: Span,
) -> Option<Location> {
    if file.contains("://") {
        return None;
    }
    let uri = uri_of(&project.absolute(file))?;
    // Files that are not text, such as images, have only their start.
    let text = project.site.text_of(file).unwrap_or_default();
    let index = LineIndex::new(text, client.encoding);
    Some(Location::new(uri, index.range_of(span)))
}

/// Markdown, or plain text if the client shows only that.
pub(crate) fn markup(client: Client, text: String) -> MarkupContent {
    let kind = match client.has_markdown {
        true => MarkupKind::Markdown,
        false => MarkupKind::PlainText,
    };
    MarkupContent { kind, value: text }
}
