//! `svc openapi`: commands for OpenAPI documents without a site.

mod bundle;
mod diff;
mod document;

use std::io;

use clap::{Args, Subcommand};

use crate::exit::Exit;

/// Compare and bundle OpenAPI documents.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Bundle a document and the local files that it references
    Bundle(bundle::Arguments),
    /// Report the changes between two versions of a document, and which are breaking
    Diff(diff::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    match &arguments.command {
        Command::Bundle(arguments) => bundle::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
    }
}
