//! OpenAPI documents as a catalog of operations, webhooks and schemas.
//!
//! The text becomes one tree with spans ([`svc_data`]) behind an [`Arc`]. Only operations,
//! parameters and responses are read eagerly; every schema remains a [`SchemaRef`] into the tree
//! until a page needs its [`schema_view`] or [`example`]. Schemas are not inlined, so the memory of
//! a document is proportional to its text. OpenAPI 3.0, 3.1 and 3.2 are read as one superset. An
//! invalid part is reported and left out without affecting other parts.
//!
//! ```
//! use svc_openapi::SourceFile;
//! let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}],
//!     "paths": {"/pets/{id}": {"get": {"summary": "Get a pet", "parameters": [
//!         {"name": "id", "in": "path", "schema": {"type": "integer"}}]}}}}"#;
//! let checked = svc_openapi::parse(&SourceFile::new("pets.json", text));
//! assert!(checked.diagnostics.is_empty());
//! let document = checked.value.expect("it is one");
//! let operation = document.operation("GET", "/pets/{id}").expect("it is there");
//! assert_eq!(svc_openapi::operation_slug(operation), "get-a-pet");
//! assert!(operation.parameters[0].required);
//! ```
//!
//! [`Arc`]: std::sync::Arc

mod bundle;
mod catalog;
mod codes;
mod diff;
mod entry;
mod example;
mod excerpt;
mod extension;
mod flow;
mod grammar;
mod line_index;
mod model;
mod parse;
mod playground;
mod reference;
pub mod request;
mod slug;
mod title;
mod tool_call;
mod type_text;
mod upgrade;
mod view;
mod weight;

pub use bundle::{OutputFormat, bundle};
pub use catalog::{ApiCatalog, LocatedOperation};
pub use codes::CODES;
pub use diff::{Change, DiffLocation, Effect, diff};
pub use entry::{EntryRef, parse_entry};
pub use example::{example, example_at, examples, written_examples};
pub use excerpt::{excerpt, schema_excerpt};
pub use extension::{groups_of, groups_of_value, has_protection};
pub use flow::{OAuthFlow, oauth_flows};
pub(crate) use model::is_json;
pub use model::{
    ApiDocument, Body, Callback, CodeSample, Encoding, ExternalExample, Header, Link, MediaType,
    NamedExample, Operation, OperationKind, Parameter, ParameterLocation, Response, SchemaRef,
    SecurityKind, SecurityRequirement, SecurityScheme, Server, ServerVariable, Tag, Tool, ToolHint,
};
pub use parse::{looks_like_openapi, parse, parse_tools};
pub use playground::{MAX_SPEC_BYTES, PlaygroundOptions, playground_spec};
pub use slug::{
    MAX_SEGMENT_BYTES, UNTAGGED_GROUP, numbered_path, operation_slug, page_path, slugify,
};
pub use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile, Span};
pub use title::title_from_slug;
pub use tool_call::tool_call;
pub use type_text::{TypeWriter, with_comment};
pub use upgrade::upgrade;
pub use view::{
    Budget, Constraint, Direction, Kind, MAX_DEPTH, MAX_LEVEL_ENTRIES, PropertyView, SchemaLevel,
    SchemaPath, SchemaView, VariantView, property_names, schema_level, schema_outline, schema_view,
    schema_view_within,
};
pub use weight::MAX_EXAMPLE_BYTES;

#[cfg(test)]
mod tests;
