//! `svc-server backup`, `verify` and `restore`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_result;
use crate::backup::{self, BackupInfo, StoredData};
use crate::{Settings, pluralize};

/// A backup and the server that it is of.
#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// File of the backup, for example `svc.tar.gz`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Settings file of the server. Default: `server.toml`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Replace what is there: the file of an earlier backup, or the data of the server.
    #[arg(long)]
    replace: bool,
}

/// A backup.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// File of the backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl BackupArgs {
    fn stored_data(&self) -> Result<StoredData, String> {
        let hint = "; set the settings with `--config`";
        let settings = Settings::for_command(self.config.as_deref(), hint);
        let settings = settings.map_err(|error| error.to_string())?;
        Ok(StoredData::of(&settings))
    }
}

/// Runs `backup`.
pub(super) fn back_up(arguments: &BackupArgs) -> ExitCode {
    print_result(run(async {
        let stored = arguments.stored_data()?;
        let backup = backup::back_up(&stored, &arguments.file, arguments.replace).await;
        let backup = backup.map_err(|error| error.to_string())?;
        for warning in &backup.warnings {
            eprintln!("svc-server: {warning}");
        }
        Ok(format!(
            "wrote `{}` ({}, {:.1} MB)",
            arguments.file.display(),
            summary(&backup.info),
            backup.size as f64 / 1e6
        ))
    }))
}

/// Runs `verify`.
pub(super) fn verify(arguments: &VerifyArgs) -> ExitCode {
    print_result(run(async {
        let info = backup::verify(&arguments.file).await;
        let info = info.map_err(|error| error.to_string())?;
        let shown = arguments.file.display();
        Ok(format!("`{shown}` is complete: {}", described(&info)))
    }))
}

/// Runs `restore`.
pub(super) fn restore(arguments: &BackupArgs) -> ExitCode {
    print_result(run(async {
        let stored = arguments.stored_data()?;
        let restored = backup::restore(&arguments.file, &stored, arguments.replace).await;
        let restored = restored.map_err(|error| error.to_string())?;
        for snapshot in &restored.missing {
            eprintln!(
                "svc-server: the backup has no files of a live deployment: `{snapshot}`; the project is deployed again when the server starts"
            );
        }
        if let Some(dir) = &restored.replaced {
            let shown = dir.display();
            println!("svc-server: the earlier data is in `{shown}`; remove it when all is well");
        }
        let data = stored.data.display();
        Ok(format!(
            "restored `{data}`: {}; start the server",
            described(&restored.info)
        ))
    }))
}

fn run(work: impl Future<Output = Result<String, String>>) -> Result<String, String> {
    let runtime = super::runtime::start().map_err(|error| error.to_string())?;
    runtime.block_on(work)
}

fn described(info: &BackupInfo) -> String {
    let time = jiff::Timestamp::from_second(info.created).map(|time| time.to_string());
    let time = time.unwrap_or_default();
    format!(
        "{}, written at {time} by version {}",
        summary(info),
        info.version
    )
}

/// For example `2 projects, 3 deployments and the store`.
fn summary(info: &BackupInfo) -> String {
    let projects = pluralize(info.projects, "project");
    let deployments = pluralize(info.deployments, "deployment");
    match info.has_store {
        true => format!("{projects}, {deployments} and the store"),
        false => format!("{projects} and {deployments}, no store"),
    }
}
