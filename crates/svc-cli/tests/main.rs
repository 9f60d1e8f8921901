//! The integration tests in one binary: each test binary links the whole crate.

mod a11y;
mod build;
mod dev;
mod example_site;
mod explain;
mod export;
mod fix;
mod format;
mod i18n;
mod links;
mod lsp;
mod migrate;
mod new;
mod openapi;
mod print;
mod program;
mod rename;
mod rename_sites;
mod score;
mod search;
mod shell;
mod store;
mod upgrade;
mod validate;
mod version_refs;
