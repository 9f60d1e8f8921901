//! `svc i18n`: the translations of a site.

mod record;
mod status;

use std::io;

use clap::Subcommand;

use crate::exit::Exit;

/// Commands for the translations of a site.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show which pages are missing in a language or older than their source
    Status(status::Arguments),
    /// Record that translated pages correspond to the present text of their sources
    ///
    /// Writes digests of the sections of the sources to i18n.lock.json. Commit the file. Without
    /// pages, all translated pages without a record are recorded.
    Record(record::Arguments),
}

pub(crate) fn run(command: &Command) -> io::Result<Exit> {
    match command {
        Command::Status(arguments) => status::run(arguments),
        Command::Record(arguments) => record::run(arguments),
    }
}
