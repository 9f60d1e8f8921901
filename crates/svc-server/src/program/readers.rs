//! `svc-server reader`: prints lines for the files of `[projects.readers]`.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use svc_admin_api::reader::ReaderTokenSecret;

use super::accounts::password;
use crate::SystemRandom;
use crate::dashboard::password::hash;

/// Commands for readers.
#[derive(Debug, Subcommand)]
pub(super) enum ReaderCommand {
    /// Print a line for `password_file`. The password is prompted for twice, or read from standard
    /// input if that is not a terminal.
    Password(ReaderLine),
    /// Print a line for `token_file`, and the token itself on standard error.
    Token(ReaderLine),
}

/// A reader and what the reader may see.
#[derive(Debug, Args)]
pub(super) struct ReaderLine {
    /// Name of the reader, without colons.
    #[arg(value_parser = name)]
    name: String,
    /// Groups of the reader, separated by commas.
    #[arg(long, default_value = "", value_name = "GROUPS", value_parser = groups)]
    groups: String,
    /// Last day on which the reader can sign in, for example `2027-01-31`.
    #[arg(long, value_name = "DATE")]
    until: Option<jiff::civil::Date>,
}

fn name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("the name is empty".to_owned()),
        name if name.contains(':') || name.starts_with('#') => {
            Err("a name cannot contain `:` or begin with `#`".to_owned())
        }
        name => Ok(name.to_owned()),
    }
}

fn groups(text: &str) -> Result<String, String> {
    match text.contains(':') {
        true => Err("a group cannot contain `:`".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(command: &ReaderCommand) -> ExitCode {
    let (reader, hash) = match command {
        ReaderCommand::Password(reader) => (reader, password_hash()),
        ReaderCommand::Token(reader) => (reader, token_hash()),
    };
    let hash = match hash {
        Ok(hash) => hash,
        Err(sentence) => {
            eprintln!("svc-server: {sentence}");
            return ExitCode::FAILURE;
        }
    };
    let until = reader.until.map(|day| format!(":{day}"));
    let until = until.unwrap_or_default();
    println!("{}:{hash}:{}{until}", reader.name, reader.groups);
    ExitCode::SUCCESS
}

fn password_hash() -> Result<String, String> {
    let password = password().map_err(|error| error.to_string())?;
    hash(&password, &SystemRandom).map_err(|error| error.to_string())
}

fn token_hash() -> Result<String, String> {
    let token = ReaderTokenSecret::generate(&SystemRandom).map_err(|error| error.to_string())?;
    eprintln!(
        "svc-server: the token, which is not shown again: {}",
        token.reveal()
    );
    Ok(hex::encode(token.hash()))
}
