//! `svc openapi`: work on OpenAPI documents alone, without a site.

mod bundle;
mod diff;

use std::io;
use std::path::Path;

use clap::{Args, Subcommand};
use svc_diagnostics::SourceFile;

use crate::exit::Exit;

/// Compare and bundle OpenAPI documents.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Put a document and the local files that it refers to into one document
    Bundle(bundle::Arguments),
    /// Tell what changed between two versions of a document, and what breaks its users
    Diff(diff::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    match &arguments.command {
        Command::Bundle(arguments) => bundle::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
    }
}

/// A document as it lies on disk.
fn read(path: &Path) -> io::Result<SourceFile> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(named)?;
    Ok(SourceFile::new(path.display().to_string(), text))
}
