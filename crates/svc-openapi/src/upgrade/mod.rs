//! Conversion of Swagger 2.0 and OpenAPI 3.0 to OpenAPI 3.1.
//!
//! The conversion works on the tree: every converted value has the span of the value that it was
//! made from, so that problems are reported at their lines of the original text.

mod build;
mod operation;
mod parameter;
mod response;
mod schema;
mod security;
mod swagger;

#[cfg(test)]
mod tests;

use svc_data::{Limits, Node, Value};
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, Severity, SourceFile, Span};

use crate::bundle::{OutputFormat, text_of};
use crate::codes;
use build::string;
use schema::{Dialect, upgrade_schema};

/// Version of the result.
const TARGET_VERSION: &str = "3.1.1";

/// Converts a document of Swagger 2.0 or OpenAPI 3.0 to OpenAPI 3.1, as text. Keys keep their
/// order, and extensions are kept. What has no equivalent is reported. The value is None if the
/// document has another version or is not an object.
///
/// # Example
///
/// ```
/// use svc_openapi::{OutputFormat, SourceFile, upgrade};
/// let text = "swagger: '2.0'\ninfo: {title: Pets, version: '1'}\nhost: a.dev\nschemes: [https]\npaths: {}\n";
/// let upgraded = upgrade(&SourceFile::new("api.yaml", text), OutputFormat::Yaml);
/// assert!(upgraded.value.is_some_and(|text| text.contains("url: \"https://a.dev\"")));
/// ```
pub fn upgrade(file: &SourceFile, notation: OutputFormat) -> Checked<Option<String>> {
    let mut diagnostics = Vec::new();
    let root = svc_data::parse(file, &Limits::default()).drain_into(&mut diagnostics);
    let mut upgrader = Upgrader::new(file);
    let upgraded = if is_swagger(&root) {
        Some(upgrader.swagger(root))
    } else {
        // The number `3.0` is written without quotes in some documents.
        let version = root.get("openapi").map(|node| file.slice(node.span));
        let version = version
            .unwrap_or_default()
            .trim_matches(['"', '\''])
            .to_owned();
        match version.split('.').take(2).collect::<Vec<_>>()[..] {
            ["3", "0"] => Some(from_3_0(root)),
            _ => {
                let span = root
                    .get("openapi")
                    .map_or(Span::default(), |node| node.span);
                let message = match version.as_str() {
                    "" => "the document has neither `swagger: '2.0'` nor `openapi: 3.0`".to_owned(),
                    version => format!("version `{version}` is not converted"),
                };
                let hint = "only Swagger 2.0 and OpenAPI 3.0 are converted";
                upgrader.report(&codes::UPGRADE_VERSION, "", span, message, hint);
                None
            }
        }
    };
    let broken = diagnostics
        .iter()
        .any(|problem| problem.severity >= Severity::Error);
    diagnostics.extend(upgrader.diagnostics);
    Checked {
        value: upgraded
            .filter(|_| !broken)
            .map(|root| text_of(file, &root, notation)),
        diagnostics,
    }
}

/// Whether the tree is a document of Swagger 2.0.
pub(crate) fn is_swagger(root: &Node) -> bool {
    let version = root.get("swagger").and_then(Node::to_text);
    root.get("openapi").is_none()
        && version.is_some_and(|version| matches!(version.trim(), "2.0" | "2"))
}

/// Converts the tree of Swagger 2.0, with the problems of the conversion.
pub(crate) fn from_swagger(file: &SourceFile, root: Node) -> Checked<Node> {
    let mut upgrader = Upgrader::new(file);
    let value = upgrader.swagger(root);
    Checked {
        value,
        diagnostics: upgrader.diagnostics,
    }
}

/// State of a conversion.
struct Upgrader<'a> {
    file: &'a SourceFile,
    diagnostics: Vec<Diagnostic>,
    swagger: swagger::Names,
}

impl<'a> Upgrader<'a> {
    fn new(file: &'a SourceFile) -> Self {
        Self {
            file,
            diagnostics: Vec::new(),
            swagger: swagger::Names::default(),
        }
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        pointer: &str,
        span: Span,
        message: impl Into<String>,
        hint: &str,
    ) {
        let problem = Diagnostic::new(code, message)
            .at(self.file.location(span))
            .pointer(pointer)
            .hint(hint);
        self.diagnostics.push(problem);
    }

    /// Reports something that version 3.1 cannot express.
    fn loss(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.report(&codes::UPGRADE_LOSS, "", span, message, hint);
    }
}

/// Converts a document of version 3.0: only schemas differ.
fn from_3_0(mut root: Node) -> Node {
    let dialect = Dialect::OpenApi;
    visit(&mut root, "", &dialect);
    if let Some(members) = root.as_map_mut() {
        if let Some(version) = members.get_mut("openapi") {
            version.value = string(TARGET_VERSION, version.value.span);
        }
        let has_webhooks = members.contains_key("webhooks");
        if !has_webhooks && members.contains_key("x-webhooks") {
            build::rename_key(&mut root, "x-webhooks", "webhooks");
        }
    }
    root
}

/// Visits everything that is not a schema, an example or an extension. The depth is limited by the
/// parser.
fn visit(node: &mut Node, parent: &str, dialect: &Dialect<'_>) {
    match &mut node.value {
        Value::Array(items) => {
            for item in items {
                visit(item, parent, dialect);
            }
        }
        Value::Object(object) => {
            let members = std::mem::take(object).into_map();
            *object = members
                .map_values(|key, mut member| {
                    let value = &mut member.value;
                    match key {
                        "example" | "examples" => {}
                        key if key.starts_with("x-") && key != "x-webhooks" => {}
                        "schema" if parent != "headers" && parent != "paths" => {
                            upgrade_schema(value, dialect);
                        }
                        "schemas" if parent == "components" => {
                            build::change_values(value, |schema| upgrade_schema(schema, dialect));
                        }
                        key => visit(value, key, dialect),
                    }
                    member
                })
                .into();
        }
        _ => {}
    }
}
