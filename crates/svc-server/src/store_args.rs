//! Command-line options that select the store of the administration.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::{Settings, permissions};

/// Options that select a store.
#[derive(Debug, Clone, Default, Args)]
pub struct StoreArgs {
    /// URL of the store: `sqlite:PATH` or `postgres://…`
    #[arg(long, value_name = "URL", global = true, conflicts_with = "config")]
    store: Option<String>,
    /// Settings file of the server with the store. Default: `server.toml`
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

impl StoreArgs {
    /// URL of the store; it can contain a password. The data directory of the server is created if
    /// it does not exist.
    ///
    /// # Errors
    /// If the settings cannot be read, have errors, or do not enable the administration.
    pub fn url(&self) -> io::Result<String> {
        if let Some(store) = &self.store {
            return Ok(store.clone());
        }
        let config = self.config.as_deref();
        let hint = "; set the store with `--store` or the settings with `--config`";
        let settings = Settings::for_command(config, hint)?;
        let Some(admin) = settings.admin else {
            let shown = config.unwrap_or(Path::new(Settings::FILE)).display();
            return Err(io::Error::other(format!(
                "`[admin]` is missing in `{shown}`; there is no store without it"
            )));
        };
        permissions::create_private_dir(&settings.data)?;
        Ok(admin.store.reveal().to_owned())
    }
}
