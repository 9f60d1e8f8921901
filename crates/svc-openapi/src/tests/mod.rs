//! Tests of the whole crate.
#![expect(clippy::print_stdout, reason = "measured tests print their figures")]

mod behavior;
pub(crate) mod corpus;
mod edge;
mod examples;
mod features;

use svc_diagnostics::{Checked, Diagnostic, SourceFile};

use crate::ApiDocument;

/// Parses a text as `api.yaml`, without the diagnostic of missing servers, which has a test of its
/// own.
pub(crate) fn check(text: &str) -> Checked<Option<ApiDocument>> {
    let mut checked = crate::parse(&SourceFile::new("api.yaml", text));
    let other = |diagnostic: &Diagnostic| diagnostic.code.id != crate::codes::MISSING_SERVERS.id;
    checked.diagnostics.retain(other);
    checked
}

/// Parses a text that must be a document.
pub(crate) fn document(text: &str) -> ApiDocument {
    check(text).value.expect("the text is a document")
}

/// `code line` of every diagnostic.
pub(crate) fn codes_with_lines(diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |diagnostic: &Diagnostic| diagnostic.location.as_ref().map_or(0, |at| at.start.line);
    diagnostics
        .iter()
        .map(|diagnostic| format!("{} {}", diagnostic.code.id, line(diagnostic)))
        .collect()
}

/// A view on one line: `{id*: string, children: Node[]↺}`.
pub(crate) fn line(view: &crate::SchemaView) -> String {
    let mut text = view.type_text();
    if let Some(name) = &view.recursive {
        text += &format!(" again {name}");
    }
    if !view.properties.is_empty() {
        let property = |property: &crate::PropertyView| {
            let mark = if property.required { "*" } else { "" };
            format!("{}{mark}: {}", property.name, line(&property.schema))
        };
        let properties: Vec<String> = view.properties.iter().map(property).collect();
        text += &format!(" {{{}}}", properties.join(", "));
    }
    if let Some(items) = view
        .items
        .as_deref()
        .filter(|i| i.has_children() || i.recursive.is_some())
    {
        text += &format!(" of {}", line(items));
    }
    if let Some(additional) = &view.additional {
        text += &format!(" each {}", line(additional));
    }
    for set in std::iter::once(&view.variants).chain(&view.further_variants) {
        let variant = |variant: &crate::VariantView| {
            let value = variant.discriminator_value.as_ref();
            let value = value.map_or_else(String::new, |value| format!("={value}"));
            format!("{}{value}: {}", variant.title, line(&variant.schema))
        };
        if !set.is_empty() {
            let variants: Vec<String> = set.iter().map(variant).collect();
            text += &format!(" ({})", variants.join(" / "));
        }
    }
    text
}

/// The view of a component schema on one line.
pub(crate) fn schema_line(document: &ApiDocument, name: &str) -> String {
    let node = document.schema_node(name).expect("the schema is declared");
    line(&crate::schema_view(
        document,
        node,
        crate::Direction::Response,
        10,
    ))
}
