//! The integration tests in one binary: each test binary links the whole crate.

mod a11y;
mod cli;
mod explain;
mod export;
mod fix;
mod format;
mod i18n;
mod links;
mod lsp;
mod migrate;
mod new;
mod program;
mod rename;
mod rename_sites;
mod score;
mod search;
mod shell;
mod store;
mod upgrade;
mod version_refs;
