//! `svc store`.

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use svc_server::{Settings, request_server};
use svc_store::{TransferError, copy_store};

use super::output::{print, with_path};
use super::store_cli;
use crate::exit::Exit;

/// Commands for the store of a server.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Copy everything in the store to another database, from SQLite to PostgreSQL or back
    ///
    /// Stop the servers that use the store first. The old store is not changed. If the command
    /// fails or is interrupted, the new store stays empty.
    Move(MoveArgs),
}

/// The two stores.
#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    /// URL of the new store: `sqlite:PATH` or `postgres://…`
    #[arg(long, value_name = "URL", conflicts_with = "to_file")]
    to: Option<String>,
    /// File with the URL of the new store, which can contain a password
    #[arg(long, value_name = "FILE", required_unless_present = "to")]
    to_file: Option<PathBuf>,
    /// URL of the present store. Default: the one in the settings
    #[arg(long, value_name = "URL", conflicts_with = "config")]
    from: Option<String>,
    /// Settings file of the server. Default: `server.toml`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Delete what is in the new store
    #[arg(long)]
    replace: bool,
}

pub(crate) fn run(command: &Command) -> io::Result<Exit> {
    let Command::Move(arguments) = command;
    let from = arguments.present_store()?;
    let to = arguments.new_store()?;
    if from == to {
        return Err(io::Error::other("both stores are the same"));
    }
    let rows = store_cli::block_on(async {
        let copied = copy_store(&from, &to, arguments.replace).await;
        copied.map_err(|error| match error {
            TransferError::NotEmpty(_) => {
                io::Error::other(format!("{error}; delete its rows with `--replace`"))
            }
            error => io::Error::other(error),
        })
    })?;
    print(&format!(
        "copied {rows} rows; write the URL of the new store to `[admin]` in the settings, and start the servers\n"
    ))
    .map(|()| Exit::Success)
}

impl MoveArgs {
    fn new_store(&self) -> io::Result<String> {
        if let Some(to) = &self.to {
            return Ok(to.clone());
        }
        let file = self.to_file.clone().unwrap_or_default();
        let text = std::fs::read_to_string(&file);
        let text = text.map_err(|error| with_path(&file, &error))?;
        Ok(text.trim().to_owned())
    }

    /// URL of the store in the settings. No server may be using it: what it writes after the copy
    /// would be lost.
    fn present_store(&self) -> io::Result<String> {
        if let Some(from) = &self.from {
            return Ok(from.clone());
        }
        let hint = "; set the settings with `--config` or the store with `--from`";
        let settings = Settings::for_command(self.config.as_deref(), hint)?;
        let body = serde_json::Value::Null;
        if request_server(&settings.data, "GET", "/projects", &body).is_ok() {
            return Err(io::Error::other(format!(
                "a server uses the data folder `{}`; stop it first",
                settings.data.display()
            )));
        }
        let admin = settings.admin.ok_or_else(|| {
            io::Error::other("`[admin]` is missing in the settings; there is no store without it")
        })?;
        Ok(admin.store.reveal().to_owned())
    }
}
