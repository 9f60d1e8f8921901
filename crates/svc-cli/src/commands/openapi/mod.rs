//! `svc openapi`: commands for OpenAPI documents without a site.

mod bundle;
pub(crate) mod check;
mod diff;
mod document;
mod sample;
mod upgrade;

use std::io;

pub(super) use document::read;

use clap::{Args, Subcommand};

use crate::exit::Exit;

/// Check, compare, bundle and upgrade OpenAPI documents.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check documents, and count what they contain
    Check(check::Arguments),
    /// Print an example of a request, a response or a schema
    Sample(sample::Arguments),
    /// Bundle a document and the local files that it references
    Bundle(bundle::Arguments),
    /// Report the changes between two versions of a document, and which are breaking
    Diff(diff::Arguments),
    /// Convert Swagger 2.0 or OpenAPI 3.0 to OpenAPI 3.1
    Upgrade(upgrade::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Sample(arguments) => sample::run(arguments),
        Command::Bundle(arguments) => bundle::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Upgrade(arguments) => upgrade::run(arguments),
    }
}
