//! Where the store of the administration is, for every program that opens it.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::{Settings, private};

/// Command line options that name a store.
#[derive(Debug, Clone, Default, Args)]
pub struct StorePlace {
    /// Address of the store, `sqlite:PATH` or `postgres://…`
    #[arg(long, value_name = "URL", global = true, conflicts_with = "config")]
    store: Option<String>,
    /// Settings file of the server, which names the store; without both, `server.toml`
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

/// Makes a folder and those above it. What root makes belongs to the owner of the folder that it is
/// in.
fn create_folder(path: &Path) -> io::Result<()> {
    let above = path.parent().filter(|above| *above != Path::new(""));
    let above = above.unwrap_or(Path::new("."));
    if path.is_dir() {
        return Ok(());
    }
    if !above.is_dir() {
        create_folder(above)?;
    }
    match std::fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        made => made?,
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, lchown};
        let owner = std::fs::metadata(above)?;
        if std::fs::symlink_metadata(path)?.uid() == 0 && owner.uid() != 0 {
            lchown(path, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    Ok(())
}

impl StorePlace {
    /// The address of the store; it may hold a password. The folder of the server is there
    /// afterwards.
    ///
    /// # Errors
    /// When the settings cannot be read, have problems, or are of a server without administration.
    pub fn address(&self) -> io::Result<String> {
        if let Some(store) = &self.store {
            return Ok(store.clone());
        }
        let config = self.config.as_deref();
        let hint = "; name the store with `--store` or the settings with `--config`";
        let settings = Settings::of_command(config, hint)?;
        let Some(admin) = settings.admin else {
            let shown = config.unwrap_or(Path::new(Settings::FILE)).display();
            return Err(io::Error::other(format!(
                "`{shown}` has no table `[admin]`; add one, nothing is kept without it"
            )));
        };
        create_folder(&settings.data)?;
        private::make_folder(&settings.data)?;
        Ok(admin.store.expose().to_owned())
    }
}
