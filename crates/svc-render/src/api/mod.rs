//! Pages of OpenAPI operations, webhooks and data models, and of MCP tools.

mod callbacks;
mod collapsible;
mod description_links;
mod document_info;
mod endpoint;
mod examples;
mod json;
mod links;
pub(crate) mod mdx_endpoint;
mod media;
mod parameters;
mod parts;
pub(crate) mod playground;
mod reference;
mod schema;
mod schema_budget;
mod schema_fragment;
pub(crate) mod script;
mod security;
mod servers;
mod spec;
mod summary;
mod tool;
mod truncate;

#[cfg(test)]
mod tests;

pub(crate) use reference::{mdx_endpoint_bar, mdx_samples, reference, title};
pub use schema_fragment::{SchemaFragment, render_schema_fragment};
pub use spec::{Endpoint, endpoint_of, playground_spec};
pub(crate) use summary::description;
pub use summary::summary;

/// Style sheets of API pages.
pub(crate) const CSS: &[&str] = &[
    include_str!("api.css"),
    include_str!("schema_fragment/part.css"),
];

/// Scripts of API pages.
pub(crate) const JS: &[&str] = &[include_str!("schema_fragment/part.js")];
