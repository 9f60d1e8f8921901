//! Where the store of the administration is, for every program that opens it.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::{Settings, permissions};

/// Command line options that name a store.
#[derive(Debug, Clone, Default, Args)]
pub struct StoreArgs {
    /// Address of the store, `sqlite:PATH` or `postgres://…`
    #[arg(long, value_name = "URL", global = true, conflicts_with = "config")]
    store: Option<String>,
    /// Settings file of the server, which names the store; without both, `server.toml`
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

impl StoreArgs {
    /// The address of the store; it may hold a password. The folder of the server is there
    /// afterwards.
    ///
    /// # Errors
    /// When the settings cannot be read, have problems, or are of a server without administration.
    pub fn url(&self) -> io::Result<String> {
        if let Some(store) = &self.store {
            return Ok(store.clone());
        }
        let config = self.config.as_deref();
        let hint = "; name the store with `--store` or the settings with `--config`";
        let settings = Settings::for_command(config, hint)?;
        let Some(admin) = settings.admin else {
            let shown = config.unwrap_or(Path::new(Settings::FILE)).display();
            return Err(io::Error::other(format!(
                "`{shown}` has no table `[admin]`; add one, nothing is kept without it"
            )));
        };
        permissions::create_private_dir(&settings.data)?;
        Ok(admin.store.expose().to_owned())
    }
}
