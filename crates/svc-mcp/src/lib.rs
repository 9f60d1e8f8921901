//! The MCP server of a site: search and text of its pages for language models.
//!
//! [`handle`] is a pure function from a request to a response; the HTTP server calls it for `POST`
//! requests to `/mcp`. It implements the specification 2026-07-28, in which each request is
//! complete, and the versions 2025-03-26, 2025-06-18 and 2025-11-25 without sessions.
//!
//! # Example
//!
//! ```
//! use svc_mcp::{McpHeaders, McpRequest, handle};
//! use svc_site::{LoadOptions, assemble};
//! use svc_source::SourceTree;
//!
//! let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#16a34a"},
//!     "navigation": {"pages": ["index"]}}"##;
//! let tree = SourceTree::from_files([("docs.json", config), ("index.mdx", "Welcome to Acme.")]);
//! let site = assemble(tree, &LoadOptions::default())?.value;
//! let body = br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
//!     "params": {"name": "read", "arguments": {"path": "/"}}}"#;
//! let request = McpRequest { method: "POST", headers: McpHeaders::default(), body, origin: "" };
//! let response = handle(&site, &request);
//! assert_eq!(response.status, 200);
//! assert!(String::from_utf8_lossy(&response.body).contains("Welcome to Acme."));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `http` | requests and responses, and checks of the transport |
//! | `protocol` | JSON-RPC messages, versions, headers, methods |
//! | `tools` | one module for each tool |
//! | `resources` | pages and skills as resources |
//! | `setup` | the page that says how to connect clients |
//! | `visible` | which pages a tool may show |
//! | `ranked_sections` | the sections that match a query |
//! | `bounded_text`, `arguments`, `outline`, `excerpt`, `page_text` | bounded texts, arguments of tools, parts of pages |

mod arguments;
mod bounded_text;
mod excerpt;
mod http;
mod outline;
mod page_text;
mod protocol;
mod ranked_sections;
mod resources;
mod setup;
#[cfg(test)]
mod test_site;
mod tools;
mod visible;

pub use http::{MAX_BODY_BYTES, McpHeaders, McpRequest, McpResponse, handle};
pub use protocol::endpoint;
pub use protocol::version::SUPPORTED_VERSIONS;
pub use setup::{SETUP_TITLE, setup_text};
pub use tools::{DEFAULT_MAX_TOKENS, MAX_MAX_TOKENS, tool_definitions};
