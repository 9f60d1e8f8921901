//! One file per command.

pub(crate) mod bench;
pub(crate) mod ci;
mod cli;
pub(crate) mod codegen;
mod docs_json;
pub(crate) mod gallery;
mod server_toml;
pub(crate) mod spec;
pub(crate) mod test;
pub(crate) mod tidy;
